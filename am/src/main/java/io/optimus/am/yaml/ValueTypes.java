package io.optimus.am.yaml;

import io.optimus.am.yaml.YamlValue.Items;
import io.optimus.am.yaml.YamlValue.Scalar;
import io.optimus.am.yaml.YamlValue.Section;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The types of values that job files know. */
public final class ValueTypes {
    /** Decimal only: YAML 1.1 also knows octal and sixty-based numbers, which nobody means. */
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9][0-9_]{0,30}");

    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?([0-9][0-9_]{0,30}(\\.[0-9]{0,30})?|\\.[0-9]{1,30})([eE][-+]?[0-9]{1,4})?");

    private ValueTypes() {}

    /** Words and range of a type with how it reads and shows; everything below is made of it. */
    private record Type<T>(String words, String range, Reading<T> reading, Function<T, Object> showing)
            implements ValueType<T> {
        @Override
        public T read(YamlValue value) throws InvalidValueException {
            return reading.read(value);
        }

        @Override
        public Object show(T value) {
            return showing.apply(value);
        }
    }

    private interface Reading<T> {
        T read(YamlValue value) throws InvalidValueException;
    }

    /** Text; {@code range} is for the table only. */
    public static ValueType<String> text(String range) {
        return new Type<>(
                "text",
                range,
                value -> {
                    String text = scalar(value, "text");
                    if (text.isBlank()) {
                        throw new InvalidValueException(
                                value, "wants text, not an empty one: write it or leave the key out");
                    }
                    return text;
                },
                text -> text);
    }

    /** {@code true} or {@code false}. */
    public static ValueType<Boolean> truth() {
        return new Type<>(
                "true or false",
                "",
                value -> switch (scalar(value, "true or false").toLowerCase(Locale.ROOT)) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new InvalidValueException(value, "wants true or false, not " + value.words());
                },
                truth -> truth);
    }

    /** One of {@code choices}, by the word that {@code word} gives it, whatever its case. */
    public static <T> ValueType<T> oneOf(List<T> choices, Function<T, String> word) {
        String words = choices.stream().map(word).collect(Collectors.joining(", "));
        return new Type<>(
                "word",
                words,
                value -> {
                    String text = scalar(value, "one of " + words);
                    for (T choice : choices) {
                        if (word.apply(choice).equalsIgnoreCase(text)) {
                            return choice;
                        }
                    }
                    throw new InvalidValueException(
                            value,
                            "wants one of " + words + ", not " + value.words()
                                    + Nearest.of(
                                                    text,
                                                    choices.stream().map(word).toList())
                                            .map(near -> ": did you mean " + near + "?")
                                            .orElse(""));
                },
                word::apply);
    }

    /** A whole number in [{@code lowest}, {@code highest}]. */
    public static ValueType<Long> whole(long lowest, long highest) {
        String range = highest == Long.MAX_VALUE
                ? lowest == Long.MIN_VALUE ? "" : lowest + " or more"
                : lowest + " to " + highest;
        return new Type<>(
                "whole number",
                range,
                value -> {
                    String text = scalar(value, "a whole number");
                    if (!WHOLE.matcher(text).matches()) {
                        throw new InvalidValueException(value, "wants a whole number, not " + value.words());
                    }
                    BigDecimal number = new BigDecimal(text.replace("_", ""));
                    if (number.compareTo(BigDecimal.valueOf(lowest)) < 0
                            || number.compareTo(BigDecimal.valueOf(highest)) > 0) {
                        throw new InvalidValueException(
                                value, text + " is out of range: " + (range.isEmpty() ? "64 bits at most" : range));
                    }
                    return number.longValueExact();
                },
                number -> number);
    }

    /** {@link #whole} that fits an int. */
    public static ValueType<Integer> count(int lowest, int highest) {
        ValueType<Long> whole = whole(lowest, highest);
        String range = highest == Integer.MAX_VALUE ? lowest + " or more" : whole.range();
        return new Type<>(whole.words(), range, value -> Math.toIntExact(whole.read(value)), number -> number);
    }

    /** A finite decimal number; {@code range} describes {@code within}. */
    public static ValueType<Double> decimal(String range, Predicate<Double> within) {
        return new Type<>(
                "number",
                range,
                value -> {
                    String text = scalar(value, "a number");
                    if (!DECIMAL.matcher(text).matches()) {
                        throw new InvalidValueException(value, "wants a number, not " + value.words());
                    }
                    double number = Double.parseDouble(text.replace("_", ""));
                    if (Double.isInfinite(number) || !within.test(number)) {
                        throw new InvalidValueException(value, text + " is out of range: " + range);
                    }
                    return number;
                },
                number -> number);
    }

    /** A list, which a lone value stands for too. */
    public static <T> ValueType<List<T>> listOf(ValueType<T> type) {
        return new Type<>(
                "list of " + type.words() + "s",
                type.range(),
                value -> {
                    List<YamlValue> items = value instanceof Items list ? list.values() : List.of(value);
                    List<T> read = new ArrayList<>();
                    InvalidValues wrong = new InvalidValues();
                    for (YamlValue item : items) {
                        wrong.collect(() -> read.add(type.read(item)));
                    }
                    wrong.throwAny();
                    return List.copyOf(read);
                },
                list -> list.stream().map(type::show).toList());
    }

    /** Values by a name of the user's choice; {@code refused} says what is wrong with a name, or is empty. */
    public static <T> ValueType<SortedMap<String, T>> mapOf(ValueType<T> type, Function<String, String> refused) {
        return new Type<>(
                "map of " + type.words() + "s",
                type.range(),
                value -> {
                    if (!(value instanceof Section section)) {
                        throw new InvalidValueException(
                                value, "wants a section of name: value, not " + value.words() + "; for none write {}");
                    }
                    SortedMap<String, T> read = new TreeMap<>();
                    InvalidValues wrong = new InvalidValues();
                    section.values()
                            .forEach((name, inner) ->
                                    wrong.collect(() -> read.put(name, named(name, inner, type, refused))));
                    wrong.throwAny();
                    return read;
                },
                map -> {
                    SortedMap<String, Object> shown = new TreeMap<>();
                    map.forEach((name, value) -> shown.put(name, type.show(value)));
                    return shown;
                });
    }

    private static <T> T named(String name, YamlValue value, ValueType<T> type, Function<String, String> refused)
            throws InvalidValueException {
        String wrong = refused.apply(name);
        if (!wrong.isEmpty()) {
            throw new InvalidValueException(value, wrong);
        }
        try {
            return type.read(value);
        } catch (InvalidValueException inner) {
            throw new InvalidValueException(value, name + " " + inner.sentence());
        }
    }

    private static String scalar(YamlValue value, String wanted) throws InvalidValueException {
        if (value instanceof Scalar scalar && !scalar.absent()) {
            return scalar.text().strip();
        }
        String remedy = value instanceof Scalar ? ": write one, or leave the key out" : "";
        throw new InvalidValueException(value, "wants " + wanted + ", not " + value.words() + remedy);
    }
}
