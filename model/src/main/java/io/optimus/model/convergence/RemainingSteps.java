package io.optimus.model.convergence;

import java.util.OptionalDouble;

/** How many steps a job has before it, as predicted. */
public sealed interface RemainingSteps {
    /**
     * The end is in sight.
     *
     * @param steps from the current step to the end, 0 or more and finite; 0 only where the maximum of epochs is reached
     * @param fewest as many at least, with the confidence of {@link io.optimus.model.curve.CurveFit.Fitted#plausible()}
     * @param most as many at most; infinite where a plausible curve never gets there
     * @param endStep the step at which training ends
     * @param cause the single rule that ends it; never {@link StopRule.FirstOf}
     */
    record Predicted(double steps, double fewest, double most, double endStep, StopRule cause)
            implements RemainingSteps {
        /** The whole job may well be half or twice as long as predicted: no better than to go without. */
        private static final double VAGUE = 4;

        /** Up to here, a prediction is as good as certain. */
        private static final double SURE = 2;

        /** Whether the latest end is beyond {@value #VAGUE} times the steps of the earliest. */
        public boolean isVague() {
            return latest() > VAGUE * earliest();
        }

        private double believed() {
            if (latest() <= SURE * earliest()) {
                return 1;
            }
            return isVague() ? 0 : Math.log(VAGUE * earliest() / latest()) / Math.log(VAGUE / SURE);
        }

        private double earliest() {
            return endStep - steps + fewest;
        }

        private double latest() {
            return endStep - steps + most;
        }
    }

    /**
     * Nothing to predict from, or the curve never gets there.
     *
     * @param reason why, in words
     */
    record Unknown(String reason) implements RemainingSteps {}

    /**
     * How far to plan with them: wholly (1) while the latest end is within twice the steps of the earliest, not at all (0) from
     * four times on, in between by its logarithm. So a prediction that comes and goes about a limit changes little.
     */
    default double trust() {
        return this instanceof Predicted predicted ? predicted.believed() : 0;
    }

    /** The steps to plan with: where they are predicted, and not vaguely. */
    default OptionalDouble toOptional() {
        return this instanceof Predicted predicted && !predicted.isVague()
                ? OptionalDouble.of(predicted.steps())
                : OptionalDouble.empty();
    }
}
