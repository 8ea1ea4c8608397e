package io.optimus.yarn.jobs;

import io.optimus.model.job.Placement;
import io.optimus.yarn.configuration.OptimusConfiguration.JobLimits;
import io.optimus.yarn.validation.Registration;
import io.optimus.yarn.validation.TaskRate;
import java.util.List;

/** Estimates of the bytes that the parts of a job take in memory, on a 64-bit Java with compressed references. */
final class KeptBytes {
    /** Two curves of two doubles a point. */
    private static final long A_LOSS_POINT = 2 * 2 * 8;
    /** The mean with its key, here and in the belief. */
    private static final long A_SPEED = 400;
    /** A resize, the plan's decision with the text of its reason, and a size that the job held. */
    private static final long A_RESIZE = 800;
    /** Step times of a job that adapts its batch: at most 128 placements and batches. */
    private static final long STEP_TIMES = 128 * 150;
    /** What was predicted of it: at most 64 predictions. */
    private static final long PREDICTIONS = 64 * 120;
    /** Locks, fits and beliefs. */
    private static final long THE_REST = 16_384;
    /** A record or an entry of a map, with the headers of two strings. */
    private static final long AN_ENTRY = 240;

    private KeptBytes() {}

    /** What a job takes at most beside its tasks, by its limits and its registration. */
    static long of(JobLimits limits, Registration registration) {
        long text = 2L * registration.name().length();
        for (String type : registration.scheduling().gpuTypes()) {
            text += AN_ENTRY + 2L * type.length();
        }
        return THE_REST
                + limits.lossPoints() * A_LOSS_POINT
                + limits.speedSizes() * A_SPEED
                + limits.resizes() * A_RESIZE
                + STEP_TIMES
                + PREDICTIONS
                + text;
    }

    static long of(List<TaskRate> tasks) {
        return tasks.stream()
                .mapToLong(task -> AN_ENTRY + task.task().length() + task.node().length())
                .sum();
    }

    static long of(Placement members) {
        return members.byNode().keySet().stream()
                .mapToLong(node -> AN_ENTRY + node.length())
                .sum();
    }
}
