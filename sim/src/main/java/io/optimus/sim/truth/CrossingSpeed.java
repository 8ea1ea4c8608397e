package io.optimus.sim.truth;

import io.optimus.model.Allocation;
import io.optimus.model.speed.GivenSpeed;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;

/**
 * A speed function of parameter-server training that knows of nodes: transfers between nodes take longer than within one.
 *
 * <pre>seconds(p, w, n) = seconds(p, w) + crossing · w/p · (1 − 1/n)</pre>
 *
 * <p>with seconds as the {@link SpeedForm} has them, n nodes, and 1 − 1/n the part of all pairs of a worker and a server
 * that lie on different nodes where tasks are spread evenly. Example: 1 s a step on one node, crossing 0.4 s, 2 workers and
 * 2 servers on 2 nodes: 1 + 0.4 · 1 · 1/2 = 1.2 s.
 *
 * @param within the function on one node
 * @param form of that function
 * @param crossing seconds that a transfer of all parameters to one server takes longer between nodes, 0 or more
 * @param tasksPerNode most tasks that a node holds: without a number of nodes, the fewest are meant
 */
public record CrossingSpeed(SpeedFunction within, SpeedForm form, double crossing, int tasksPerNode)
        implements GivenSpeed {
    @Override
    public double stepsPerSecond(Allocation allocation) {
        return stepsPerSecond(allocation, (allocation.tasks() + tasksPerNode - 1) / tasksPerNode);
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        double speed = within.stepsPerSecond(allocation);
        double seconds = form.seconds(allocation, speed);
        double ratio = (double) allocation.workers() / Math.max(1, allocation.parameterServers());
        double longer = crossing * ratio * (1 - 1.0 / Math.max(1, nodes));
        // In both forms speed is one over the seconds, times what does not change here.
        return speed * seconds / (seconds + longer);
    }
}
