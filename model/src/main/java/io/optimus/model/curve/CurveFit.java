package io.optimus.model.curve;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What came of fitting a loss curve. */
public sealed interface CurveFit {
    /**
     * A curve was fitted. A loss that stays gives a flat one.
     *
     * @param curve the curve that the criterion chose
     * @param plausible other curves, of any family, that the points do not rule out: the edges of what they leave open
     * @param residual root of the weighted mean square of what the curve misses, as a part of the largest loss; 0 or more
     * @param points how many points it was fitted to, after averaging down
     * @param bend the step of the last bend that was found in the losses, not announced; empty where none was
     * @param young whether a prediction from it is still poor: few points, or none of them since the last bend
     */
    record Fitted(
            LossCurve curve, List<LossCurve> plausible, double residual, int points, OptionalDouble bend, boolean young)
            implements CurveFit {
        /** Copies. */
        public Fitted {
            plausible = List.copyOf(plausible);
        }
    }

    /**
     * The training has lost what it had gained: no falling curve says where it goes.
     *
     * @param level a flat curve where the loss is now
     * @param reason the figures, in words
     */
    record Diverging(LossCurve level, String reason) implements CurveFit {}

    /**
     * Too few points so far.
     *
     * @param seen points since the last bend
     * @param needed points that a fit wants
     */
    record NotYet(int seen, int needed) implements CurveFit {}

    /**
     * These points have no such curve.
     *
     * @param reason why, in words, for the page and the log
     */
    record Impossible(String reason) implements CurveFit {}

    /** The curve to predict from, where there is one. */
    default Optional<LossCurve> fitted() {
        if (this instanceof Fitted fit) {
            return Optional.of(fit.curve());
        }
        return this instanceof Diverging diverging ? Optional.of(diverging.level()) : Optional.empty();
    }

    /** Other curves that it may be as well; empty where there is none to predict from. */
    default List<LossCurve> plausible() {
        return this instanceof Fitted fit ? fit.plausible : List.of();
    }

    /** For people: why there is no curve, or how good it is. */
    default String inWords() {
        if (this instanceof Fitted fit) {
            return String.format(
                    Locale.ROOT,
                    "%s fitted to %d points%s within %.2g %% of the largest loss%s",
                    fit.curve().family(),
                    fit.points(),
                    fit.bend().isPresent()
                            ? " since the bend at step " + Math.round(fit.bend().getAsDouble())
                            : "",
                    100 * fit.residual(),
                    fit.young() ? ", still poor" : "");
        }
        if (this instanceof NotYet wait) {
            return wait.seen() + " of the " + wait.needed() + " loss points that a fit needs";
        }
        if (this instanceof Diverging diverging) {
            return diverging.reason();
        }
        return ((Impossible) this).reason();
    }
}
