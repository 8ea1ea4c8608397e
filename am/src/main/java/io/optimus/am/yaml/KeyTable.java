package io.optimus.am.yaml;

import io.optimus.am.yaml.YamlValue.Section;
import io.optimus.protocol.setting.NearestWord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Every key that a kind of file may have, in the order in which they are declared. Each of the five methods below declares
 * one key and returns it.
 */
public final class KeyTable {
    private final List<FileKey<?>> keys = new ArrayList<>();

    /** A key that every file must have. */
    public <T> FileKey<T> required(String path, ValueType<T> type, String meaning) {
        return add(new FileKey<>(path, type, FileKey.REQUIRED, values -> Optional.empty(), meaning));
    }

    /** A key with one default. */
    public <T> FileKey<T> defaulting(String path, ValueType<T> type, T byDefault, String meaning) {
        return defaultingWhere(values -> true, path, type, byDefault, meaning);
    }

    /** A key with one default in the files to which it {@code applies}, and without a value in others. */
    public <T> FileKey<T> defaultingWhere(
            Predicate<KeyValues> applies, String path, ValueType<T> type, T byDefault, String meaning) {
        String shown = "`" + type.print(byDefault) + "`";
        return deriving(
                path, type, shown, values -> Optional.of(byDefault).filter(value -> applies.test(values)), meaning);
    }

    /**
     * A key whose default depends on other keys.
     *
     * @param whenAbsent describes the default
     * @param byDefault the default; empty if the key then has no value
     */
    public <T> FileKey<T> deriving(
            String path,
            ValueType<T> type,
            String whenAbsent,
            Function<KeyValues, Optional<T>> byDefault,
            String meaning) {
        return add(new FileKey<>(path, type, whenAbsent, byDefault, meaning));
    }

    /** A key that may have no value; {@code whenAbsent} describes what that means. */
    public <T> FileKey<T> optional(String path, ValueType<T> type, String whenAbsent, String meaning) {
        return deriving(path, type, whenAbsent, values -> Optional.empty(), meaning);
    }

    private <T> FileKey<T> add(FileKey<T> key) {
        keys.add(key);
        return key;
    }

    public List<FileKey<?>> keys() {
        return Collections.unmodifiableList(keys);
    }

    /** The table in Markdown, for the documentation. */
    public String markdown() {
        StringBuilder table = new StringBuilder("| key | type | range | default | meaning |\n|---|---|---|---|---|\n");
        for (FileKey<?> key : keys) {
            table.append("| `" + key.path() + "` | " + key.type().words() + " | "
                    + key.type().range() + " | " + key.whenAbsent() + " | " + key.meaning() + " |\n");
        }
        return table.toString();
    }

    /** Adds a problem for each key of {@code file} that is not in the table, and for each word in place of a section. */
    public void checkNames(Section file, List<FileProblem> problems) {
        checkNames(file, "", problems);
    }

    private void checkNames(Section section, String prefix, List<FileProblem> problems) {
        section.values().forEach((name, value) -> {
            String path = prefix + name;
            Set<String> inner = childrenOf(path + ".");
            if (inner.isEmpty()) {
                if (keys.stream().noneMatch(key -> key.path().equals(path))) {
                    problems.add(
                            new FileProblem(value.position(), path, "There is no such key" + remedy(name, prefix)));
                }
            } else if (value.section().isPresent()) {
                checkNames(value.section().get(), path + ".", problems);
            } else if (value.word().isEmpty() || !inner.contains(Section.KIND)) {
                problems.add(new FileProblem(
                        value.position(),
                        path,
                        "must be a section with the keys " + String.join(", ", inner) + ", not " + value.words()));
            }
        });
    }

    private String remedy(String name, String prefix) {
        Set<String> siblings = childrenOf(prefix);
        Optional<String> near = NearestWord.of(name, siblings);
        if (near.isPresent()) {
            return ": did you mean " + near.get() + "?";
        }
        List<String> elsewhere = keys.stream()
                .map(FileKey::path)
                .filter(path -> path.endsWith("." + name))
                .toList();
        return elsewhere.isEmpty()
                ? ": there are " + String.join(", ", siblings)
                : ": it is " + String.join(" or ", elsewhere) + ", written with its indent or as --set "
                        + elsewhere.get(0) + "=…";
    }

    private Set<String> childrenOf(String prefix) {
        return keys.stream()
                .map(FileKey::path)
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("\\.", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
