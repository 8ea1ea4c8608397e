package io.optimus.sim.recording;

import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Strategies;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.QueuePolicies;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.input.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Reads the recording of a cluster: the files that ResourceManagers wrote into the folder that {@code
 * yarn.scheduler.optimus.recording-folder} names. All files in a folder and below it are one recording, in order of the
 * times at which they begin, so that the folders of two ResourceManagers of one cluster can be read together.
 */
public final class RecordingReader {
    /** After so many problems, a file is not what it should be. */
    private static final int ENOUGH_PROBLEMS = 20;

    private final Path folder;
    private final List<String> problems = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final RecordedRounds rounds = new RecordedRounds();

    private RecordingReader(Path folder) {
        this.folder = folder;
    }

    /**
     * Reads the recording in {@code folder}.
     *
     * @throws InvalidInputException if it cannot be read or is invalid; names the lines
     */
    public static RecordedCluster read(Path folder) throws InvalidInputException {
        return new RecordingReader(folder).read();
    }

    private RecordedCluster read() throws InvalidInputException {
        if (!Files.isDirectory(folder)) {
            throw new InvalidInputException(List.of("--recording " + folder
                    + " is not a folder. Remedy: name the folder that holds the files of a recording"));
        }
        try {
            readFiles();
        } catch (IOException unreadable) {
            problems.add("--recording " + folder + " cannot be read: " + unreadable);
        }
        if (problems.isEmpty() && rounds.isEmpty()) {
            problems.add("--recording " + folder + " has no file (*.jsonl or *.jsonl.gz) with a recorded round");
        }
        List<RecordedJob> jobs = problems.isEmpty() ? jobs() : List.of();
        if (problems.isEmpty() && jobs.isEmpty()) {
            problems.add("--recording " + folder + " has no job that stepped");
        }
        Optional<QueuePolicies> policies = problems.isEmpty() ? Optional.of(policies()) : Optional.empty();
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        notices.addAll(rounds.notices());
        return new RecordedCluster(
                folder.toAbsolutePath().normalize().getFileName().toString(),
                setup(),
                policies.orElseThrow(),
                jobs,
                notices);
    }

    private void readFiles() throws IOException {
        List<RecordingFile> files = new ArrayList<>();
        for (Path path : RecordingFile.in(folder)) {
            guarded(() -> RecordingFile.of(path)
                    .ifPresentOrElse(
                            files::add, () -> notices.add(path + " has no line that is whole, and is left out.")));
        }
        files.sort(Comparator.comparingLong(RecordingFile::beganMillis).thenComparing(RecordingFile::path));
        for (RecordingFile file : files) {
            boolean cutOff = file.read(line -> take(line.place(), line), this::problem);
            if (cutOff) {
                notices.add(file.path() + " ends in the middle of a line, which is left out.");
            }
            if (problems.size() >= ENOUGH_PROBLEMS) {
                return;
            }
        }
    }

    private void take(String place, RecordedLine line) {
        try {
            if (problems.size() < ENOUGH_PROBLEMS) {
                rounds.take(line);
            }
        } catch (IllegalArgumentException wrong) {
            problem(place + " is no line of a recording: " + wrong.getMessage());
        }
    }

    private void problem(String problem) {
        if (problems.size() < ENOUGH_PROBLEMS) {
            problems.add(problem);
        }
    }

    /** Reads something. */
    @FunctionalInterface
    private interface Reading {
        void run() throws IOException;
    }

    private void guarded(Reading reading) throws IOException {
        try {
            reading.run();
        } catch (IllegalArgumentException wrong) {
            problem(String.valueOf(wrong.getMessage()));
        }
    }

    private List<RecordedJob> jobs() {
        RecordedJobs reader = new RecordedJobs(rounds.firstMillis());
        List<RecordedJob> jobs = new ArrayList<>();
        for (JobTrail trail : rounds.jobs()) {
            try {
                reader.job(trail)
                        .ifPresentOrElse(
                                jobs::add,
                                () -> notices.add(
                                        trail.id()
                                                + " did not step while it was recorded, so that its speed is not known; it is left out."));
            } catch (IllegalArgumentException wrong) {
                problem("The recording of " + trail.id() + " is invalid: " + wrong.getMessage());
            }
        }
        assumed(
                jobs,
                job -> job.known().beganBefore(),
                " had begun before the recording and arrive when it begins, with" + " the work that was left.");
        assumed(
                jobs,
                job -> !job.known().outcome().equals(RecordedJob.Known.SUCCEEDED),
                " did not train to their end while they were recorded; they end after the steps that they did.");
        jobs.sort(
                Comparator.comparingDouble((RecordedJob job) -> job.simulated().arrivalSeconds())
                        .thenComparing(RecordedJob::id));
        return jobs;
    }

    private void assumed(List<RecordedJob> jobs, Predicate<RecordedJob> which, String what) {
        long count = jobs.stream().filter(which).count();
        if (count > 0) {
            notices.add(count + " of " + jobs.size() + " jobs" + what);
        }
    }

    private QueuePolicies policies() {
        SortedMap<String, NamedStrategy> byQueue = new TreeMap<>();
        int distributed = rounds.settings().distributedJobsPerNode();
        rounds.cluster().policyMillis().forEach((queue, millis) -> {
            String longest = millis.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse(Strategies.DEFAULT);
            if (Strategies.names().contains(longest)) {
                byQueue.put(queue, limited(Strategies.named(longest), distributed));
            } else {
                problem("The policy " + longest + " of queue " + queue + " is not known here");
            }
            if (millis.size() > 1) {
                notices.add("Queue " + queue + " had the policies " + String.join(", ", millis.keySet())
                        + " in turn; the replay has " + longest + ", which held longest.");
            }
        });
        List<String> names =
                byQueue.values().stream().map(NamedStrategy::name).distinct().toList();
        NamedStrategy any = byQueue.values().stream()
                .findFirst()
                .orElseGet(() -> limited(Strategies.named(Strategies.DEFAULT), distributed));
        String name = names.isEmpty() ? any.name() : String.join("+", names);
        return new QueuePolicies(name, any, byQueue);
    }

    /** The same policy, with as many jobs on several nodes that may share one node as the recorded scheduler allowed. */
    private static NamedStrategy limited(NamedStrategy policy, int distributedJobsPerNode) {
        return distributedJobsPerNode == 0
                ? policy
                : new NamedStrategy(
                        policy.name(), policy.summary(), policy.knowledge(), policy.batch(), seed -> policy.bySeed()
                                .apply(seed)
                                .withDistributedJobs(distributedJobsPerNode));
    }

    private SimulationSetup setup() {
        double pause = rounds.settings().assumedPauseSeconds();
        GpuTypes types = rounds.settings().gpuTypes();
        return new SimulationSetup(
                rounds.cluster().everSeen(),
                types,
                rounds.settings().intervalSeconds(),
                true,
                new ResizePause(pause, pause, true, true),
                Faults.NONE,
                rounds.cluster().changes());
    }
}
