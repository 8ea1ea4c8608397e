package io.optimus.am.yaml;

import io.optimus.am.job.JobKeys;
import io.optimus.am.job.RoleKeys;
import io.optimus.am.yaml.YamlValue.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts {@code --set dotted.path=value} options over a job file. */
public final class Overrides {
    private final List<FileProblem> problems;

    public Overrides(List<FileProblem> problems) {
        this.problems = problems;
    }

    public Section apply(Section file, List<String> overrides) {
        Section result = file;
        for (String override : overrides) {
            String option = "--set " + override;
            int equals = override.indexOf('=');
            List<String> path = path(override.substring(0, Math.max(equals, 0)));
            if (path.isEmpty()) {
                problems.add(new FileProblem(
                        SourcePosition.option(option), "", "wants key=value, as in --set roles.worker.max=6"));
                continue;
            }
            Optional<YamlValue> value = YamlText.ofOption(option, override.substring(equals + 1), problems);
            if (value.isPresent()) {
                result = result.with(path, value.get());
            }
        }
        return result;
    }

    /** The names on the way; a name in a map is one, though it has dots ({@code roles.ps.resources.yarn.io/fpga}). */
    private static List<String> path(String dotted) {
        for (RoleKeys role : List.of(JobKeys.WORKER, JobKeys.PARAMETER_SERVER)) {
            for (FileKey<?> map : List.of(role.resources(), role.environment())) {
                String prefix = map.path() + ".";
                if (dotted.startsWith(prefix) && dotted.length() > prefix.length()) {
                    List<String> path = new ArrayList<>(map.names());
                    path.add(dotted.substring(prefix.length()));
                    return path;
                }
            }
        }
        List<String> path = List.of(dotted.split("\\.", -1));
        return path.contains("") ? List.of() : path;
    }
}
