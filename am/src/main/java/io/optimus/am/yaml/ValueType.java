package io.optimus.am.yaml;

/**
 * What a key of a job file takes.
 *
 * @param <T> its values
 */
public interface ValueType<T> {
    /** For the table of keys: {@code whole number}. */
    String words();

    /** For the table of keys: {@code 1 or more}; empty where every value of the type will do. */
    String range();

    /** The value that was written. */
    T read(YamlValue value) throws InvalidValueException;

    /** The value as YAML writes it: text, number, truth, list or map of these. */
    Object show(T value);
}
