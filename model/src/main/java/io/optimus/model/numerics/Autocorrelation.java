package io.optimus.model.numerics;

import java.util.Arrays;

/** The correlation of neighbouring residuals, and the number of independent ones with as much information. */
public final class Autocorrelation {
    /** With a larger correlation hardly any independent residual would be left. */
    private static final double MOST = 0.9;

    /** The length of a block: enough for a correlation, and so few that most blocks have no bend. */
    private static final int BLOCK = 16;

    private Autocorrelation() {}

    /** The correlation of neighbours, from 0 to {@value #MOST}. */
    public static double ofNeighbours(double[] residuals) {
        return bounded(ofNeighbours(residuals, 0));
    }

    /**
     * The number of independent residuals with as much information as {@code residuals}: n·(1 − r)/(1 + r), if neighbours are
     * correlated by r.
     */
    public static double independent(double[] residuals) {
        return independent(residuals.length, ofNeighbours(residuals));
    }

    /**
     * The same number, with r the median correlation of blocks without their trends: noise is correlated in every block, but a
     * bend is in one or two. Few points show too little correlation: m points show r − (1 + 4·r)/m (Kendall 1954).
     *
     * @param exact residuals with squares up to this are rounding, which has no correlation
     */
    public static double independentByBlocks(double[] residuals, double exact) {
        int blocks = Math.max(1, residuals.length / BLOCK);
        double[] correlations = new double[blocks];
        for (int i = 0; i < blocks; i++) {
            int from = i * residuals.length / blocks;
            int to = (i + 1) * residuals.length / blocks;
            double[] block = withoutTrend(Arrays.copyOfRange(residuals, from, to));
            double points = block.length;
            correlations[i] = (ofNeighbours(block, points * exact) + 1 / points) / (1 - 4 / points);
        }
        return independent(residuals.length, bounded(Medians.lower(correlations)));
    }

    private static double ofNeighbours(double[] residuals, double squaresOfRounding) {
        double squares = squaresOfRounding;
        double products = 0;
        for (int i = 0; i < residuals.length; i++) {
            squares += residuals[i] * residuals[i];
            products += i == 0 ? 0 : residuals[i] * residuals[i - 1];
        }
        return squares > 0 ? products / squares : 0;
    }

    private static double[] withoutTrend(double[] values) {
        double middle = (values.length - 1) / 2.0;
        double mean = Arrays.stream(values).average().orElse(0);
        double slope = 0;
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            slope += (i - middle) * values[i];
            squares += (i - middle) * (i - middle);
        }
        double[] rest = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            rest[i] = values[i] - mean - slope / squares * (i - middle);
        }
        return rest;
    }

    private static double bounded(double correlation) {
        return Math.max(0, Math.min(MOST, correlation));
    }

    private static double independent(int count, double correlation) {
        return count * (1 - correlation) / (1 + correlation);
    }
}
