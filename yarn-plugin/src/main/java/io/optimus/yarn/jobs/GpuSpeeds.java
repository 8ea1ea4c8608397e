package io.optimus.yarn.jobs;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;

/** How fast the GPUs of nodes are, in multiples of a type of speed 1. Waits for nobody. */
public interface GpuSpeeds {
    /** All the same. */
    GpuSpeeds ALIKE = node -> 1;

    /** Of the node with this id; 1 where it is not known. */
    double ofNode(String node);

    /** Of {@code workers} at these places: the slowest of them sets the pace. 1 where they use no GPUs, or are nowhere. */
    default double of(RoleDemand workers, Placement placement) {
        return workers.task().amount(Resources.GPUS) == 0
                ? 1
                : placement.byNode().entrySet().stream()
                        .filter(tasks -> tasks.getValue().workers() > 0)
                        .mapToDouble(tasks -> ofNode(tasks.getKey()))
                        .min()
                        .orElse(1);
    }
}
