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
import java.util.Map;
import java.util.TreeMap;

/** What happened, how the jobs recovered, and what did not hold. */
final class FaultReport {
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final List<Map<String, Object>> jobs = new ArrayList<>();
    private final List<Map<String, Object>> faults = new ArrayList<>();
    private final Map<String, List<Double>> idleByKind = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

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

    void job(Map<String, Object> job) {
        jobs.add(job);
    }

    /** A fault, after which the job that lost most did no step for {@code idleSeconds}. */
    void fault(InjectedFault fault, long startMillis, double idleSeconds) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("kind", fault.fault().word());
        entry.put("target", fault.target());
        entry.put("job", fault.job());
        entry.put("atSeconds", (fault.fromMillis() - startMillis) / 1e3);
        entry.put("seconds", (fault.toMillis() - fault.fromMillis()) / 1e3);
        entry.put("idleSeconds", idleSeconds);
        faults.add(entry);
        idleByKind
                .computeIfAbsent(fault.fault().word(), kind -> new ArrayList<>())
                .add(idleSeconds);
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
            out.printf("%-26s %6d %14.1f %14.1f%n", row.kind, row.count, row.medianIdleSeconds, row.longestIdleSeconds);
        }
        out.println();
        jobs.forEach(job -> out.println(job));
        problems.forEach(problem -> out.println("PROBLEM: " + problem));
        out.printf(
                "seed %s; scripts/fault-test --minutes %s --seed %s repeats the faults%n",
                fields.get("seed"), fields.get("minutes"), fields.get("seed"));
    }
}
