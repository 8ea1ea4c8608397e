package io.optimus.model.convergence;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rule that ends a job's training. The ApplicationMaster applies it to the epochs that have ended; the scheduler predicts
 * from the fitted loss curve when it holds. Both use this one type.
 */
public sealed interface StopRule {
    /**
     * Why training ends after the last epoch; empty if it goes on.
     *
     * @param epochMeanLosses mean loss of each epoch that ended, from the first on; may hold any numbers
     */
    Optional<Stop> stop(List<Double> epochMeanLosses);

    /** The single rules that this one consists of, in their order. */
    Stream<Single> singles();

    /** The fewest epochs after which training ends in any case; empty if no rule sets a maximum. */
    default OptionalInt maxEpochs() {
        return singles()
                .map(rule -> rule.match(
                        plateau -> OptionalInt.empty(),
                        target -> OptionalInt.empty(),
                        maximum -> OptionalInt.of(maximum.epochs())))
                .flatMapToInt(OptionalInt::stream)
                .min();
    }

    /** A rule that does not consist of others. */
    sealed interface Single extends StopRule {
        /** Applies the function for its kind of rule. */
        <T> T match(Function<LossPlateau, T> plateau, Function<TargetLoss, T> target, Function<MaxEpochs, T> maximum);

        @Override
        default Stream<Single> singles() {
            return Stream.of(this);
        }
    }

    /**
     * Why training ends.
     *
     * @param converged false where only the maximum of epochs was reached
     * @param sentence the rule and the figures in words, for diagnostics and the log
     */
    record Stop(boolean converged, String sentence) {}

    /**
     * Training has converged when the decrease of the epoch's mean loss stays below a part of the largest loss seen, several
     * epochs in a row (Optimus, section 3.1).
     *
     * <p>Example, below 1 % for 2 epochs: the mean losses 2.0, 1.0, 0.99, 0.98 end training, since 0.01 and 0.01 are both less
     * than 1 % of 2.0. A loss that rises does not decrease, so that it counts as well. A loss that is not finite ends the run of
     * epochs.
     *
     * @param relativeDecrease the threshold, from {@link #LEAST_DECREASE} to below 1
     * @param epochs how many epochs in a row, 1 or more
     */
    record LossPlateau(double relativeDecrease, int epochs) implements Single {
        /** The losses of engines have less precision. Without a bound, a job could claim any number of epochs. */
        public static final double LEAST_DECREASE = 1e-9;

        @Override
        public Optional<Stop> stop(List<Double> epochMeanLosses) {
            int n = epochMeanLosses.size();
            if (epochs < 1 || n <= epochs) {
                return Optional.empty();
            }
            double largest = largest(epochMeanLosses);
            if (quietEpochs(epochMeanLosses, relativeDecrease * largest, epochs) < epochs) {
                return Optional.empty();
            }
            return Optional.of(new Stop(
                    true,
                    String.format(
                            Locale.ROOT,
                            "converged: the loss decreased by less than %.3g %% of %.4g in each of the last %d epochs, to %.4g"
                                    + " in epoch %d",
                            100 * relativeDecrease,
                            largest,
                            epochs,
                            epochMeanLosses.get(n - 1),
                            n)));
        }

        @Override
        public <T> T match(
                Function<LossPlateau, T> plateau, Function<TargetLoss, T> target, Function<MaxEpochs, T> maximum) {
            return plateau.apply(this);
        }

        /** How many of the last epochs in a row decreased by less than {@code threshold}, counted up to {@code most}. */
        static int quietEpochs(List<Double> epochMeanLosses, double threshold, int most) {
            int last = epochMeanLosses.size() - 1;
            int quiet = 0;
            while (quiet < Math.min(last, most)) {
                double decrease = epochMeanLosses.get(last - quiet - 1) - epochMeanLosses.get(last - quiet);
                // Where all losses are zero nothing decreases, though 0 is not below a threshold of 0.
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
    }

    /** Training has converged when the epoch's mean loss is at or below {@code loss}. */
    record TargetLoss(double loss) implements Single {
        @Override
        public Optional<Stop> stop(List<Double> epochMeanLosses) {
            int n = epochMeanLosses.size();
            if (n == 0 || !(epochMeanLosses.get(n - 1) <= loss)) {
                return Optional.empty();
            }
            return Optional.of(new Stop(
                    true,
                    String.format(
                            Locale.ROOT,
                            "converged: the loss of %.4g in epoch %d is at or below the target of %.4g",
                            epochMeanLosses.get(n - 1),
                            n,
                            loss)));
        }

        @Override
        public <T> T match(
                Function<LossPlateau, T> plateau, Function<TargetLoss, T> target, Function<MaxEpochs, T> maximum) {
            return target.apply(this);
        }
    }

    /**
     * Training ends, converged or not, after {@code epochs} epochs.
     *
     * @param ofProgram whether the owner's program decides how many, rather than the job file
     */
    record MaxEpochs(int epochs, boolean ofProgram) implements Single {
        /** The maximum of a job file. */
        public MaxEpochs(int epochs) {
            this(epochs, false);
        }

        @Override
        public Optional<Stop> stop(List<Double> epochMeanLosses) {
            if (epochMeanLosses.size() < epochs) {
                return Optional.empty();
            }
            return Optional.of(new Stop(
                    false,
                    ofProgram
                            ? "ended after all " + epochs + " epochs of the program"
                            : "not converged: ended after the maximum of " + epochs + " epochs"));
        }

        @Override
        public <T> T match(
                Function<LossPlateau, T> plateau, Function<TargetLoss, T> target, Function<MaxEpochs, T> maximum) {
            return maximum.apply(this);
        }
    }

    /**
     * Training ends with the first of several rules that holds; where several hold, one that means convergence is named.
     *
     * @param rules not empty
     */
    record FirstOf(List<StopRule> rules) implements StopRule {
        public FirstOf {
            rules = List.copyOf(rules);
        }

        @Override
        public Optional<Stop> stop(List<Double> epochMeanLosses) {
            Optional<Stop> found = Optional.empty();
            for (StopRule rule : rules) {
                Optional<Stop> stop = rule.stop(epochMeanLosses);
                if (stop.isPresent()
                        && (found.isEmpty()
                                || (stop.get().converged() && !found.get().converged()))) {
                    found = stop;
                }
            }
            return found;
        }

        @Override
        public Stream<Single> singles() {
            return rules.stream().flatMap(StopRule::singles);
        }
    }
}
