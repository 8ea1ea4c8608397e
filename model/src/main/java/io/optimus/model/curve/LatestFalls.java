package io.optimus.model.curve;

import io.optimus.model.curve.LossCurve.AcceleratedDecay;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.curve.LossCurve.PowerLaw;
import io.optimus.model.losses.Preprocessing;
import io.optimus.model.numerics.Autocorrelation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Falls through the latest losses of a curve, to each of several limits, with their likelihoods.
 *
 * <p>The loss of a network is a sum of many decays, of which the fast ones end first: it keeps falling below the limit of any
 * curve that fits all of it. Losses that have not levelled off do not tell their limit. So limits are given here, not fitted.
 * The caller knows how likely each limit is before any loss is seen, for example because an owner believes a target to be within
 * reach. To each limit a few forms are fitted: powers with several shifts, an exponential, and a fall that first gets faster, as on
 * the way from a plateau:
 *
 * <pre>l(k) = amplitude · (k + shift)^(−rate) + limit,  amplitude · exp(−rate·k) + limit,  or  amplitude · exp(−rate·k²) + limit</pre>
 *
 * <p>Only the latest part of the steps counts, because rates change slowly. Example: losses fall from 0.42 to 0.24 while the
 * steps double from 180 to 360. As a power without a limit the rate is ln(0.42/0.24)/ln 2 = 0.81, and 0.12 is reached at step
 * 850; with a limit of 0.06 the rate is 1.0 and that step is 1,080.
 *
 * <p>The losses of small batches are skewed: a few are far above the others. An end comes with the mean of an epoch, to which they
 * belong, so only single losses far off both neighbours are taken out ({@link
 * LocalNoise#withoutSpikesOfSkewedNoise}), not all outliers.
 *
 * <p>The likelihood of a curve relative to the best is (squares of the best / squares)^(f/2), f the independent residuals less
 * the two numbers that are fitted.
 */
final class LatestFalls {
    /** The part of the steps that counts; parts of 0.5 to 0.6 predict about as well. */
    private static final double LATEST = 0.55;

    /** More points say no more about two numbers. */
    private static final int MOST_POINTS = 64;

    /** Twice as many points as numbers that are fitted, and as many again for the noise. */
    private static final int FEWEST_POINTS = 6;

    /** The limits, as parts of the loss at the end; denser below, because a target may be a small part of that loss. */
    private static final double[] LIMITS = {0, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96
    };

    /** The numbers that are fitted: amplitude and rate. */
    private static final int FITTED = 2;

    /** Of losses without noise, as a part of them. */
    private static final double ROUNDING = 1e-8;

    /**
     * Powers are likelier the less their shift, as measured on trainings. More weight for accelerated falls predicts young networks
     * better, and makes the ends of noisy powers too early.
     */
    private static final List<Form> FORMS = List.of(
            new Power(1, 0), new Power(0.5, 0.5), new Power(0.25, 2), new Exponential(0.3), new Accelerated(0.15));

    /** Steps since the beginning of the curve. */
    private final double[] steps;

    private final double[] losses;
    private final double origin;
    private final double end;

    /** How a loss falls. Steps are counted from the curve's beginning, and {@code first} is where the latest part begins. */
    private sealed interface Form {
        /** How often losses fall so, in units of how often they fall as a power without a shift. */
        double prior();

        /** What the logarithm of a fall is proportional to. */
        double at(double steps, double first);

        LossCurve curve(double amplitude, double rate, double limit, double first, double origin);
    }

    /**
     * A power of the steps. An inverse decay that began flat is one with a shift.
     *
     * @param shift what is added to the steps, in units of {@code first}
     */
    private record Power(double prior, double shift) implements Form {
        @Override
        public double at(double steps, double first) {
            return Math.log((steps / first + shift) / (1 + shift));
        }

        @Override
        public LossCurve curve(double amplitude, double rate, double limit, double first, double origin) {
            return new PowerLaw(amplitude, 1 / (first * (1 + shift)), rate, limit, origin + first);
        }
    }

    private record Exponential(double prior) implements Form {
        @Override
        public double at(double steps, double first) {
            return (steps - first) / first;
        }

        @Override
        public LossCurve curve(double amplitude, double rate, double limit, double first, double origin) {
            return new ExponentialDecay(amplitude, rate / first, limit, origin + first);
        }
    }

    /** A fall that gets faster before it slows down. */
    private record Accelerated(double prior) implements Form {
        @Override
        public double at(double steps, double first) {
            return steps / first * (steps / first) - 1;
        }

        @Override
        public LossCurve curve(double amplitude, double rate, double limit, double first, double origin) {
            return new AcceleratedDecay(amplitude, rate, limit, origin, origin + first);
        }
    }

    /** A fall of one form. */
    private record OfForm(Form form, LimitedFall fall) {}

    private LatestFalls(double origin, double[] steps, double[] losses) {
        this.origin = origin;
        this.steps = Arrays.stream(steps).map(step -> step - origin).toArray();
        this.losses = losses;
        this.end = Arrays.stream(losses, losses.length - losses.length / 3, losses.length)
                .average()
                .orElseThrow();
    }

    /**
     * The falls through the latest losses; none where these are too few or not above 0.
     *
     * @param steps rising, two or more
     * @param losses finite, without spikes
     */
    static List<WeightedCurve> through(double[] steps, double[] losses) {
        int n = steps.length;
        // The first loss is a mean of the steps before it.
        double origin = steps[0] - (steps[1] - steps[0]);
        double since = origin + (1 - LATEST) * (steps[n - 1] - origin);
        int from = 0;
        while (from < n - FEWEST_POINTS && steps[from] < since) {
            from++;
        }
        if (n - from < FEWEST_POINTS || Arrays.stream(losses, from, n).anyMatch(loss -> !(loss > 0))) {
            return List.of();
        }
        return new LatestFalls(
                        origin,
                        Preprocessing.averagedDown(Arrays.copyOfRange(steps, from, n), MOST_POINTS),
                        Preprocessing.averagedDown(Arrays.copyOfRange(losses, from, n), MOST_POINTS))
                .weighted();
    }

    private List<WeightedCurve> weighted() {
        List<OfForm> all = new ArrayList<>();
        for (Form form : FORMS) {
            double[] x =
                    Arrays.stream(steps).map(step -> form.at(step, steps[0])).toArray();
            for (double part : LIMITS) {
                all.add(new OfForm(form, LimitedFall.through(x, losses, part * end)));
            }
        }
        LimitedFall best = all.stream()
                .map(OfForm::fall)
                .min(Comparator.comparingDouble(LimitedFall::squares))
                .orElseThrow();
        double freedom = Math.max(1, Autocorrelation.independent(best.residuals()) - FITTED);
        double floor = losses.length * Math.pow(ROUNDING * end, 2);
        return all.stream()
                .map(each -> new WeightedCurve(
                        curve(each),
                        each.form().prior()
                                * Math.pow(
                                        (best.squares() + floor) / (each.fall().squares() + floor), freedom / 2)))
                .toList();
    }

    private LossCurve curve(OfForm each) {
        LimitedFall fall = each.fall();
        return each.form().curve(fall.amplitude(), fall.rate(), fall.limit(), steps[0], origin);
    }
}
