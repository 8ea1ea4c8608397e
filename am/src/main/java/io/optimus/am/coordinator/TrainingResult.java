package io.optimus.am.coordinator;

import io.optimus.am.engine.Evaluation;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How training ended.
 *
 * @param converged whether a convergence rule held; false when it ended by its maximum of epochs or was stopped
 * @param reason in words, with the figures that decided
 * @param steps steps done
 * @param epochs passes over the training samples, fractions included
 * @param finalLoss mean loss of the last full epoch, or of what there was; empty: no step was done
 * @param evaluation on held-out samples; empty when stopped early
 * @param model name of the saved model in the checkpoint store; empty when stopped early
 */
public record TrainingResult(
        boolean converged,
        String reason,
        long steps,
        double epochs,
        OptionalDouble finalLoss,
        Optional<Evaluation> evaluation,
        Optional<String> model) {}
