package io.optimus.model.belief;

import io.optimus.model.decision.Words;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.OptionalDouble;

/**
 * The predicted time to the end of training: a figure, or a range where the prediction is too uncertain for a figure.
 *
 * <p>Example: 20 to 40 minutes with a median of 30 are shown as {@code 30 min}. A range from 5 to 40 minutes is too wide for a
 * figure and is shown as {@code 5 to 40 min}; where training may never end, as {@code at least 5 min}.
 *
 * @param seconds the median, finite; empty if the range is too wide for a figure
 * @param fewestSeconds the shortest plausible time, 0 or more
 * @param mostSeconds the longest plausible time; infinite if training may never end
 */
public record RemainingTime(OptionalDouble seconds, double fewestSeconds, double mostSeconds) {
    /** Up to this many of a unit are shown in the next smaller unit: two minutes as 120 s. */
    private static final double FEW = 2;

    /** Predictions are not precise enough for more digits. */
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

    /** The same time multiplied by {@code factor}, above 0. */
    RemainingTime times(double factor) {
        return new RemainingTime(
                seconds.isPresent() ? OptionalDouble.of(seconds.getAsDouble() * factor) : seconds,
                fewestSeconds * factor,
                mostSeconds * factor);
    }

    /** The text that users read: {@code 42 s}, {@code 5 to 40 min}, {@code at least 3 h}. */
    public String inWords() {
        if (seconds.isPresent()) {
            return words(seconds.getAsDouble());
        }
        if (mostSeconds == Double.POSITIVE_INFINITY) {
            return "at least " + words(fewestSeconds);
        }
        Unit few = Unit.of(fewestSeconds);
        boolean alike = few == Unit.of(mostSeconds);
        return (alike ? few.number(fewestSeconds) : words(fewestSeconds)) + " to " + words(mostSeconds);
    }

    /** The words for a time that is known: {@code 42 s}, {@code 3 h}. */
    public static String words(double seconds) {
        Unit unit = Unit.of(seconds);
        return unit.number(seconds) + " " + unit.name;
    }
}
