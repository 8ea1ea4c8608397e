package io.optimus.am.yaml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value of a YAML file that knows where it was written. */
public sealed interface YamlValue {
    /** Where its key is, or itself where it has none. */
    SourcePosition origin();

    /** What it is, for problems. */
    String words();

    /**
     * One value.
     *
     * @param text as written, without quotes
     * @param absent nothing was written, or {@code null}
     */
    record Scalar(SourcePosition origin, String text, boolean absent) implements YamlValue {
        @Override
        public String words() {
            return absent ? "nothing" : "'" + text + "'";
        }
    }

    /** A list. */
    record Items(SourcePosition origin, List<YamlValue> values) implements YamlValue {
        public Items {
            values = List.copyOf(values);
        }

        @Override
        public String words() {
            return "a list";
        }
    }

    /** Values by key, in the file's order. */
    public record Section(SourcePosition origin, Map<String, YamlValue> values) implements YamlValue {
        /** In it a lone word stands for the whole section: {@code model: lenet} is {@code model: {kind: lenet}}. */
        static final String KIND = "kind";

        public Section {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        @Override
        public String words() {
            return "a section";
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

        /** The value at {@code path}, or of the innermost section on the way to it that there is. */
        public YamlValue nearest(List<String> path) {
            for (int length = path.size(); length > 0; length--) {
                Optional<YamlValue> found = find(path.subList(0, length));
                if (found.isPresent()) {
                    return found.get();
                }
            }
            return this;
        }

        /** This with {@code value} at {@code path}, in the place of what was there. */
        Section with(List<String> path, YamlValue value) {
            String name = path.get(0);
            Map<String, YamlValue> changed = new LinkedHashMap<>(values);
            if (path.size() == 1) {
                changed.put(name, value);
            } else {
                YamlValue inner = values.getOrDefault(name, new Section(value.origin(), Map.of()));
                changed.put(name, asSection(inner).with(path.subList(1, path.size()), value));
            }
            return new Section(origin, changed);
        }

        private static Section asSection(YamlValue value) {
            if (value instanceof Section section) {
                return section;
            }
            boolean word = value instanceof Scalar scalar && !scalar.absent();
            return new Section(value.origin(), word ? Map.of(KIND, value) : Map.of());
        }
    }
}
