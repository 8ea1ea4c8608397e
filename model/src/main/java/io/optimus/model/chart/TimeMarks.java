package io.optimus.model.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Marks of an axis of time, at round numbers of the units that people count time in. */
final class TimeMarks {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;
    private static final int MOST_MARKS = 7;

    /** More days are counted in decimal steps. */
    private static final double[] STEPS = {
        1,
        2,
        5,
        10,
        15,
        30,
        MINUTE,
        2 * MINUTE,
        5 * MINUTE,
        10 * MINUTE,
        15 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        3 * HOUR,
        6 * HOUR,
        12 * HOUR,
        DAY,
        2 * DAY,
        5 * DAY
    };

    /** On a logarithmic axis; each is two to three times the one before. */
    private static final double[] FINE = {
        1,
        2,
        5,
        10,
        20,
        30,
        MINUTE,
        2 * MINUTE,
        5 * MINUTE,
        10 * MINUTE,
        20 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        5 * HOUR,
        12 * HOUR,
        DAY,
        2 * DAY,
        5 * DAY,
        10 * DAY,
        20 * DAY,
        50 * DAY,
        100 * DAY,
        200 * DAY,
        500 * DAY
    };

    /** On a logarithmic axis that spans more. */
    private static final double[] COARSE = {
        1, 10, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 10 * DAY, 100 * DAY, 1000 * DAY
    };

    private TimeMarks() {}

    /** Returns at most about {@value #MOST_MARKS} marks at equal distances, from {@code least} to {@code most} seconds. */
    static List<Double> linear(double least, double most) {
        double step = step((most - least) / MOST_MARKS);
        List<Double> marks = new ArrayList<>();
        for (double mark = Math.ceil(least / step) * step; mark <= most; mark += step) {
            marks.add(mark);
        }
        return marks;
    }

    private static double step(double least) {
        for (double step : STEPS) {
            if (step >= least) {
                return step;
            }
        }
        double step = 10 * DAY;
        while (step < least) {
            step *= 2;
        }
        return step;
    }

    /** Returns marks at about equal ratios, from {@code least} to {@code most} seconds. */
    static List<Double> logarithmic(double least, double most) {
        List<Double> fine = within(FINE, least, most);
        return fine.size() <= MOST_MARKS + 1 ? fine : within(COARSE, least, most);
    }

    private static List<Double> within(double[] all, double least, double most) {
        List<Double> marks = new ArrayList<>();
        for (double mark : all) {
            if (mark >= least && mark <= most) {
                marks.add(mark);
            }
        }
        return marks;
    }

    /** Writes a time in the largest unit of which it is a multiple: 90 min, 2 h, 3 d. */
    static String words(double seconds) {
        if (seconds == 0) {
            return "0";
        }
        for (Unit unit : Unit.values()) {
            if (seconds % unit.seconds == 0) {
                return String.format(Locale.ROOT, "%.0f %s", seconds / unit.seconds, unit.symbol);
            }
        }
        return String.format(Locale.ROOT, "%.3g s", seconds);
    }

    private enum Unit {
        DAYS("d", DAY),
        HOURS("h", HOUR),
        MINUTES("min", MINUTE),
        SECONDS("s", 1);

        private final String symbol;
        private final double seconds;

        Unit(String symbol, double seconds) {
            this.symbol = symbol;
            this.seconds = seconds;
        }
    }
}
