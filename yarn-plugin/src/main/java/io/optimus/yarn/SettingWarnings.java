package io.optimus.yarn;

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
        List<String> warnings = new ArrayList<>();
        // No error: queues may be added later, and YARN itself may create them.
        configuration.queues().stream()
                .filter(path -> scheduler.getQueue(path) == null)
                .forEach(path -> warnings.add("keys are set for an unknown queue queue=" + path + " keys="
                        + OptimusConfiguration.QUEUE_PREFIX + path));
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
