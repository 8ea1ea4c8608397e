package io.optimus.model.convergence;

import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.LossPlateau;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides after an epoch whether training ends with it.
 *
 * <p>Example, plateau below 1 % for 2 epochs: the mean losses 2.0, 1.0, 0.99, 0.98 end it, since 0.01 and 0.01 are both
 * less than 1 % of 2.0. A loss that rises does not decrease, so that it counts as well; one that is not a finite number
 * breaks the row, and a row of no epochs is none.
 */
public final class StopDecision {
    private StopDecision() {}

    /**
     * Why training ends now, empty where it goes on. Where several rules hold, one that means convergence is named.
     *
     * @param rule the job's rule
     * @param epochMeanLosses mean loss of each epoch that ended, from the first on; may hold any numbers
     */
    public static Optional<StopReason> after(StopRule rule, List<Double> epochMeanLosses) {
        if (rule instanceof FirstOf first) {
            return first(first.rules(), epochMeanLosses);
        }
        if (rule instanceof LossPlateau plateau) {
            return plateau(plateau, epochMeanLosses);
        }
        if (rule instanceof TargetLoss target) {
            return target(target, epochMeanLosses);
        }
        return maximum((MaxEpochs) rule, epochMeanLosses);
    }

    private static Optional<StopReason> first(List<StopRule> rules, List<Double> losses) {
        Optional<StopReason> found = Optional.empty();
        for (StopRule rule : rules) {
            Optional<StopReason> reason = after(rule, losses);
            if (reason.isPresent()
                    && (found.isEmpty()
                            || (reason.get().converged() && !found.get().converged()))) {
                found = reason;
            }
        }
        return found;
    }

    private static Optional<StopReason> plateau(LossPlateau rule, List<Double> losses) {
        int n = losses.size();
        if (rule.epochs() < 1 || n <= rule.epochs()) {
            return Optional.empty();
        }
        double largest = largest(losses);
        if (quietEpochs(losses, rule.relativeDecrease() * largest, rule.epochs()) < rule.epochs()) {
            return Optional.empty();
        }
        return Optional.of(new StopReason(
                true,
                String.format(
                        Locale.ROOT,
                        "converged: the loss decreased by less than %.3g %% of %.4g in each of the last %d epochs, to %.4g"
                                + " in epoch %d",
                        100 * rule.relativeDecrease(),
                        largest,
                        rule.epochs(),
                        losses.get(n - 1),
                        n)));
    }

    /** How many of the last epochs in a row decreased by less than {@code threshold}, counted up to {@code most}. */
    static int quietEpochs(List<Double> epochMeanLosses, double threshold, int most) {
        int last = epochMeanLosses.size() - 1;
        int quiet = 0;
        while (quiet < Math.min(last, most)) {
            double decrease = epochMeanLosses.get(last - quiet - 1) - epochMeanLosses.get(last - quiet);
            // All losses zero: nothing decreases, though 0 is not below a threshold of 0.
            boolean below = decrease < threshold || (decrease == 0 && threshold == 0);
            if (!below || !Double.isFinite(decrease)) {
                break;
            }
            quiet++;
        }
        return quiet;
    }

    private static double largest(List<Double> losses) {
        return losses.stream()
                .mapToDouble(loss -> Math.abs(loss))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    private static Optional<StopReason> target(TargetLoss rule, List<Double> losses) {
        if (losses.isEmpty() || !(losses.get(losses.size() - 1) <= rule.loss())) {
            return Optional.empty();
        }
        return Optional.of(new StopReason(
                true,
                String.format(
                        Locale.ROOT,
                        "converged: the loss of %.4g in epoch %d is at or below the target of %.4g",
                        losses.get(losses.size() - 1),
                        losses.size(),
                        rule.loss())));
    }

    private static Optional<StopReason> maximum(MaxEpochs rule, List<Double> losses) {
        if (losses.size() < rule.epochs()) {
            return Optional.empty();
        }
        return Optional.of(
                new StopReason(false, "not converged: ended after the maximum of " + rule.epochs() + " epochs"));
    }
}
