package io.optimus.am.yaml;

import io.optimus.am.yaml.YamlValue.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that a file gives to the keys of a table, and the defaults of the other keys. An invalid value is a problem
 * and counts as not given, so that the checks that follow can still run.
 */
public final class KeyValues {
    private final KeyTable table;
    private final Section file;
    private final Map<FileKey<?>, Object> given = new HashMap<>();
    private final Set<FileKey<?>> invalid = new HashSet<>();
    private final List<FileProblem> problems;

    /**
     * Reads the keys of {@code table} from {@code file}.
     *
     * @param problems those that the file already has
     */
    public KeyValues(KeyTable table, Section file, List<FileProblem> problems) {
        this.table = table;
        this.file = file;
        this.problems = new ArrayList<>(problems);
        table.checkNames(file, this.problems);
        table.keys().forEach(this::read);
    }

    private <T> void read(FileKey<T> key) {
        Optional<YamlValue> value = file.find(key.names());
        if (value.isPresent()) {
            key.type()
                    .read(value.get(), (where, sentence) -> problems.add(new FileProblem(where, key.path(), sentence)))
                    .ifPresentOrElse(valid -> given.put(key, valid), () -> invalid.add(key));
        } else if (key.isRequired()) {
            invalid.add(key);
            addProblem(key, "is required: " + key.meaning());
        }
    }

    /** Adds a problem of {@code key}, at its value or where that would be. */
    public void addProblem(FileKey<?> key, String sentence) {
        problems.add(problem(key.path(), sentence));
    }

    /** A problem of the dotted {@code path}, at its value or where that would be. */
    public FileProblem problem(String path, String sentence) {
        return new FileProblem(file.nearest(List.of(path.split("\\."))).position(), path, sentence);
    }

    /** The problems so far, in the order of the file. */
    public List<FileProblem> problems() {
        return problems.stream()
                .sorted(Comparator.comparing(FileProblem::where))
                .toList();
    }

    /** Whether none of {@code keys} has an invalid value, so that it makes sense to compare them. */
    public boolean valid(FileKey<?>... keys) {
        return Arrays.stream(keys).noneMatch(invalid::contains);
    }

    /** Whether the file gives a valid value. */
    public boolean isGiven(FileKey<?> key) {
        return given.containsKey(key);
    }

    /** The value that the file gives, or the default; empty if there is neither. */
    @SuppressWarnings("unchecked") // read() puts only values that the type of the key made
    public <T> Optional<T> find(FileKey<T> key) {
        @Nullable Object value = given.get(key);
        return value == null ? key.byDefault().apply(this) : Optional.of((T) value);
    }

    /**
     * The value that the file gives, or the default.
     *
     * @throws IllegalStateException if there is neither
     */
    public <T> T get(FileKey<T> key) {
        return find(key).orElseThrow(() -> new IllegalStateException(key.path() + " has no value and no default"));
    }

    /** Every key that has a value, as nested sections of plain values that YAML and JSON writers take. */
    public Map<String, Object> print() {
        Map<String, Object> printed = new LinkedHashMap<>();
        table.keys().forEach(key -> print(key, printed));
        return printed;
    }

    private <T> void print(FileKey<T> key, Map<String, Object> printed) {
        find(key).ifPresent(value -> put(printed, key.names(), key.type().print(value)));
    }

    @SuppressWarnings("unchecked") // every value on the way to a key is a map that this method put there
    private static void put(Map<String, Object> printed, List<String> path, Object value) {
        Map<String, Object> section = printed;
        for (String name : path.subList(0, path.size() - 1)) {
            section =
                    (Map<String, Object>) section.computeIfAbsent(name, absent -> new LinkedHashMap<String, Object>());
        }
        section.put(path.get(path.size() - 1), value);
    }
}
