package io.optimus.am.coordinator;

import io.optimus.am.engine.Evaluation;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The result of a training.
 *
 * @param converged whether a convergence rule held; false if training ended by its maximum of epochs or was stopped
 * @param reason why training ended, with the figures that decided
 * @param steps the number of steps done, as {@link CoordinatorStatus.Progress} counts them
 * @param epochs passes over the training samples, fractions included
 * @param finalLoss the mean loss of the last full epoch, or of all steps if none ended; empty if no step was done
 * @param evaluation the quality on held-out samples; empty if training was stopped early
 * @param model the name of the saved model in the checkpoint store; empty if training was stopped early
 */
public record TrainingResult(
        boolean converged,
        String reason,
        long steps,
        double epochs,
        OptionalDouble finalLoss,
        Optional<Evaluation> evaluation,
        Optional<String> model) {}
