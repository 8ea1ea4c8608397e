package io.optimus.sim.recording;

import io.optimus.sim.engine.QueuePolicies;
import io.optimus.sim.engine.SimulationSetup;
import java.util.List;

/**
 * A recording that can be replayed.
 *
 * @param name name of its folder
 * @param setup the cluster with its changes, and the rounds as they were set
 * @param policies the policies that ran; where they changed, those that held longest
 * @param jobs the jobs that can be simulated, in order of arrival
 * @param notices what is left out or assumed, in sentences
 */
public record RecordedCluster(
        String name, SimulationSetup setup, QueuePolicies policies, List<RecordedJob> jobs, List<String> notices) {
    public RecordedCluster {
        jobs = List.copyOf(jobs);
        notices = List.copyOf(notices);
    }
}
