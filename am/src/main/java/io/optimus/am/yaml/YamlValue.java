package io.optimus.am.yaml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value of a YAML file together with the position at which it was written. */
public sealed interface YamlValue {
    /** The position of its key, or its own if it has no key. */
    SourcePosition position();

    /** What the value is, for problem texts. */
    String words();

    /** The text of a single value without surrounding blanks; empty for every other value. */
    default Optional<String> word() {
        return Optional.empty();
    }

    /** Whether a single value is missing: nothing was written, or {@code null}. */
    default boolean isAbsent() {
        return false;
    }

    /** The items of a list; any other value stands for a list of one. */
    default List<YamlValue> items() {
        return List.of(this);
    }

    /** This value if it is a section. */
    default Optional<Section> section() {
        return Optional.empty();
    }

    /**
     * One value.
     *
     * @param text as written, without quotes
     * @param isAbsent nothing was written, or {@code null}
     */
    record Scalar(SourcePosition position, String text, boolean isAbsent) implements YamlValue {
        @Override
        public String words() {
            return isAbsent ? "nothing" : "'" + text + "'";
        }

        @Override
        public Optional<String> word() {
            return isAbsent ? Optional.empty() : Optional.of(text.strip());
        }
    }

    /** A list. */
    record Sequence(SourcePosition position, List<YamlValue> items) implements YamlValue {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String words() {
            return "a list";
        }
    }

    /** Values by key, in the order of the file. */
    record Section(SourcePosition position, Map<String, YamlValue> values) implements YamlValue {
        /** A single word stands for a section with this key: {@code model: lenet} is {@code model: {kind: lenet}}. */
        static final String KIND = "kind";

        public Section {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        @Override
        public String words() {
            return "a section";
        }

        @Override
        public Optional<Section> section() {
            return Optional.of(this);
        }

        /** The value at {@code path}, if there is one. */
        Optional<YamlValue> find(List<String> path) {
            YamlValue value = this;
            for (String name : path) {
                YamlValue next = asSection(value).values().get(name);
                if (next == null) {
                    return Optional.empty();
                }
                value = next;
            }
            return Optional.of(value);
        }

        /** The value at {@code path}, or else the innermost section on the way to it that exists. */
        YamlValue nearest(List<String> path) {
            for (int length = path.size(); length > 0; length--) {
                Optional<YamlValue> found = find(path.subList(0, length));
                if (found.isPresent()) {
                    return found.get();
                }
            }
            return this;
        }

        /** A copy with {@code value} at {@code path}, which replaces the value that was there. */
        Section with(List<String> path, YamlValue value) {
            String name = path.get(0);
            Map<String, YamlValue> changed = new LinkedHashMap<>(values);
            if (path.size() == 1) {
                changed.put(name, value);
            } else {
                YamlValue inner = values.getOrDefault(name, new Section(value.position(), Map.of()));
                changed.put(name, asSection(inner).with(path.subList(1, path.size()), value));
            }
            return new Section(position, changed);
        }

        private static Section asSection(YamlValue value) {
            return value.section()
                    .orElseGet(() ->
                            new Section(value.position(), value.word().isPresent() ? Map.of(KIND, value) : Map.of()));
        }
    }
}
