package io.optimus.model.belief;

import io.optimus.model.decision.Words;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.OptionalDouble;

/**
 * How long training still takes, as predicted: a figure, or, where what is known leaves too much open for one, a range.
 *
 * <p>Example: between 20 and 40 minutes with a median of 30 are {@code 30 min}; from 5 to 40 minutes is too wide for a figure,
 * and people read {@code 5 to 40 min}; {@code at least 5 min} where it may never end.
 *
 * @param seconds in the median, finite; empty where that would promise too much
 * @param fewestSeconds 0 or more
 * @param mostSeconds infinite where no end is sure
 */
public record RemainingTime(OptionalDouble seconds, double fewestSeconds, double mostSeconds) {
    /** Of a unit, fewer are said in the unit before: two minutes are 120 s, a second more is 2.02 min. */
    private static final double FEW = 2;

    /** No end is predicted to a hundredth. */
    private static final MathContext TWO_DIGITS = new MathContext(2);

    private enum Unit {
        SECONDS("s", 1),
        MINUTES("min", 60),
        HOURS("h", 3600),
        DAYS("d", 86_400);

        private final String name;
        private final double inSeconds;

        Unit(String name, double inSeconds) {
            this.name = name;
            this.inSeconds = inSeconds;
        }

        static Unit of(double seconds) {
            Unit largest = SECONDS;
            for (Unit unit : values()) {
                largest = seconds > FEW * unit.inSeconds ? unit : largest;
            }
            return largest;
        }

        String number(double seconds) {
            return Words.number(
                    new BigDecimal(seconds / inSeconds).round(TWO_DIGITS).doubleValue());
        }
    }

    /** For people: {@code 42 s}, {@code 5 to 40 min}, {@code at least 3 h}. */
    public String inWords() {
        if (seconds.isPresent()) {
            return one(seconds.getAsDouble());
        }
        if (mostSeconds == Double.POSITIVE_INFINITY) {
            return "at least " + one(fewestSeconds);
        }
        Unit few = Unit.of(fewestSeconds);
        boolean alike = few == Unit.of(mostSeconds);
        return (alike ? few.number(fewestSeconds) : one(fewestSeconds)) + " to " + one(mostSeconds);
    }

    private static String one(double seconds) {
        Unit unit = Unit.of(seconds);
        return unit.number(seconds) + " " + unit.name;
    }
}
