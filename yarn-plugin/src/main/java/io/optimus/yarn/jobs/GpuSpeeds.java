package io.optimus.yarn.jobs;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;

/** The speeds of the nodes' GPUs, as multiples of a GPU type of speed 1. Its methods never block. */
public interface GpuSpeeds {
    /** All GPUs are equally fast. */
    GpuSpeeds ALIKE = node -> 1;

    /** Speed of the GPUs of the node with this id; 1 if it is not known. */
    double ofNode(String node);

    /** Speed of the slowest GPU that {@code workers} use in {@code placement}; 1 if they use none or are not placed. */
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
