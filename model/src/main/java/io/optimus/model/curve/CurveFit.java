package io.optimus.model.curve;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The outcome of fitting a loss curve. */
public sealed interface CurveFit {
    /** The curve to predict from, where there is one. */
    default Optional<LossCurve> fitted() {
        return Optional.empty();
    }

    /** Other curves that the losses do not rule out; empty if there is no curve to predict from. */
    default List<LossCurve> plausible() {
        return List.of();
    }

    /** Falls through the latest losses to each of several limits; empty where there is no such curve. */
    default List<WeightedCurve> latest() {
        return List.of();
    }

    /** Whether a prediction from it is still poor, as it is without a falling curve. */
    default boolean young() {
        return true;
    }

    /** Says why there is no curve, or how good it is, for the page and the log. */
    String inWords();

    /**
     * A curve was fitted; it is flat where the loss stays the same.
     *
     * @param curve the curve that the criterion chose
     * @param plausible the outermost curves of any family that the points do not rule out
     * @param latest falls through the latest losses to each of several limits, see {@link #latest()}
     * @param residual weighted root mean square of the residuals, as a part of the largest loss; 0 or more
     * @param points how many points it was fitted to, after averaging down
     * @param bend the step of the last bend that the losses show and the job did not announce; empty if there is none
     * @param young whether a prediction from it is still poor: there are few points, or none of them since the last bend
     */
    record Fitted(
            LossCurve curve,
            List<LossCurve> plausible,
            List<WeightedCurve> latest,
            double residual,
            int points,
            OptionalDouble bend,
            boolean young)
            implements CurveFit {
        public Fitted {
            plausible = List.copyOf(plausible);
            latest = List.copyOf(latest);
        }

        @Override
        public Optional<LossCurve> fitted() {
            return Optional.of(curve);
        }

        @Override
        public String inWords() {
            return String.format(
                    Locale.ROOT,
                    "%s fitted to %d points%s within %.2g %% of the largest loss%s",
                    curve.family(),
                    points,
                    bend.isPresent() ? " since the bend at step " + Math.round(bend.getAsDouble()) : "",
                    100 * residual,
                    young ? ", still poor" : "");
        }
    }

    /**
     * The training has lost its progress, so that no falling curve predicts it.
     *
     * @param level a flat curve at the present loss
     * @param inWords the figures as text
     */
    record Diverging(LossCurve level, String inWords) implements CurveFit {
        @Override
        public Optional<LossCurve> fitted() {
            return Optional.of(level);
        }
    }

    /**
     * There are too few points so far.
     *
     * @param seen points since the last bend
     * @param needed points that a fit needs
     */
    record NotYet(int seen, int needed) implements CurveFit {
        @Override
        public String inWords() {
            return seen + " of the " + needed + " loss points that a fit needs";
        }
    }

    /**
     * No curve can be fitted to the reported losses.
     *
     * @param inWords the reason, for the page and the log
     */
    record Impossible(String inWords) implements CurveFit {}
}
