package io.optimus.model.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Maps values to positions along one side of a chart.
 *
 * @param least the value at {@code from}
 * @param most the value at {@code to}, above {@code least}
 * @param logarithmic whether equal ratios are equal distances; then {@code least} is above 0
 * @param from the position of the least value
 * @param to the position of the largest value
 */
record Axis(double least, double most, boolean logarithmic, double from, double to) {
    private static final double KILO = 1000;
    private static final double MEGA = 1e6;

    double place(double value) {
        double part = logarithmic ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
        return from + (to - from) * Math.max(0, Math.min(1, part));
    }

    List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        if (logarithmic) {
            double decade = Math.pow(10, Math.floor(Math.log10(least)));
            boolean wide = most / least > 2_000;
            for (; decade <= most; decade *= 10) {
                for (int digit : wide ? new int[] {1} : new int[] {1, 2, 5}) {
                    if (decade * digit >= least && decade * digit <= most) {
                        marks.add(decade * digit);
                    }
                }
            }
            return marks;
        }
        double step = roundStep((most - least) / 5);
        for (double mark = Math.ceil(least / step) * step; mark <= most * (1 + 1e-9); mark += step) {
            marks.add(mark);
        }
        return marks;
    }

    /** Returns the next 1, 2 or 5 times a power of ten. */
    private static double roundStep(double wanted) {
        double decade = Math.pow(10, Math.floor(Math.log10(wanted)));
        double digits = wanted / decade;
        return decade * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
    }

    static String words(double mark) {
        if (mark >= MEGA) {
            return String.format(Locale.ROOT, "%.3gM", mark / MEGA).replaceAll("\\.?0+M", "M");
        }
        if (mark >= 10 * KILO) {
            return String.format(Locale.ROOT, "%.0fk", mark / KILO);
        }
        return mark == Math.rint(mark)
                ? String.format(Locale.ROOT, "%,.0f", mark)
                : new BigDecimal(mark)
                        .round(new MathContext(2))
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
