package io.optimus.pages;

import io.optimus.model.Allocation;
import io.optimus.model.belief.RemainingTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalDouble;

/** Figures as people read them. */
public final class PageText {
    /** What stands for a figure that is not known. */
    public static final String UNKNOWN = "–";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final double MILLIS = 1000;
    private static final int FEW_MILLIS = 10_000;

    private PageText() {}

    public static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : UNKNOWN;
    }

    /** Four digits; {@link #UNKNOWN} for a value that is not finite. */
    public static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4g", value) : UNKNOWN;
    }

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    public static String allocation(Allocation size) {
        return size.isNone() ? "no task" : size.toString();
    }

    public static String millis(long millis) {
        return millis < FEW_MILLIS ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / MILLIS);
    }

    public static String seconds(double seconds) {
        return RemainingTime.words(seconds);
    }

    /** The time to the end with its range: {@code 30 min (20 to 40 min)}. */
    public static String remaining(RemainingTime time) {
        if (time.seconds().isEmpty()) {
            return time.inWords();
        }
        String range = new RemainingTime(OptionalDouble.empty(), time.fewestSeconds(), time.mostSeconds()).inWords();
        return time.fewestSeconds() == time.mostSeconds() ? time.inWords() : time.inWords() + " (" + range + ")";
    }

    /** The time, in UTC, which the script shows in the zone of the reader. */
    public static Html time(Html html, long sinceEpochMillis) {
        Instant time = Instant.ofEpochMilli(sinceEpochMillis);
        return html.element("time", TIME.format(time) + " UTC", "datetime", time.toString());
    }
}
