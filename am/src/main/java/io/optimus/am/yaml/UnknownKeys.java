package io.optimus.am.yaml;

import io.optimus.am.job.JobKeys;
import io.optimus.am.yaml.YamlValue.Scalar;
import io.optimus.am.yaml.YamlValue.Section;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds keys that no job file has, and words where a section of keys belongs. */
public final class UnknownKeys {
    private final List<FileProblem> problems;

    public UnknownKeys(List<FileProblem> problems) {
        this.problems = problems;
    }

    public void check(Section file) {
        check(file, "");
    }

    private void check(Section section, String prefix) {
        for (Map.Entry<String, YamlValue> entry : section.values().entrySet()) {
            String path = prefix + entry.getKey();
            Set<String> inner = childrenOf(path + ".");
            if (!inner.isEmpty()) {
                checkSection(entry.getValue(), path, inner);
            } else if (JobKeys.ALL.stream().noneMatch(key -> key.path().equals(path))) {
                add(entry.getValue(), path, "There is no such key" + remedy(entry.getKey(), prefix));
            }
        }
    }

    private void checkSection(YamlValue value, String path, Set<String> inner) {
        boolean word = value instanceof Scalar scalar && !scalar.absent();
        if (value instanceof Section section) {
            check(section, path + ".");
        } else if (!word || !inner.contains(Section.KIND)) {
            add(value, path, "wants a section with keys of " + String.join(", ", inner) + ", not " + value.words());
        }
    }

    private void add(YamlValue value, String path, String sentence) {
        problems.add(new FileProblem(value.origin(), path, sentence));
    }

    private static String remedy(String name, String prefix) {
        Set<String> siblings = childrenOf(prefix);
        Optional<String> near = Nearest.of(name, siblings);
        if (near.isPresent()) {
            return ": did you mean " + near.get() + "?";
        }
        String elsewhere = JobKeys.ALL.stream()
                .map(FileKey::path)
                .filter(path -> path.endsWith("." + name))
                .collect(Collectors.joining(" or "));
        return elsewhere.isEmpty()
                ? ": there are " + String.join(", ", siblings)
                : ": it is " + elsewhere + ", written with its indent or as --set "
                        + elsewhere.split(" ", 2)[0] + "=…";
    }

    private static Set<String> childrenOf(String prefix) {
        return JobKeys.ALL.stream()
                .map(FileKey::path)
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("\\.", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
