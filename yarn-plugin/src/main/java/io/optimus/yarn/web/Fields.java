package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of each object that one request asks for.
 *
 * @param names the fields; empty for all
 */
record Fields(Optional<List<String>> names) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z]{1,40}");
    private static final int MOST = 64;

    /**
     * Reads the parameter {@code fields} of a request: names with commas between them.
     *
     * @param known the fields that the objects may have
     * @throws IllegalArgumentException if it is invalid; the message says what to ask for
     */
    static Fields of(@Nullable String text, SortedSet<String> known) {
        if (text == null) {
            return new Fields(Optional.empty());
        }
        List<String> names = List.of(text.split(",", -1));
        if (names.size() > MOST
                || !names.stream().allMatch(name -> NAME.matcher(name).matches())) {
            throw new IllegalArgumentException(
                    "fields must be at most " + MOST + " names of fields with commas between them, such as id,state");
        }
        names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    "there is no field " + name + ": fields are " + String.join(", ", known));
        });
        return new Fields(Optional.of(names));
    }

    /** Leaves these fields in {@code object}, as far as it has them. */
    ObjectNode select(ObjectNode object) {
        names.ifPresent(object::retain);
        return object;
    }
}
