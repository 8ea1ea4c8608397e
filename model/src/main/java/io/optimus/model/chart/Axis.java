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
 * @param scale what it measures; on a logarithmic one {@code least} is above 0
 * @param from the position of the least value
 * @param to the position of the largest value
 */
record Axis(double least, double most, HorizontalScale scale, double from, double to) {
    private static final double KILO = 1000;
    private static final double MEGA = 1e6;

    double place(double value) {
        double part = scale.isLogarithmic()
                ? Math.log(value / least) / Math.log(most / least)
                : (value - least) / (most - least);
        return from + (to - from) * Math.max(0, Math.min(1, part));
    }

    List<Double> marks() {
        return switch (scale) {
            case LINEAR -> numbers();
            case TIME -> TimeMarks.linear(least, most);
            case LOGARITHMIC_TIME -> TimeMarks.logarithmic(least, most);
        };
    }

    private List<Double> numbers() {
        List<Double> marks = new ArrayList<>();
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

    String words(double mark) {
        return scale.isTime() ? TimeMarks.words(mark) : number(mark);
    }

    private static String number(double mark) {
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
