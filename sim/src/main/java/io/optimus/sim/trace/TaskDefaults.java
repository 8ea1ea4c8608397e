package io.optimus.sim.trace;

import io.optimus.model.cluster.Resources;

/** What tasks take where a workload does not say: what the authors of Optimus gave those of ResNet-50. */
public final class TaskDefaults {
    /** A worker, or one GPU's share of a job. */
    public static final Resources WORKER = Resources.of(8_192, 2, 1);

    /** A parameter server. */
    public static final Resources SERVER = Resources.of(9_216, 3, 0);

    private TaskDefaults() {}
}
