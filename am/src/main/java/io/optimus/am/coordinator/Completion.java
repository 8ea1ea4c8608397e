package io.optimus.am.coordinator;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.progress.StepLosses;
import io.optimus.model.convergence.StopRule;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Collects how training ends, and reports it once: when all tasks are gone and the model is written. */
final class Completion {
    private final CoordinatorListener listener;
    private Optional<StopRule.Stop> stopReason = Optional.empty();
    private String earlyReason = "";
    private String failure = "";
    private Optional<Evaluation> evaluation = Optional.empty();
    private Optional<String> model = Optional.empty();
    private boolean writingModel;
    private boolean over;

    Completion(CoordinatorListener listener) {
        this.listener = listener;
    }

    /** Training cannot go on. Returns false if it had failed or ended before. */
    boolean fail(String reason) {
        if (over || !failure.isEmpty()) {
            return false;
        }
        failure = reason;
        return true;
    }

    /** Whether the outcome is decided. */
    boolean isSettled() {
        return over || !failure.isEmpty();
    }

    boolean isOver() {
        return over;
    }

    void stopEarly(String reason) {
        earlyReason = reason;
    }

    /** Notes a decision to end. One that means convergence replaces one that does not. Returns true for the first one. */
    boolean stop(Optional<StopRule.Stop> reason) {
        boolean isFirst = stopReason.isEmpty();
        boolean replaces = stopReason.isPresent() && !stopReason.get().converged();
        if (reason.isPresent() && (isFirst || (replaces && reason.get().converged()))) {
            stopReason = reason;
        }
        return isFirst && reason.isPresent();
    }

    /** Whether training ends because of its losses, epochs or accuracy. */
    boolean isStopped() {
        return stopReason.isPresent();
    }

    /** Why training ends by its rule; empty while it goes on. */
    Optional<StopRule.Stop> stopReason() {
        return stopReason;
    }

    /** Steps have to be done again, so the stop is decided again. */
    void undoStop() {
        stopReason = Optional.empty();
    }

    void evaluated(Optional<Evaluation> found) {
        evaluation = found;
    }

    void writingModel() {
        writingModel = true;
    }

    void modelWritten(Optional<String> name) {
        writingModel = false;
        model = name;
    }

    /** Reports the end once all tasks are gone and the model is written. */
    void report(boolean allGone, @Nullable StepLosses losses) {
        if (!allGone || writingModel || over) {
            return;
        }
        over = true;
        if (failure.isEmpty()) {
            listener.finished(result(losses));
        } else {
            listener.failed(failure);
        }
    }

    private TrainingResult result(@Nullable StepLosses losses) {
        return new TrainingResult(
                stopReason.map(StopRule.Stop::converged).orElse(false),
                stopReason.map(StopRule.Stop::sentence).orElse(earlyReason),
                losses == null ? 0 : (long) losses.progress(),
                losses == null ? 0 : losses.epochs(),
                losses == null ? OptionalDouble.empty() : losses.finalLoss(),
                evaluation,
                model);
    }
}
