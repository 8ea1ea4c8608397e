package io.optimus.am.yaml;

import io.optimus.am.job.JobKeys;
import io.optimus.am.yaml.YamlValue.Section;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The values that a job file gives to {@link JobKeys}; wrong ones become problems and count as not given. */
public final class KeyValues {
    private final Section file;
    private final List<FileProblem> problems;
    private final Map<FileKey<?>, Object> values = new HashMap<>();
    private final Set<FileKey<?>> wrong = new HashSet<>();

    public KeyValues(Section file, List<FileProblem> problems) {
        this.file = file;
        this.problems = problems;
        JobKeys.ALL.forEach(this::read);
    }

    private void read(FileKey<?> key) {
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
        } catch (InvalidValueException first) {
            wrong.add(key);
            add(key, first);
        }
    }

    private void add(FileKey<?> key, InvalidValueException first) {
        problems.add(new FileProblem(first.origin(), key.path(), first.sentence()));
        for (Throwable further : first.getSuppressed()) {
            add(key, (InvalidValueException) further);
        }
    }

    /** A problem of {@code key}, at its value or where that would be. */
    public void add(FileKey<?> key, String sentence) {
        problems.add(new FileProblem(file.nearest(key.names()).origin(), key.path(), sentence));
    }

    /** Whether none of {@code keys} was given a wrong value, so that it makes sense to compare them. */
    public boolean sound(FileKey<?>... keys) {
        return List.of(keys).stream().noneMatch(wrong::contains);
    }

    /** What was given, right. */
    @SuppressWarnings("unchecked") // only read() writes, and there the key's own type made the value
    public <T> Optional<T> find(FileKey<T> key) {
        return Optional.ofNullable((T) values.get(key));
    }

    /**
     * What was given, or the default.
     *
     * @throws IllegalStateException where there is neither
     */
    public <T> T get(FileKey<T> key) {
        return find(key)
                .or(key::byDefault)
                .orElseThrow(() -> new IllegalStateException(key.path() + " was not given and has no default"));
    }
}
