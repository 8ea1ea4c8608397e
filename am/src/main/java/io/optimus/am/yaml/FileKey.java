package io.optimus.am.yaml;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A key of a file; {@link KeyTable} makes them.
 *
 * @param path dotted, from the top of the file
 * @param type the values that it takes
 * @param whenAbsent the default as the table of keys shows it: {@link #REQUIRED}, a value or a remark
 * @param byDefault the default by the other values of the file; empty if the key then has no value
 * @param meaning a phrase for the table of keys
 * @param <T> its values
 */
public record FileKey<T>(
        String path, ValueType<T> type, String whenAbsent, Function<KeyValues, Optional<T>> byDefault, String meaning) {
    /** The file must have the key. */
    static final String REQUIRED = "required";

    boolean isRequired() {
        return whenAbsent.equals(REQUIRED);
    }

    List<String> names() {
        return List.of(path.split("\\."));
    }
}
