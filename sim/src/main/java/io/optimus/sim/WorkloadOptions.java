package io.optimus.sim;

import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.trace.ArrivalPattern;
import io.optimus.sim.trace.TraceReader;
import io.optimus.sim.trace.WorkloadSource;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import io.optimus.sim.trace.builtin.BuiltinWorkload.Modes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that set the workloads. */
final class WorkloadOptions {
    private static final String BUILTIN = "builtin";

    @Option(
            names = "--workload",
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "files with jobs, whose format is recognised by the first line, folders of recorded journals, or 'builtin' (default): jobs of eight measured models")
    private List<String> workloads = List.of(BUILTIN);

    @Option(
            names = "--profiles",
            paramLabel = "DIR",
            description = "folder with the measured profiles of the models that a workload names")
    private @Nullable Path profiles;

    @Option(
            names = "--arrivals",
            paramLabel = "KIND",
            description = "how jobs of 'builtin' arrive: uniform (default), poisson or google")
    private @Nullable String arrivals;

    @Option(names = "--jobs", paramLabel = "N", description = "number of jobs of 'builtin' (default: 9)")
    private @Nullable Integer jobs;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "time within which the jobs of 'builtin' arrive (default: 12000)")
    private @Nullable Double durationSeconds;

    @Option(
            names = "--modes",
            paramLabel = "KIND",
            description = "how the jobs of 'builtin' train: mixed (default), sync or async")
    private @Nullable String modes;

    /** Whether no workload is read from a file. */
    boolean onlyBuiltin() {
        return workloads.stream().allMatch(BUILTIN::equals);
    }

    /** Returns the chosen workloads, and adds problems of the options to {@code problems}. */
    List<WorkloadSource> sources(int nodes, int gpusPerNode, List<String> problems) {
        Optional<BuiltinWorkload> builtin = builtin(nodes * gpusPerNode, problems);
        TraceReader.Surroundings surroundings =
                new TraceReader.Surroundings(Optional.ofNullable(profiles), nodes, gpusPerNode);
        if (profiles != null && !Files.isDirectory(profiles)) {
            problems.add("--profiles " + profiles
                    + " is not a folder. Remedy: name the folder that holds one folder for each model");
        }
        refuseOptionsWithoutEffect(problems);
        List<WorkloadSource> sources = new ArrayList<>();
        SortedMap<Path, Workload> read = read(surroundings, problems);
        for (String workload : workloads.stream().distinct().toList()) {
            if (workload.equals(BUILTIN)) {
                builtin.ifPresent(sources::add);
            } else {
                Path path = path(workload);
                Workload known = read.get(path);
                if (known != null) {
                    sources.add(WorkloadSource.of(nameAmong(read, path, known), known));
                }
            }
        }
        return sources;
    }

    /** Returns the built-in workload with its options. The options are checked even if another workload is chosen. */
    private Optional<BuiltinWorkload> builtin(int mostTasks, List<String> problems) {
        int count = Objects.requireNonNullElse(jobs, BuiltinWorkload.JOBS);
        double seconds = Objects.requireNonNullElse(durationSeconds, BuiltinWorkload.DURATION_SECONDS);
        ExperimentOptions.outOfRange("--jobs", count, 1, 1_000_000).ifPresent(problems::add);
        ExperimentOptions.outOfRange("--duration", seconds, 1, 1e9).ifPresent(problems::add);
        Optional<ArrivalPattern> drawn = arrivals == null
                ? Optional.of(ArrivalPattern.UNIFORM)
                : named("--arrivals", ArrivalPattern.values(), ArrivalPattern::word, arrivals, problems);
        Optional<Modes> trained = modes == null
                ? Optional.of(Modes.MIXED)
                : named("--modes", Modes.values(), Modes::word, modes, problems);
        return drawn.flatMap(kind -> trained.map(mode -> new BuiltinWorkload(count, seconds, kind, mode, mostTasks)));
    }

    /** Refuses options without effect, because the user expects one. */
    private void refuseOptionsWithoutEffect(List<String> problems) {
        SortedMap<String, Boolean> given = new TreeMap<>(Map.of(
                "--arrivals", arrivals != null,
                "--duration", durationSeconds != null,
                "--jobs", jobs != null,
                "--modes", modes != null));
        given.forEach((option, isGiven) -> {
            if (isGiven && !workloads.contains(BUILTIN)) {
                problems.add(option + " only has an effect on the workload 'builtin'. Remedy: leave it out");
            }
        });
        if (profiles != null && onlyBuiltin()) {
            problems.add(
                    "--profiles only has an effect on workloads that name models. Remedy: name such a workload with --workload");
        }
    }

    private static Path path(String workload) {
        return Path.of(workload).toAbsolutePath().normalize();
    }

    private SortedMap<Path, Workload> read(TraceReader.Surroundings surroundings, List<String> problems) {
        SortedMap<Path, Workload> read = new TreeMap<>();
        Set<Path> named = new HashSet<>();
        for (String workload : workloads) {
            if (workload.equals(BUILTIN)) {
                continue;
            }
            if (!named.add(path(workload))) {
                problems.add("--workload " + workload + " is named twice. Remedy: name it once");
            } else if (!Files.exists(Path.of(workload))) {
                problems.add("--workload " + workload + " does not exist. Remedy: name a file, a folder or 'builtin'");
            } else {
                try {
                    read.put(path(workload), TraceReaders.read(Path.of(workload), surroundings));
                } catch (InvalidInputException bad) {
                    problems.addAll(bad.problems());
                }
            }
        }
        return read;
    }

    /** Returns the workload's name or, if others have the same name, its path below their common folder. */
    private static String nameAmong(SortedMap<Path, Workload> read, Path path, Workload workload) {
        List<Path> alike = read.keySet().stream()
                .filter(other -> workload.name()
                        .equals(Objects.requireNonNull(read.get(other)).name()))
                .toList();
        if (alike.size() == 1) {
            return workload.name();
        }
        int shared = 0;
        while (isShared(shared, alike)) {
            shared++;
        }
        return path.subpath(shared, path.getNameCount()).toString();
    }

    private static boolean isShared(int folder, List<Path> paths) {
        return paths.stream().allMatch(path -> path.getNameCount() > folder + 1)
                && paths.stream().map(path -> path.getName(folder)).distinct().count() == 1;
    }

    /** Returns the element of {@code all} with the chosen name. */
    private static <T> Optional<T> named(
            String option, T[] all, Function<T, String> word, String chosen, List<String> problems) {
        Optional<T> found =
                Stream.of(all).filter(each -> word.apply(each).equals(chosen)).findFirst();
        if (found.isEmpty()) {
            String words = Stream.of(all).map(word).collect(Collectors.joining(", "));
            problems.add(option + " is one of " + words + "; got " + chosen);
        }
        return found;
    }
}
