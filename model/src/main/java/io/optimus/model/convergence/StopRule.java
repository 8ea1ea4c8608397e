package io.optimus.model.convergence;

import java.util.List;

/**
 * When a job's training ends. The ApplicationMaster decides it from the epochs that it has seen; the scheduler predicts
 * it from the fitted loss curve: both through this one type.
 */
public sealed interface StopRule {
    /**
     * Converged: the decrease of the epoch's mean loss stays below a part of the largest loss seen, several epochs in a
     * row (Optimus, section 3.1).
     *
     * @param relativeDecrease the threshold, in (0, 1)
     * @param epochs how many epochs in a row, 1 or more
     */
    record LossPlateau(double relativeDecrease, int epochs) implements StopRule {}

    /** Converged: the epoch's mean loss is at or below {@code loss}. */
    record TargetLoss(double loss) implements StopRule {}

    /** Ends, converged or not, after {@code epochs} epochs. */
    record MaxEpochs(int epochs) implements StopRule {}

    /** Ends with the first of {@code rules} that holds; not empty. */
    record FirstOf(List<StopRule> rules) implements StopRule {
        /** Copies. */
        public FirstOf {
            rules = List.copyOf(rules);
        }
    }
}
