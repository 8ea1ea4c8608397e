package io.optimus.am.yaml;

import io.optimus.am.yaml.YamlValue.Section;
import io.optimus.protocol.setting.NearestWord;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a key takes: how its values are called, checked, read and printed.
 *
 * @param <T> the values
 */
public final class ValueType<T> {
    /** Decimal only: YAML 1.1 also knows octal and sexagesimal numbers, which no user means. */
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9][0-9_]{0,30}");

    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?([0-9][0-9_]{0,30}(\\.[0-9]{0,30})?|\\.[0-9]{1,30})([eE][-+]?[0-9]{1,4})?");

    private final String words;
    private final String range;
    private final Reader<T> reader;
    private final Function<T, Object> printer;

    private ValueType(String words, String range, Reader<T> reader, Function<T, Object> printer) {
        this.words = words;
        this.range = range;
        this.reader = reader;
        this.printer = printer;
    }

    /** Reads a value, or adds every reason why it cannot and returns nothing. */
    private interface Reader<T> {
        Optional<T> read(YamlValue value, Problems problems);
    }

    /** Collects what is wrong with values: the position and a sentence with the remedy. */
    interface Problems {
        void add(SourcePosition where, String sentence);
    }

    /** The name of the type for the table of keys, as {@code whole number}. */
    public String words() {
        return words;
    }

    /** The range for the table of keys, as {@code 1 or more}; empty if every value of the type is allowed. */
    public String range() {
        return range;
    }

    /** Whether the user names the values, so that a name may have dots. */
    boolean isMap() {
        return words.startsWith("map ");
    }

    /** The value that was written; empty if it is invalid, which {@code problems} then explains. */
    Optional<T> read(YamlValue value, Problems problems) {
        return reader.read(value, problems);
    }

    /** The value as YAML and JSON writers take it: a text, number, boolean, list or map of these. */
    Object print(T value) {
        return printer.apply(value);
    }

    /** A text that is not blank; {@code range} is for the table only. */
    public static ValueType<String> text(String range) {
        return ofWord(
                "text",
                range,
                "text",
                text -> {
                    if (text.isBlank()) {
                        throw new IllegalArgumentException("must not be empty: write a text or leave the key out");
                    }
                    return text;
                },
                text -> text);
    }

    /** {@code true} or {@code false}. */
    public static ValueType<Boolean> truth() {
        return ofWord(
                "true or false",
                "",
                "true or false",
                text -> switch (text.toLowerCase(Locale.ROOT)) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException("must be true or false, not '" + text + "'");
                },
                truth -> truth);
    }

    /** One of {@code choices}, by the word that {@code word} gives it; the case of letters does not matter. */
    public static <T> ValueType<T> oneOf(List<T> choices, Function<T, String> word) {
        return oneOf(choices, word, "");
    }

    private static <T> ValueType<T> oneOf(List<T> choices, Function<T, String> word, String otherwise) {
        List<String> all = choices.stream().map(word).toList();
        String words = String.join(", ", all);
        return ofWord(
                "word",
                words,
                "one of " + words,
                text -> choices.stream()
                        .filter(choice -> word.apply(choice).equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalArgumentException("must be one of " + words + ", not '" + text + "'"
                                        + NearestWord.of(text, all)
                                                .map(near -> ": did you mean " + near + "?")
                                                .orElse(otherwise))),
                word::apply);
    }

    /** One of the constants of an enum, in lower case. */
    public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> constants) {
        return oneOf(List.of(constants.getEnumConstants()), ValueType::word, "");
    }

    /** The same, with a remedy for words that are like none of them. */
    public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> constants, String remedy) {
        return oneOf(List.of(constants.getEnumConstants()), ValueType::word, ": " + remedy);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A whole number in [{@code lowest}, {@code highest}]. */
    public static ValueType<Long> whole(long lowest, long highest) {
        String range = highest == Long.MAX_VALUE
                ? lowest == Long.MIN_VALUE ? "" : lowest + " or more"
                : lowest + " to " + highest;
        return ofWord(
                "whole number",
                range,
                "a whole number",
                text -> {
                    if (!WHOLE.matcher(text).matches()) {
                        throw new IllegalArgumentException("must be a whole number, not '" + text + "'");
                    }
                    BigDecimal number = new BigDecimal(text.replace("_", ""));
                    if (number.compareTo(BigDecimal.valueOf(lowest)) < 0
                            || number.compareTo(BigDecimal.valueOf(highest)) > 0) {
                        throw new IllegalArgumentException(
                                text + " is out of range: " + (range.isEmpty() ? "64 bits at most" : range));
                    }
                    return number.longValueExact();
                },
                number -> number);
    }

    /** A whole number in [{@code lowest}, {@code highest}] as an int. */
    public static ValueType<Integer> count(int lowest, int highest) {
        ValueType<Long> whole = whole(lowest, highest);
        String range = highest == Integer.MAX_VALUE ? lowest + " or more" : whole.range;
        return new ValueType<>(
                whole.words,
                range,
                (value, problems) -> whole.read(value, problems).map(Math::toIntExact),
                number -> number);
    }

    /** A finite decimal number; {@code range} describes {@code allowed}. */
    public static ValueType<Double> decimal(String range, Predicate<Double> allowed) {
        return ofWord(
                "number",
                range,
                "a number",
                text -> {
                    if (!DECIMAL.matcher(text).matches()) {
                        throw new IllegalArgumentException("must be a number, not '" + text + "'");
                    }
                    double number = Double.parseDouble(text.replace("_", ""));
                    if (Double.isInfinite(number) || !allowed.test(number)) {
                        throw new IllegalArgumentException(text + " is out of range: " + range);
                    }
                    return number;
                },
                number -> number);
    }

    /** A list; a single value stands for a list of one. */
    public static <T> ValueType<List<T>> listOf(ValueType<T> type) {
        return new ValueType<>(
                "list of " + type.words + "s",
                type.range,
                (value, problems) -> {
                    List<YamlValue> items = value.items();
                    List<T> read = new ArrayList<>();
                    items.forEach(item -> type.read(item, problems).ifPresent(read::add));
                    return Optional.of(List.copyOf(read)).filter(all -> all.size() == items.size());
                },
                list -> list.stream().map(type::print).toList());
    }

    /** Values by names of the user's choice; {@code nameProblem} says what is wrong with a name, or is empty. */
    public static <T> ValueType<SortedMap<String, T>> mapOf(ValueType<T> type, Function<String, String> nameProblem) {
        return new ValueType<>(
                "map of " + type.words + "s",
                type.range,
                (value, problems) -> {
                    Optional<Section> section = value.section();
                    if (section.isEmpty()) {
                        problems.add(
                                value.position(),
                                "must be a section of name: value, not " + value.words() + "; for none write {}");
                        return Optional.empty();
                    }
                    SortedMap<String, T> read = new TreeMap<>();
                    section.get().values().forEach((name, inner) -> {
                        String wrong = nameProblem.apply(name);
                        if (wrong.isEmpty()) {
                            type.read(inner, (where, sentence) -> problems.add(where, name + " " + sentence))
                                    .ifPresent(valid -> read.put(name, valid));
                        } else {
                            problems.add(inner.position(), wrong);
                        }
                    });
                    return Optional.of(read)
                            .filter(all -> all.size() == section.get().values().size());
                },
                map -> map.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> type.print(entry.getValue()), (a, b) -> a, TreeMap::new)));
    }

    /**
     * A type of single words.
     *
     * @param wanted what the key takes, as problems name it
     * @param parser throws an IllegalArgumentException whose message says what is wrong and gives the remedy
     */
    private static <T> ValueType<T> ofWord(
            String words, String range, String wanted, Function<String, T> parser, Function<T, Object> printer) {
        return new ValueType<>(
                words,
                range,
                (value, problems) -> {
                    Optional<String> word = value.word();
                    if (word.isEmpty()) {
                        String remedy = value.isAbsent() ? ": write one, or leave the key out" : "";
                        problems.add(value.position(), "must be " + wanted + ", not " + value.words() + remedy);
                        return Optional.empty();
                    }
                    try {
                        return Optional.of(parser.apply(word.get()));
                    } catch (IllegalArgumentException invalid) {
                        problems.add(value.position(), String.valueOf(invalid.getMessage()));
                        return Optional.empty();
                    }
                },
                printer);
    }
}
