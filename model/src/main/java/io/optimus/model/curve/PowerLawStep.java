package io.optimus.model.curve;

/**
 * The step from a power law to one that misses the points less, in the logarithms of its rate and exponent, by the method of
 * Gauss and Newton, damped as Marquardt does. Amplitude and limit follow as the regression has them (variable projection,
 * Kaufman 1975).
 *
 * <p>With base b = 1 + rate·step and fall f = b^−exponent, the curve changes by −amplitude·exponent·f·(1 − 1/b) per unit of
 * ln rate, and by −amplitude·exponent·f·ln b per unit of ln exponent. What amplitude and limit can do themselves is taken out
 * of both; a limit of 0 stays there.
 */
final class PowerLawStep {
    private static final int RATE = 0;
    private static final int EXPONENT = 1;
    private static final int FALL = 2;
    private static final int MISSED = 3;
    private static final int COLUMNS = 4;

    private final double[] means = new double[COLUMNS];

    /** Means of the products of two columns, the later one first. */
    private final double[][] products = new double[COLUMNS][COLUMNS];

    /** From {@code law}, whose shape is a power. */
    PowerLawStep(CurvePoints points, CandidateCurve law) {
        double exponent = ((Shape.Power) law.shape()).exponent();
        double[] row = new double[COLUMNS];
        for (int i = 0; i < points.size(); i++) {
            double base = 1 + law.rate() * points.step(i);
            double log = Math.log(base);
            double fall = Math.exp(-exponent * log);
            double change = -law.amplitude() * exponent * fall;
            row[RATE] = change * (1 - 1 / base);
            row[EXPONENT] = change * log;
            row[FALL] = fall;
            row[MISSED] = points.loss(i) - law.amplitude() * fall - law.limit();
            add(row, points.weight(i));
        }
        if (law.limit() > 0) {
            takeOutLimit();
        }
        takeOutAmplitude();
    }

    private void add(double[] row, double weight) {
        for (int i = 0; i < COLUMNS; i++) {
            means[i] += weight * row[i];
            for (int j = 0; j <= i; j++) {
                products[i][j] += weight * row[i] * row[j];
            }
        }
    }

    private void takeOutLimit() {
        for (int i = 0; i < COLUMNS; i++) {
            for (int j = 0; j <= i; j++) {
                products[i][j] -= means[i] * means[j];
            }
        }
    }

    private void takeOutAmplitude() {
        double rate = products[FALL][RATE] / products[FALL][FALL];
        double exponent = products[FALL][EXPONENT] / products[FALL][FALL];
        products[RATE][RATE] -= rate * products[FALL][RATE];
        products[EXPONENT][RATE] -= rate * products[FALL][EXPONENT];
        products[EXPONENT][EXPONENT] -= exponent * products[FALL][EXPONENT];
        products[MISSED][RATE] -= rate * products[MISSED][FALL];
        products[MISSED][EXPONENT] -= exponent * products[MISSED][FALL];
    }

    /** What to add to ln rate; no number where the points do not tell it from the exponent. */
    double ofRate(double damping) {
        return solved(RATE, EXPONENT, damping);
    }

    /** What to add to ln exponent; no number where the points do not tell it from the rate. */
    double ofExponent(double damping) {
        return solved(EXPONENT, RATE, damping);
    }

    /** Cramer's rule. */
    private double solved(int column, int other, double damping) {
        double both = products[EXPONENT][RATE];
        double damped = 1 + damping;
        double determinant = products[RATE][RATE] * damped * products[EXPONENT][EXPONENT] * damped - both * both;
        return (products[other][other] * damped * products[MISSED][column] - both * products[MISSED][other])
                / determinant;
    }
}
