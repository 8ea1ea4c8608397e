package io.optimus.am.membership;

import io.optimus.am.wire.TaskId;
import java.util.HashMap;
import java.util.Map;

/** Counts each worker's failed steps between which the job made no progress. */
final class Interruptions {
    /** One comes with every lost server; a worker that cannot reach a server has one after the other. */
    private static final int MOST = 5;

    private final Map<TaskId, Integer> counts = new HashMap<>();
    private long step = -1;

    /** Counts one more, at {@code currentStep}. */
    boolean tooMany(TaskId worker, long currentStep) {
        if (currentStep != step) {
            counts.clear();
            step = currentStep;
        }
        return counts.merge(worker, 1, Integer::sum) > MOST;
    }
}
