package io.optimus.yarn.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.yarn.enforce.Ceiling;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What came of a soak: figures, and everything that must not be. */
final class SoakReport {
    private static final int SLACK_THREADS = 15;
    private static final double HEAP_GROWTH = 0.15;
    private static final double HEAP_SLACK_MB = 25;
    private static final double LOG_GROWTH = 2;
    private static final int CLASSES = 12;
    /** Objects of a class that a constant holds. */
    private static final int CONSTANTS = 1;

    private final SoakOptions options;
    private final Map<String, Integer> submitted = new TreeMap<>();
    private final Map<String, Integer> ends = new TreeMap<>();
    private final List<Double> startSeconds = new ArrayList<>();
    private final List<Double> changes = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private int neverStarted;

    SoakReport(SoakOptions options) {
        this.options = options;
    }

    void submitted(Script script) {
        submitted.merge(script.getClass().getSimpleName(), 1, Integer::sum);
    }

    void ended(SimulatedApplication application) {
        ends.merge(application.script().getClass().getSimpleName() + " " + application.end(), 1, Integer::sum);
        if (application.work() instanceof TrainingWork work) {
            started(work.watch());
        }
    }

    private void started(StartWatch watch) {
        if (watch.startMillis().isPresent()) {
            startSeconds.add(watch.startMillis().getAsLong() / 1000.0);
            changes.add((double) watch.changes());
        } else {
            neverStarted++;
        }
    }

    void sample(Sample sample) {
        samples.add(sample);
        System.out.printf(
                "soak: %d s, %d live, heap %.1f MB, %d threads, %d beans, %d log lines, %s%n",
                sample.seconds(),
                sample.live(),
                sample.heapMb(),
                sample.threads(),
                sample.metricsSources(),
                sample.logLines(),
                ends);
    }

    /** Everything that must not be; empty if all is well. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    void finish(Invariants invariants, SoakEvents events, SoakLog log) throws Exception {
        problems.addAll(invariants.violations());
        checkGrowth();
        Sample last = samples.get(samples.size() - 1);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("seed", options.seed());
        json.put("minutes", options.minutes());
        json.put("nodes", options.nodes());
        json.put("seconds", last.seconds());
        json.put("submitted", submitted);
        json.put("ended", ends);
        json.put("endedBeforeStart", neverStarted);
        json.put("events", events.counts());
        json.put("startSeconds", quantiles(startSeconds));
        json.put("nodeChangesBeforeStart", quantiles(changes));
        json.put("longestStarvedSeconds", invariants.longestStarvedSeconds());
        json.put("longestStuckSeconds", invariants.longestStuckSeconds());
        json.put("logLines", log.lines());
        json.put("logWarnings", log.warnings());
        json.put("samples", samples.stream().map(SoakReport::figures).toList());
        json.put("objectsAtEnd", last.mostObjects(CLASSES));
        json.put("problems", problems);
        Path file = options.output().resolve("report.json");
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), json);
        System.out.println("soak: "
                + json.entrySet().stream()
                        .filter(entry -> !entry.getKey().equals("samples"))
                        .map(Object::toString)
                        .collect(Collectors.joining("\n  ")));
        System.out.println("soak: report in " + file.toAbsolutePath());
    }

    private static Map<String, Object> figures(Sample sample) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("seconds", sample.seconds());
        figures.put("live", sample.live());
        figures.put("heapMb", Math.round(sample.heapMb() * 10) / 10.0);
        figures.put("threads", sample.threads());
        figures.put("metricsSources", sample.metricsSources());
        figures.put("logLines", sample.logLines());
        figures.put("logBytes", sample.logBytes());
        return figures;
    }

    private static Map<String, Double> quantiles(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        Map<String, Double> quantiles = new LinkedHashMap<>();
        if (!sorted.isEmpty()) {
            quantiles.put("count", (double) sorted.size());
            quantiles.put("median", at(sorted, 0.5));
            quantiles.put("p90", at(sorted, 0.9));
            quantiles.put("max", at(sorted, 1));
        }
        return quantiles;
    }

    private static double at(List<Double> sorted, double quantile) {
        return sorted.get((int) Math.round(quantile * (sorted.size() - 1)));
    }

    /** Compares the middle third of the samples with the last third, and the idle begin with the idle end. */
    private void checkGrowth() {
        Sample first = samples.get(0);
        Sample last = samples.get(samples.size() - 1);
        if (last.threads() > first.threads() + SLACK_THREADS) {
            problems.add("threads grew from " + first.threads() + " to " + last.threads());
        }
        // Hadoop's metrics of queues keep stopped schedulers in memory where several run in one JVM; these hold no
        // jobs.
        for (Class<?> type : List.of(JobView.class, JobPlan.class, Ceiling.class)) {
            // Tests before this one in the same JVM may have left some.
            long left = last.objects(type) - first.objects(type);
            if (left > CONSTANTS) {
                problems.add(left + " objects of " + type.getName() + " are left without a job");
            }
        }
        int third = samples.size() / 3;
        if (third < 2) {
            return;
        }
        double middleMb = mean(samples.subList(third, 2 * third));
        double lastMb = mean(samples.subList(2 * third, samples.size() - 1));
        if (lastMb > middleMb * (1 + HEAP_GROWTH) + HEAP_SLACK_MB) {
            problems.add("heap grew from " + middleMb + " MB to " + lastMb + " MB");
        }
        double middleRate = bytesPerSecond(samples.get(third), samples.get(2 * third));
        double lastRate = bytesPerSecond(samples.get(2 * third), last);
        if (lastRate > LOG_GROWTH * middleRate) {
            problems.add("log grew from " + middleRate + " to " + lastRate + " bytes a second");
        }
    }

    private static double mean(List<Sample> some) {
        return some.stream().mapToDouble(Sample::heapMb).average().orElse(0);
    }

    private static double bytesPerSecond(Sample from, Sample to) {
        return (to.logBytes() - from.logBytes()) / (double) Math.max(1, to.seconds() - from.seconds());
    }
}
