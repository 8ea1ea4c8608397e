package io.optimus.sim.trace;

import io.optimus.model.cluster.Resources;

/** What tasks take where a workload does not say: as many cores and as much memory as a node has beside each GPU. */
public final class Tasks {
    /** A worker, or one GPU's share of a job. */
    public static final Resources WORKER = Resources.of(10_240, 3, 1);

    /** A parameter server. */
    public static final Resources SERVER = Resources.of(8_192, 3, 0);

    private Tasks() {}
}
