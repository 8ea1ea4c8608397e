package io.optimus.sim.input;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.OptionalDouble;

/** Parses the times of traces. */
public final class TraceTimes {
    private static final DateTimeFormatter DATE_AND_TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendPattern("[ ]['T']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalEnd()
            .appendPattern("[ ][XXX][z]")
            .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
            .toFormatter(Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
    private static final double MOST_SECONDS = 1e11;

    private static final double MILLIS = 1000;
    private static final double NANOS = 1e9;

    private TraceTimes() {}

    /**
     * Returns seconds from a number of seconds, a number of milliseconds since 1970, or a date and time such as {@code
     * 2017-10-09 07:01:55}, {@code 2017-10-09T07:01:55.5+08:00} or {@code 2017-10-09}. Times without a zone are UTC.
     * Returns empty for any other text.
     */
    public static OptionalDouble seconds(String text) {
        try {
            double number = Double.parseDouble(text);
            if (!Double.isFinite(number)) {
                return OptionalDouble.empty();
            }
            return OptionalDouble.of(number > MOST_SECONDS ? number / MILLIS : number);
        } catch (NumberFormatException noNumber) {
            return dateAndTime(text);
        }
    }

    private static OptionalDouble dateAndTime(String text) {
        try {
            Instant time = DATE_AND_TIME.parse(text, Instant::from);
            return OptionalDouble.of(time.getEpochSecond() + time.getNano() / NANOS);
        } catch (DateTimeParseException noTime) {
            return OptionalDouble.empty();
        }
    }
}
