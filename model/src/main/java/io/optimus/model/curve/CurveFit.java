package io.optimus.model.curve;

import java.util.Locale;
import java.util.Optional;

/** What came of fitting a loss curve. */
public sealed interface CurveFit {
    /**
     * A curve was fitted. A loss that rises or stays gives a flat one.
     *
     * @param curve the curve
     * @param residual root of the weighted mean square of what the curve misses, as a part of the largest loss; 0 or more
     * @param points how many points it was fitted to, after averaging down
     * @param young whether a prediction from it is still poor: few points, or none of them since the last bend
     */
    record Fitted(LossCurve curve, double residual, int points, boolean young) implements CurveFit {}

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

    /** The curve, where there is one. */
    default Optional<LossCurve> fitted() {
        return this instanceof Fitted fit ? Optional.of(fit.curve()) : Optional.empty();
    }

    /** For people: why there is no curve, or how good it is. */
    default String inWords() {
        if (this instanceof Fitted fit) {
            return String.format(
                    Locale.ROOT,
                    "fitted to %d points within %.2g %% of the largest loss%s",
                    fit.points(),
                    100 * fit.residual(),
                    fit.young() ? ", still poor" : "");
        }
        if (this instanceof NotYet wait) {
            return wait.seen() + " of the " + wait.needed() + " loss points that a fit needs";
        }
        return ((Impossible) this).reason();
    }
}
