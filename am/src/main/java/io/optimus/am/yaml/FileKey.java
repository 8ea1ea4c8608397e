package io.optimus.am.yaml;

import io.optimus.am.job.JobSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A key of job files.
 *
 * @param path dotted from the file's top
 * @param type what it takes
 * @param byDefault what stands for it where it is left out; empty where {@code otherwise} says what happens then
 * @param otherwise for the table of keys, where there is no one default: {@link #REQUIRED} or a remark
 * @param meaning for the table of keys
 * @param of its value in a spec, empty where that has none
 * @param <T> its values
 */
public record FileKey<T>(
        String path,
        ValueType<T> type,
        Optional<T> byDefault,
        String otherwise,
        String meaning,
        Function<JobSpec, Optional<T>> of) {
    /** Leaving the key out is a problem. */
    static final String REQUIRED = "required";

    public static <T> FileKey<T> required(String path, ValueType<T> type, String meaning, Function<JobSpec, T> of) {
        return new FileKey<>(path, type, Optional.empty(), REQUIRED, meaning, of.andThen(Optional::of));
    }

    public static <T> FileKey<T> defaulting(
            String path, ValueType<T> type, T byDefault, String meaning, Function<JobSpec, T> of) {
        return new FileKey<>(path, type, Optional.of(byDefault), "", meaning, of.andThen(Optional::of));
    }

    public static <T> FileKey<T> optional(
            String path, ValueType<T> type, String otherwise, String meaning, Function<JobSpec, Optional<T>> of) {
        return new FileKey<>(path, type, Optional.empty(), otherwise, meaning, of);
    }

    boolean isRequired() {
        return otherwise.equals(REQUIRED);
    }

    public List<String> names() {
        return List.of(path.split("\\."));
    }

    /** The default as the table of keys shows it. */
    public String defaultWords() {
        return byDefault.map(value -> String.valueOf(type.show(value))).orElse(otherwise);
    }
}
