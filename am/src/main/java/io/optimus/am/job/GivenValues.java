package io.optimus.am.job;

import io.optimus.am.job.YamlValue.Section;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The values that a job file gives to {@link JobKeys}; wrong ones become problems and count as not given. */
final class GivenValues {
    private final Section file;
    private final List<Problem> problems;
    private final Map<Key<?>, Object> values = new HashMap<>();
    private final Set<Key<?>> wrong = new HashSet<>();

    GivenValues(Section file, List<Problem> problems) {
        this.file = file;
        this.problems = problems;
        JobKeys.ALL.forEach(this::read);
    }

    private void read(Key<?> key) {
        Optional<YamlValue> value = file.find(key.names());
        if (value.isEmpty()) {
            if (key.isRequired()) {
                wrong.add(key);
                add(key, "is required: " + key.meaning());
            }
            return;
        }
        try {
            values.put(key, key.type().read(value.get()));
        } catch (WrongValueException first) {
            wrong.add(key);
            add(key, first);
        }
    }

    private void add(Key<?> key, WrongValueException first) {
        problems.add(new Problem(first.origin(), key.path(), first.sentence()));
        for (Throwable further : first.getSuppressed()) {
            add(key, (WrongValueException) further);
        }
    }

    /** A problem of {@code key}, at its value or where that would be. */
    void add(Key<?> key, String sentence) {
        problems.add(new Problem(file.nearest(key.names()).origin(), key.path(), sentence));
    }

    /** Whether none of {@code keys} was given a wrong value, so that it makes sense to compare them. */
    boolean sound(Key<?>... keys) {
        return List.of(keys).stream().noneMatch(wrong::contains);
    }

    /** What was given, right. */
    @SuppressWarnings("unchecked") // only read() writes, and there the key's own type made the value
    <T> Optional<T> find(Key<T> key) {
        return Optional.ofNullable((T) values.get(key));
    }

    /**
     * What was given, or the default.
     *
     * @throws IllegalStateException where there is neither
     */
    <T> T get(Key<T> key) {
        return find(key)
                .or(key::byDefault)
                .orElseThrow(() -> new IllegalStateException(key.path() + " was not given and has no default"));
    }
}
