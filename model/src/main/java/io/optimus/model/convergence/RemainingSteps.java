package io.optimus.model.convergence;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** How many steps a job still has to do, as predicted. */
public sealed interface RemainingSteps {
    /**
     * How far to rely on the steps: 1 while the latest end is within twice the steps of the earliest, 0 from four times on, and
     * logarithmic in between. So a prediction that varies around a limit changes little.
     */
    double trust();

    /** The steps to plan with; empty if they are not predicted, or only vaguely. */
    OptionalDouble toOptional();

    /** Applies the function for its case. */
    <T> T match(Function<Predicted, T> predicted, Function<Unknown, T> unknown);

    /**
     * The end is predicted.
     *
     * @param steps from the current step to the end, 0 or more and finite; 0 only where the maximum of epochs is reached
     * @param fewest the fewest plausible steps, with the confidence of {@link
     *     io.optimus.model.curve.CurveFit.Fitted#plausible()}
     * @param most the most plausible steps; infinite if a plausible curve never ends training
     * @param endStep the step at which training ends
     * @param cause the rule that ends it; empty where the steps are those of its last run, and the fewest and most half and twice
     *     as many, as far as the losses allow it
     */
    record Predicted(double steps, double fewest, double most, double endStep, Optional<StopRule.Single> cause)
            implements RemainingSteps {
        /** At this ratio the job may be half or twice as long as predicted, so policies treat the end as unknown. */
        private static final double VAGUE = 4;

        /** Up to this ratio, a prediction counts as certain. */
        private static final double SURE = 2;

        /** The end by a rule. */
        public Predicted(double steps, double fewest, double most, double endStep, StopRule.Single cause) {
            this(steps, fewest, most, endStep, Optional.of(cause));
        }

        /** Whether the latest end is beyond {@value #VAGUE} times the steps of the earliest. */
        public boolean isVague() {
            return latest() > VAGUE * earliest();
        }

        @Override
        public double trust() {
            if (latest() <= SURE * earliest()) {
                return 1;
            }
            return isVague() ? 0 : Math.log(VAGUE * earliest() / latest()) / Math.log(VAGUE / SURE);
        }

        @Override
        public OptionalDouble toOptional() {
            return isVague() ? OptionalDouble.empty() : OptionalDouble.of(steps);
        }

        @Override
        public <T> T match(Function<Predicted, T> predicted, Function<Unknown, T> unknown) {
            return predicted.apply(this);
        }

        /** The same end, seen from {@code currentStep}, which is no earlier than the step of this prediction. */
        public Predicted at(double currentStep) {
            double done = Math.max(0, Math.min(steps, currentStep - (endStep - steps)));
            return done > 0
                    ? new Predicted(steps - done, Math.max(0, fewest - done), Math.max(0, most - done), endStep, cause)
                    : this;
        }

        private double earliest() {
            return endStep - steps + fewest;
        }

        private double latest() {
            return endStep - steps + most;
        }
    }

    /**
     * The end is not predicted: there is no curve to predict from, or it never ends training.
     *
     * @param reason why, in words
     * @param contradicted whether the losses speak against an end, rather than say nothing of it
     */
    record Unknown(String reason, boolean contradicted) implements RemainingSteps {
        /** An end of which the losses say nothing. */
        public Unknown(String reason) {
            this(reason, false);
        }

        @Override
        public double trust() {
            return 0;
        }

        @Override
        public OptionalDouble toOptional() {
            return OptionalDouble.empty();
        }

        @Override
        public <T> T match(Function<Predicted, T> predicted, Function<Unknown, T> unknown) {
            return unknown.apply(this);
        }
    }
}
