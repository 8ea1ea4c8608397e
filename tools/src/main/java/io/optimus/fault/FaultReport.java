package io.optimus.fault;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What happened, how the jobs recovered, and what did not hold. */
final class FaultReport {
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final List<Job> jobs = new ArrayList<>();
    private final List<FaultEntry> faults = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * How a job ended.
     *
     * @param steps that it says it has done, 0 if it left no result
     * @param stepsRedone after it had gone back
     * @param longestIdleSeconds its longest time without steps
     */
    record Job(
            String name,
            String id,
            String finalStatus,
            long steps,
            double finalLoss,
            int attempts,
            long stepsRedone,
            double longestIdleSeconds) {}

    /**
     * A fault.
     *
     * @param job application id; empty if it hits all jobs
     * @param idleSeconds the longest time without steps of any job that it hit
     */
    private record FaultEntry(
            String kind, String target, String job, double atSeconds, double seconds, double idleSeconds) {}

    FaultReport(long seed, int minutes) {
        fields.put("seed", seed);
        fields.put("minutes", minutes);
    }

    /** Something that should hold did not. */
    void problem(String what) {
        problems.add(what);
    }

    List<String> problems() {
        return List.copyOf(problems);
    }

    void job(Job job) {
        jobs.add(job);
    }

    /** A fault, after which the job that lost most did no step for {@code idleSeconds}. */
    void fault(InjectedFault fault, long startMillis, double idleSeconds) {
        faults.add(new FaultEntry(
                fault.fault().word(),
                fault.target(),
                fault.job(),
                (fault.fromMillis() - startMillis) / 1e3,
                (fault.toMillis() - fault.fromMillis()) / 1e3,
                idleSeconds));
    }

    void write(Path file) throws IOException {
        fields.put("jobs", jobs);
        fields.put("faults", faults);
        fields.put("recoveries", recoveries());
        fields.put("problems", problems);
        Files.createDirectories(file.toAbsolutePath().getParent());
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), fields);
    }

    /** How long no step was done after the faults of one kind. */
    private record Recovery(String kind, int count, double medianIdleSeconds, double longestIdleSeconds) {}

    private List<Recovery> recoveries() {
        Map<String, List<Double>> idleByKind = new TreeMap<>();
        for (FaultEntry fault : faults) {
            idleByKind.computeIfAbsent(fault.kind, kind -> new ArrayList<>()).add(fault.idleSeconds);
        }
        List<Recovery> rows = new ArrayList<>();
        idleByKind.forEach((kind, idle) -> {
            List<Double> sorted = idle.stream().sorted().toList();
            rows.add(new Recovery(kind, sorted.size(), sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1)));
        });
        return rows;
    }

    void print(PrintStream out) {
        out.printf("%n%-26s %6s %14s %14s%n", "fault", "count", "median idle s", "longest idle s");
        for (Recovery row : recoveries()) {
            out.printf(
                    Locale.ROOT,
                    "%-26s %6d %14.1f %14.1f%n",
                    row.kind,
                    row.count,
                    row.medianIdleSeconds,
                    row.longestIdleSeconds);
        }
        out.printf(
                "%n%-14s %-32s %-10s %7s %8s %9s %7s %14s%n",
                "job", "application", "status", "steps", "loss", "attempts", "redone", "longest idle s");
        for (Job job : jobs) {
            out.printf(
                    Locale.ROOT,
                    "%-14s %-32s %-10s %7d %8.4f %9d %7d %14.1f%n",
                    job.name,
                    job.id,
                    job.finalStatus,
                    job.steps,
                    job.finalLoss,
                    job.attempts,
                    job.stepsRedone,
                    job.longestIdleSeconds);
        }
        out.println();
        problems.forEach(problem -> out.println("PROBLEM: " + problem));
        out.printf(
                "seed %s; scripts/fault-test --minutes %s --seed %s repeats the faults%n",
                fields.get("seed"), fields.get("minutes"), fields.get("seed"));
    }
}
