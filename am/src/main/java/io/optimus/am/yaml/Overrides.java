package io.optimus.am.yaml;

import io.optimus.am.yaml.YamlValue.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts {@code --set dotted.path=value} options over a file. */
public final class Overrides {
    private final KeyTable table;
    private final List<FileProblem> problems;

    /** Overrides for files with the keys of {@code table}; options that are invalid are added to {@code problems}. */
    public Overrides(KeyTable table, List<FileProblem> problems) {
        this.table = table;
        this.problems = problems;
    }

    /** The file with every option applied, the last one last. */
    public Section apply(Section file, List<String> options) {
        Section result = file;
        for (String text : options) {
            String option = "--set " + text;
            int equals = text.indexOf('=');
            List<String> path = path(text.substring(0, Math.max(equals, 0)));
            if (path.isEmpty()) {
                problems.add(new FileProblem(
                        SourcePosition.option(option), "", "must be key=value, as in --set roles.worker.max=6"));
                continue;
            }
            Optional<YamlValue> value = YamlText.ofOption(option, text.substring(equals + 1), problems);
            if (value.isPresent()) {
                result = result.with(path, value.get());
            }
        }
        return result;
    }

    /** The names on the path; a name in a map counts as one, although it may have dots ({@code resources.yarn.io/fpga}). */
    private List<String> path(String dotted) {
        for (FileKey<?> key : table.keys()) {
            String prefix = key.path() + ".";
            if (key.type().isMap() && dotted.startsWith(prefix) && dotted.length() > prefix.length()) {
                List<String> path = new ArrayList<>(key.names());
                path.add(dotted.substring(prefix.length()));
                return path;
            }
        }
        List<String> path = List.of(dotted.split("\\.", -1));
        return path.contains("") ? List.of() : path;
    }
}
