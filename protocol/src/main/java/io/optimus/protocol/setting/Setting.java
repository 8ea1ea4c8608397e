package io.optimus.protocol.setting;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * One configuration key: its name, its default, its range, and how its value is read. {@link SettingsReader} reads
 * settings and collects their problems.
 *
 * @param <T> type of the value
 */
public final class Setting<T> {
    private final String key;
    private final String defaultText;
    private final String kind;
    private final String range;
    private final Function<String, T> parser;

    private Setting(String key, String defaultText, String kind, String range, Function<String, T> parser) {
        this.key = key;
        this.defaultText = defaultText;
        this.kind = kind;
        this.range = range;
        this.parser = parser;
    }

    /**
     * A key whose values {@code parser} reads.
     *
     * @param key the key
     * @param defaultText the default as an administrator would write it
     * @param range the allowed values, in words
     * @param parser returns the value of a text without surrounding blanks; throws {@link IllegalArgumentException} for
     *     any other text
     */
    public static <T> Setting<T> of(String key, String defaultText, String range, Function<String, T> parser) {
        return new Setting<>(key, defaultText, "", range, parser);
    }

    /**
     * A length of time in milliseconds, written with its unit as in {@code 500ms}, {@code 60s}, {@code 10m} or {@code
     * 24h}. A bare number is seconds.
     */
    public static Setting<Long> time(String key, String defaultText, String least, String most) {
        return new Setting<>(
                key,
                defaultText,
                "a time with its unit (ms, s, m, h), ",
                least + " to " + most,
                text -> within(millis(text), millis(least), millis(most)));
    }

    public static Setting<Integer> count(String key, int defaultCount, int least, int most) {
        return new Setting<>(
                key,
                Integer.toString(defaultCount),
                "a whole number, ",
                least + " to " + most,
                text -> within(Integer.parseInt(text), least, most));
    }

    /** One of several words; upper and lower case are the same. */
    public static Setting<String> word(String key, String defaultWord, List<String> words) {
        return new Setting<>(key, defaultWord, "one of ", String.join(", ", words), text -> {
            String word = text.toLowerCase(Locale.ROOT);
            if (!words.contains(word)) {
                throw new IllegalArgumentException(text);
            }
            return word;
        });
    }

    /** A constant of an enumeration, written in lower case. */
    public static <E extends Enum<E>> Setting<E> constant(String key, E defaultConstant, Class<E> type) {
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
        return new Setting<>(
                key,
                defaultConstant.name().toLowerCase(Locale.ROOT),
                "one of ",
                String.join(", ", words),
                text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
    }

    /** Numbers by name, such as {@code a100=2.5,v100=1}; {@code defaultWord} stands for no numbers. */
    public static Setting<SortedMap<String, Double>> factors(
            String key, String defaultWord, double least, double most) {
        return of(
                key,
                defaultWord,
                defaultWord + ", or NAME=NUMBER with commas between them, numbers from " + plain(least) + " to "
                        + plain(most),
                text -> text.equals(defaultWord) ? new TreeMap<>() : factors(text, least, most));
    }

    /** Any text, such as a path; empty if the key is not set. */
    public static Setting<Optional<String>> text(String key, String range) {
        return of(key, "", range, text -> text.isEmpty() ? Optional.empty() : Optional.of(text));
    }

    public String key() {
        return key;
    }

    /** The default as an administrator would write it. */
    public String defaultText() {
        return defaultText;
    }

    /** The range in words. */
    public String range() {
        return range;
    }

    public T defaultValue() {
        return parser.apply(defaultText);
    }

    /**
     * Returns the value in {@code configuration}, or the default if the key is not set.
     *
     * @throws InvalidSettingsException if the value is outside the range
     */
    public T in(Configuration configuration) {
        SettingsReader reader = new SettingsReader(configuration);
        T value = reader.read(this);
        reader.throwIfInvalid();
        return value;
    }

    /** Throws {@link IllegalArgumentException}, with a sentence for the administrator, if {@code text} is out of range. */
    T parse(String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            String remedy = defaultText.isEmpty() ? "or remove it" : "or remove it for the default " + defaultText;
            throw new IllegalArgumentException(
                    key + "=" + text + " is not " + kind + range + ". Remedy: set it so, " + remedy + ".", e);
        }
    }

    private static <N extends Comparable<N>> N within(N value, N least, N most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(value + " is not " + least + " to " + most);
        }
        return value;
    }

    private static long millis(String text) {
        Configuration reader = new Configuration(false);
        reader.set("time", text);
        return reader.getTimeDuration("time", 0L, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
    }

    private static SortedMap<String, Double> factors(String text, double least, double most) {
        SortedMap<String, Double> factors = new TreeMap<>();
        for (String entry : text.split(",", -1)) {
            String[] parts = entry.split("=", -1);
            if (parts.length != 2 || parts[0].isBlank()) {
                throw new IllegalArgumentException(entry);
            }
            double factor = within(Double.parseDouble(parts[1].strip()), least, most);
            if (factors.put(parts[0].strip(), factor) != null) {
                throw new IllegalArgumentException(parts[0] + " is named twice");
            }
        }
        return factors;
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
