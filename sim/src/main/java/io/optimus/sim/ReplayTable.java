package io.optimus.sim;

import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.recording.RecordedCluster;
import io.optimus.sim.recording.RecordedJob;
import io.optimus.sim.report.RunResult;
import io.optimus.sim.report.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.csv.CSVFormat;

/**
 * What would have differed under other policies, job by job. Times under a policy are means over the seeds.
 *
 * <p>The first policy is the one that ran. How far its replay is from what happened says how far to trust the others, which
 * are therefore compared with the replay, not with what happened.
 */
final class ReplayTable {
    private static final int LONGEST_NAME = 28;
    private static final double PERCENT = 100;

    private final RecordedCluster cluster;
    private final Map<String, Map<String, Figures>> byPolicy = new LinkedHashMap<>();

    /** The times of one job under a policy, in seconds. */
    private record Figures(double waited, double total) {}

    private ReplayTable(RecordedCluster cluster) {
        this.cluster = cluster;
    }

    static ReplayTable of(RecordedCluster cluster, List<RunResult> results) {
        ReplayTable table = new ReplayTable(cluster);
        Map<String, List<JobOutcome>> outcomes = new LinkedHashMap<>();
        results.forEach(result -> outcomes.computeIfAbsent(result.run().policy(), policy -> new ArrayList<>())
                .addAll(result.jobs()));
        outcomes.forEach((policy, jobs) -> {
            Map<String, Figures> figures = new LinkedHashMap<>();
            for (RecordedJob job : cluster.jobs()) {
                List<JobOutcome> own =
                        jobs.stream().filter(each -> each.id().equals(job.id())).toList();
                figures.put(
                        job.id(), new Figures(mean(own, JobOutcome::queueSeconds), mean(own, JobOutcome::jctSeconds)));
            }
            table.byPolicy.put(policy, figures);
        });
        return table;
    }

    private static double mean(List<JobOutcome> jobs, ToDoubleFunction<JobOutcome> value) {
        return jobs.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    private Figures of(String policy, RecordedJob job) {
        Figures none = new Figures(Double.NaN, Double.NaN);
        return byPolicy.getOrDefault(policy, Map.of()).getOrDefault(job.id(), none);
    }

    private List<String> policies() {
        return List.copyOf(byPolicy.keySet());
    }

    private String ran() {
        return policies().get(0);
    }

    /** Lines for the terminal: notices, the table, and how well the replay reproduces what happened. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(cluster.notices());
        lines.add("");
        lines.addAll(TextTable.aligned(cells(), 3));
        lines.add("");
        lines.addAll(honesty());
        lines.addAll(means());
        lines.add("");
        return lines;
    }

    private List<List<String>> cells() {
        List<String> head = new ArrayList<>(List.of("job", "name", "recorded in part", "recorded s", "waited"));
        head.addAll(List.of(ran() + " again", "waited", "off by"));
        for (String policy : others()) {
            head.addAll(List.of(policy, "waited", "of " + ran()));
        }
        List<List<String>> cells = new ArrayList<>(List.of(head));
        for (RecordedJob job : cluster.jobs()) {
            Figures again = of(ran(), job);
            List<String> row = new ArrayList<>(List.of(
                    job.id(),
                    shortened(job.name()),
                    job.known().inWords(),
                    seconds(job.seconds()),
                    seconds(job.waitedSeconds()),
                    seconds(again.total()),
                    seconds(again.waited()),
                    percent(again.total() / job.seconds() - 1)));
            for (String policy : others()) {
                Figures other = of(policy, job);
                row.addAll(List.of(
                        seconds(other.total()), seconds(other.waited()), percent(other.total() / again.total() - 1)));
            }
            cells.add(row);
        }
        return cells;
    }

    private List<String> others() {
        return policies().subList(1, policies().size());
    }

    private List<String> honesty() {
        double[] errors = cluster.jobs().stream()
                .filter(job -> job.known().isWhole() && job.seconds() > 0)
                .mapToDouble(job -> Math.abs(of(ran(), job).total() / job.seconds() - 1))
                .sorted()
                .toArray();
        if (errors.length == 0) {
            return List.of("No job was recorded from its arrival to its end, so nothing says how well the replay"
                    + " reproduces what happened.");
        }
        double median = (errors[(errors.length - 1) / 2] + errors[errors.length / 2]) / 2;
        return List.of(String.format(
                Locale.ROOT,
                "The replay under %s misses the recorded completion times of %d whole jobs by %.0f %% in the median and"
                        + " %.0f %% at worst. Do not trust smaller differences between policies.",
                ran(),
                errors.length,
                PERCENT * median,
                PERCENT * errors[errors.length - 1]));
    }

    private List<String> means() {
        double happened = Arrays.stream(cluster.jobs().stream()
                        .mapToDouble(RecordedJob::seconds)
                        .toArray())
                .average()
                .orElse(Double.NaN);
        double again = mean(ran());
        List<String> lines = new ArrayList<>();
        lines.add("Mean completion time of all " + cluster.jobs().size() + " jobs: recorded " + seconds(happened)
                + " s, replayed under " + ran() + " " + seconds(again) + " s (" + percent(again / happened - 1) + ")");
        for (String policy : others()) {
            lines.add("  under " + policy + " " + seconds(mean(policy)) + " s (" + percent(mean(policy) / again - 1)
                    + " of the replay)");
        }
        return lines;
    }

    private double mean(String policy) {
        return cluster.jobs().stream()
                .mapToDouble(job -> of(policy, job).total())
                .average()
                .orElse(Double.NaN);
    }

    /** One line for each job and policy, with what was recorded. */
    String csv() {
        List<String> lines = new ArrayList<>();
        lines.add("job,name,user,queue,outcome,beganBefore,arrivalSeconds,recordedWaitSeconds,recordedSeconds,policy,"
                + "waitSeconds,seconds");
        for (RecordedJob job : cluster.jobs()) {
            for (String policy : policies()) {
                Figures figures = of(policy, job);
                lines.add(CSVFormat.DEFAULT.format(
                        job.id(),
                        job.name(),
                        job.simulated().submission().user(),
                        job.simulated().submission().queue(),
                        job.known().outcome(),
                        job.known().beganBefore(),
                        thousandths(job.simulated().arrivalSeconds()),
                        thousandths(job.waitedSeconds()),
                        thousandths(job.seconds()),
                        policy,
                        thousandths(figures.waited()),
                        thousandths(figures.total())));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String thousandths(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%,.0f", seconds);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%+.0f %%", PERCENT * part);
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 1) + "…";
    }
}
