package io.optimus.sim;

import io.optimus.sim.trace.Arrivals;
import io.optimus.sim.trace.ProblemsException;
import io.optimus.sim.trace.TraceReader;
import io.optimus.sim.trace.TraceReaders;
import io.optimus.sim.trace.WorkloadSource;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which jobs the command line chooses. */
final class WorkloadChoices {
    private static final String BUILTIN = "builtin";

    @Option(
            names = "--workload",
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "files with jobs, recognised by their first line, folders of recorded journals, or 'builtin' (default): jobs of eight measured models")
    private List<String> workloads = List.of(BUILTIN);

    @Option(
            names = "--profiles",
            paramLabel = "DIR",
            description = "folder with what was measured of the models that a workload names")
    private @Nullable Path profiles;

    @Option(
            names = "--arrivals",
            paramLabel = "KIND",
            description = "of 'builtin': uniform (default), poisson or google")
    private String arrivals = "uniform";

    @Option(names = "--jobs", paramLabel = "N", description = "of 'builtin' (default: 48)")
    private int jobs = BuiltinWorkload.JOBS;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "in which the jobs of 'builtin' arrive (default: 12000)")
    private double durationSeconds = BuiltinWorkload.DURATION_SECONDS;

    /** Whether nothing is read from files. */
    boolean onlyBuiltin() {
        return workloads.stream().allMatch(BUILTIN::equals);
    }

    /** The chosen workloads; what is wrong with the choice is added to {@code problems}. */
    List<WorkloadSource> sources(int nodes, int gpusPerNode, List<String> problems) {
        ResultNumbers.outside("--jobs", jobs, 1, 1_000_000).ifPresent(problems::add);
        ResultNumbers.outside("--duration", durationSeconds, 1, 1e9).ifPresent(problems::add);
        Optional<Arrivals> kind = arrivals(problems);
        TraceReader.Surroundings surroundings =
                new TraceReader.Surroundings(Optional.ofNullable(profiles), nodes, gpusPerNode);
        if (profiles != null && !Files.isDirectory(profiles)) {
            problems.add("--profiles " + profiles + " is no folder");
        }
        List<WorkloadSource> sources = new ArrayList<>();
        for (String workload : workloads) {
            if (workload.equals(BUILTIN)) {
                kind.ifPresent(drawn -> sources.add(new BuiltinWorkload(jobs, durationSeconds, drawn)));
            } else if (!Files.exists(Path.of(workload))) {
                problems.add("--workload " + workload + " is no file or folder, and not 'builtin'");
            } else {
                try {
                    sources.add(WorkloadSource.of(TraceReaders.read(Path.of(workload), surroundings)));
                } catch (ProblemsException bad) {
                    problems.addAll(bad.problems());
                }
            }
        }
        return sources;
    }

    private Optional<Arrivals> arrivals(List<String> problems) {
        for (Arrivals each : Arrivals.values()) {
            if (each.word().equals(arrivals)) {
                return Optional.of(each);
            }
        }
        problems.add("--arrivals is uniform, poisson or google, got " + arrivals);
        return Optional.empty();
    }
}
