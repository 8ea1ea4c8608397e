package io.optimus.protocol.setting;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** One key: its name, default and range, and how its value is read. */
public sealed interface Setting<T> {
    /** The key. */
    String key();

    /** The default as one would write it. */
    String standard();

    /** The range in words. */
    String range();

    /** The value; on a value that is none, adds the problem and gives the default. */
    T read(Configuration configuration, List<String> problems);

    /** A length of time, such as {@code 60s} or {@code 500ms}; a bare number is seconds. */
    public record Time(String key, String standard, String least, String most) implements Setting<Long> {
        @Override
        public String range() {
            return least + " to " + most;
        }

        @Override
        public Long read(Configuration configuration, List<String> problems) {
            String value = configuration.getTrimmed(key, standard);
            try {
                long millis = millis(value);
                if (millis >= millis(least) && millis <= millis(most)) {
                    return millis;
                }
            } catch (IllegalArgumentException e) {
                // Reported below, with what would be right.
            }
            problems.add(complaint(this, value, "a time with its unit (ms, s, m, h), " + range()));
            return millis(standard);
        }

        private static long millis(String value) {
            Configuration reader = new Configuration(false);
            reader.set("time", value);
            return reader.getTimeDuration("time", 0L, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
        }
    }

    /** A whole number. */
    public record Count(String key, int normal, int least, int most) implements Setting<Integer> {
        @Override
        public String standard() {
            return Integer.toString(normal);
        }

        @Override
        public String range() {
            return least + " to " + most;
        }

        @Override
        public Integer read(Configuration configuration, List<String> problems) {
            String value = configuration.getTrimmed(key, standard());
            try {
                int count = Integer.parseInt(value);
                if (count >= least && count <= most) {
                    return count;
                }
            } catch (NumberFormatException e) {
                // Reported below, with what would be right.
            }
            problems.add(complaint(this, value, "a whole number, " + range()));
            return normal;
        }
    }

    /** One of several words. */
    public record Word(String key, String standard, List<String> words) implements Setting<String> {
        /** Copies. */
        public Word {
            words = List.copyOf(words);
        }

        @Override
        public String range() {
            return String.join(", ", words);
        }

        @Override
        public String read(Configuration configuration, List<String> problems) {
            String value = configuration.getTrimmed(key, standard).toLowerCase(Locale.ROOT);
            if (words.contains(value)) {
                return value;
            }
            problems.add(complaint(this, value, "one of " + range()));
            return standard;
        }
    }

    /** Numbers by name, such as {@code a100=2.5,v100=1}. */
    public record Factors(String key, String standard, double least, double most)
            implements Setting<SortedMap<String, Double>> {
        @Override
        public String range() {
            return standard + ", or NAME=NUMBER with commas between them, numbers from " + plain(least) + " to "
                    + plain(most);
        }

        private static String plain(double number) {
            return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
        }

        @Override
        public SortedMap<String, Double> read(Configuration configuration, List<String> problems) {
            TreeMap<String, Double> factors = new TreeMap<>();
            String value = configuration.getTrimmed(key, standard);
            for (String entry : value.equals(standard) ? List.<String>of() : List.of(value.split(",", -1))) {
                if (!add(entry, factors)) {
                    problems.add(complaint(this, value, range()));
                    return new TreeMap<>();
                }
            }
            return factors;
        }

        private boolean add(String entry, SortedMap<String, Double> factors) {
            String[] parts = entry.split("=", -1);
            if (parts.length != 2 || parts[0].isBlank()) {
                return false;
            }
            try {
                double factor = Double.parseDouble(parts[1].strip());
                return factor >= least && factor <= most && factors.put(parts[0].strip(), factor) == null;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }

    private static String complaint(Setting<?> setting, String value, String wanted) {
        return setting.key() + "=" + value + " is not " + wanted + ". Remedy: set it so, or remove it for the default "
                + setting.standard() + ".";
    }

    /** The words of an enumeration, in lower case. */
    static <E extends Enum<E>> List<String> wordsOf(Class<E> type) {
        List<String> words = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            words.add(constant.name().toLowerCase(Locale.ROOT));
        }
        return words;
    }
}
