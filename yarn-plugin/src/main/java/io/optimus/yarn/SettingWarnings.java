package io.optimus.yarn;

import io.optimus.yarn.configuration.CapacityQueues;
import io.optimus.yarn.configuration.OptimusConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/** Settings that are valid and yet hardly what an administrator wants. */
final class SettingWarnings {
    private SettingWarnings() {}

    /** The warnings for the log, each a line that names the key and the remedy. */
    static List<String> of(CapacityScheduler scheduler, OptimusConfiguration configuration) {
        // A refresh refuses these. A start does not: for a key of training, ordinary applications would stand still.
        List<String> warnings = new ArrayList<>();
        new CapacityQueues(scheduler.getConfiguration())
                .problems(configuration)
                .forEach(problem -> warnings.add("setting without effect problem=" + problem));
        int limit = scheduler.getConfiguration().getOffSwitchPerHeartbeatLimit();
        if (limit < 2) {
            warnings.add(
                    "a node that places a container which names no node places no task of a job in the same heartbeat,"
                            + " so jobs may wait beside free GPUs key="
                            + CapacitySchedulerConfiguration.OFFSWITCH_PER_HEARTBEAT_LIMIT + " value=" + limit
                            + " remedy=10");
        }
        return warnings;
    }
}
