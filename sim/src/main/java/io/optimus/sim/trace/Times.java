package io.optimus.sim.trace;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.OptionalDouble;

/** Times as traces write them. */
public final class Times {
    private static final DateTimeFormatter DATE_AND_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private Times() {}

    /** Seconds, of a number or of {@code 2017-10-09 07:01:55} in whatever zone; empty where it is neither. */
    public static OptionalDouble seconds(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException noNumber) {
            return dateAndTime(text);
        }
    }

    private static OptionalDouble dateAndTime(String text) {
        try {
            String plain = text.replace('T', ' ');
            int end = Math.min(plain.length(), "2017-10-09 07:01:55".length());
            LocalDateTime time = LocalDateTime.parse(plain.substring(0, end), DATE_AND_TIME);
            return OptionalDouble.of((double) time.toEpochSecond(ZoneOffset.UTC));
        } catch (DateTimeParseException noTime) {
            return OptionalDouble.empty();
        }
    }
}
