package io.optimus.model.curve;

/**
 * A fall to a given limit, amplitude · exp(−rate · x) + limit, through losses: Gauss-Newton steps of the rate, with the
 * amplitude by regression at each rate.
 */
final class LimitedFall {
    private static final int MOST_ITERATIONS = 12;

    /** The accuracy of a rate, as a part of it; noise leaves far more open. */
    private static final double ACCURACY = 1e-3;

    private static final double FIRST_RATE = 1;
    private static final double LEAST_RATE = 0.01;
    private static final double LARGEST_RATE = 100;

    private final double limit;
    private final double rate;
    private final double amplitude;
    private final double[] residuals;
    private final double squares;

    /** The best fall with this rate. */
    private LimitedFall(double[] x, double[] losses, double limit, double rate) {
        this.limit = limit;
        this.rate = rate;
        this.residuals = new double[x.length];
        double falls = 0;
        double products = 0;
        for (int i = 0; i < x.length; i++) {
            residuals[i] = Math.exp(-rate * x[i]);
            falls += residuals[i] * residuals[i];
            products += residuals[i] * (losses[i] - limit);
        }
        this.amplitude = Math.max(0, products / falls);
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            residuals[i] = losses[i] - limit - amplitude * residuals[i];
            sum += residuals[i] * residuals[i];
        }
        this.squares = sum;
    }

    /**
     * The best fall to {@code limit}.
     *
     * @param x rising from 0
     * @param losses one at each x
     */
    static LimitedFall through(double[] x, double[] losses, double limit) {
        LimitedFall best = new LimitedFall(x, losses, limit, FIRST_RATE);
        for (int i = 0; i < MOST_ITERATIONS; i++) {
            double next = Math.max(LEAST_RATE, Math.min(LARGEST_RATE, best.rate + best.change(x, losses)));
            LimitedFall tried = new LimitedFall(x, losses, limit, next);
            while (tried.squares > best.squares && Math.abs(next - best.rate) > ACCURACY * best.rate) {
                next = (next + best.rate) / 2;
                tried = new LimitedFall(x, losses, limit, next);
            }
            boolean settled = Math.abs(next - best.rate) <= ACCURACY * best.rate;
            best = tried.squares <= best.squares ? tried : best;
            if (settled) {
                break;
            }
        }
        return best;
    }

    /** The change of the rate that the residuals ask for, once the amplitude has taken its part. */
    private double change(double[] x, double[] losses) {
        double falls = 0;
        double slopes = 0;
        double both = 0;
        double missed = 0;
        for (int i = 0; i < x.length; i++) {
            double fall = losses[i] - limit - residuals[i];
            double slope = -x[i] * fall;
            falls += fall * fall;
            slopes += slope * slope;
            both += fall * slope;
            missed += slope * residuals[i];
        }
        double own = slopes - (falls > 0 ? both * both / falls : 0);
        return own > 0 ? missed / own : 0;
    }

    double limit() {
        return limit;
    }

    double rate() {
        return rate;
    }

    double amplitude() {
        return amplitude;
    }

    /** What the losses are above the fall. */
    double[] residuals() {
        return residuals.clone();
    }

    double squares() {
        return squares;
    }
}
