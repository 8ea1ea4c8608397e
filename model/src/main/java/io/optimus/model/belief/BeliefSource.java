package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.job.JobSnapshot.Belief;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The knowledge of one job. Only this type decides which part of it a policy gets. Speed and remaining steps are in the same
 * unit of work.
 */
public interface BeliefSource {
    /** Steps per second by allocation, from measurements; empty before the first one. */
    Optional<SpeedFunction> speed();

    /** Steps per second by allocation; before the first measurement those of a typical job, if there is one. */
    default Optional<SpeedFunction> expectedSpeed() {
        return speed();
    }

    RemainingBelief remaining();

    /** Whether predictions are still poor. */
    boolean young();

    /**
     * The size to explore next, for the fit of the speed function; empty if no further size is needed.
     *
     * @param fits whether a size has room now
     */
    default Optional<Allocation> explorationSize(Predicate<Allocation> fits) {
        return Optional.empty();
    }

    /**
     * The size that is worth a trial; empty if no trial is expected to pay off.
     *
     * @param job the job as it runs now
     * @param fits whether a size has room now
     */
    default Optional<Allocation> trialSize(Running job, Predicate<Allocation> fits) {
        return Optional.empty();
    }

    /** The speed function that a policy gets. */
    default Optional<SpeedFunction> speed(LearningMode mode) {
        return mode == LearningMode.TRY_SIZES ? expectedSpeed() : speed();
    }

    /** The belief that a policy gets of the job. */
    default Belief belief(LearningMode mode, JobSituation now) {
        RemainingBelief remaining = remaining();
        // Before the first measurement an expected speed is not in seconds, so steps say nothing about time.
        boolean timed = mode != LearningMode.TRY_SIZES || speed().isPresent();
        return new Belief(
                speed(mode),
                timed ? remaining.steps() : OptionalDouble.empty(),
                remaining.trust(),
                young(),
                sizeToLearnFrom(mode, now));
    }

    private Optional<Allocation> sizeToLearnFrom(LearningMode mode, JobSituation now) {
        return switch (mode) {
            case EXPLORE_FIRST -> explorationSize(now.fits());
            case TRY_SIZES -> now.mayTry() ? trialSize(now.running(), now.fits()) : Optional.empty();
            case FIXED_SIZE -> Optional.empty();
        };
    }
}
