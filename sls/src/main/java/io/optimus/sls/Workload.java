package io.optimus.sls;

import io.optimus.sls.applications.FixedTraining;
import io.optimus.sls.applications.PlannedTraining;
import io.optimus.sls.applications.SimulatedApplication;

/**
 * What runs on the simulated cluster, the same for both sides.
 *
 * <p>Training holds all GPUs: on CapacityScheduler each job has its even share of them for good, on OptimusScheduler the plan
 * divides them. Ordinary applications hold no GPU. They end and follow each other, so that there is always the same number.
 *
 * @param nodes nodes, each with {@value #GPUS_PER_NODE} GPUs
 * @param jobs training jobs
 * @param applications ordinary applications at a time
 * @param policy the allocation policy of OptimusScheduler
 * @param warmUpSeconds time from the start of the first application until the measurement
 * @param seconds time of the measurement
 */
record Workload(int nodes, int jobs, int applications, String policy, int warmUpSeconds, int seconds) {
    static final int GPUS_PER_NODE = 4;
    /** A larger job would not be typical, and a smaller bound would leave GPUs idle where there are few jobs. */
    private static final int MOST_WORKERS = 16;

    private static final int TASKS_PER_APPLICATION = 4;
    /** A thousand applications then submit 3 to 4 a second. */
    static final long APPLICATION_MILLIS = 300_000;

    /** The tasks of each training job on CapacityScheduler. */
    int tasksPerJob() {
        return Math.max(1, Math.min(MOST_WORKERS, nodes * GPUS_PER_NODE / Math.max(1, jobs)));
    }

    SimulatedApplication training(Side side, int index) {
        return switch (side) {
            case STOCK -> new FixedTraining(tasksPerJob());
            case OURS -> new PlannedTraining(index, MOST_WORKERS);
        };
    }

    int tasksPerApplication() {
        return TASKS_PER_APPLICATION;
    }
}
