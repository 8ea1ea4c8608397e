package io.optimus.sim.report;

import io.optimus.model.chart.Chart;
import io.optimus.model.chart.Chart.Point;
import io.optimus.model.chart.Chart.Series;
import io.optimus.model.chart.HorizontalScale;
import io.optimus.sim.engine.JobOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Writes one self-contained page with the table and with charts of all runs. */
final class HtmlReport {
    /** More points of a distribution would not be visible. */
    private static final int DISTRIBUTION_POINTS = 400;

    private static final String STYLE =
            """
            :root { color-scheme: light; }
            body { font: 15px/1.5 system-ui, sans-serif; color: #1c2430; margin: 0 auto; max-width: 1180px; padding: 24px; }
            h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 8px; }
            .settings { color: #5a6472; margin: 0 0 20px; }
            table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
            th, td { text-align: right; padding: 5px 7px; border-bottom: 1px solid #e3e7ec; }
            th { color: #5a6472; font-weight: 600; } th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; } td { white-space: nowrap; }
            .wide { overflow-x: auto; } details { margin: 8px 0; color: #5a6472; }
            dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; } dt { font-weight: 600; } dd { margin: 0; }
            .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(480px, 1fr)); gap: 24px; }
            """;

    private final List<RunResult> results;
    private final Map<String, List<RunResult>> byPolicy = new LinkedHashMap<>();

    private HtmlReport(List<RunResult> results) {
        this.results = results;
        for (RunResult result : results.stream().filter(RunResult::isRun).toList()) {
            byPolicy.computeIfAbsent(result.run().policy(), policy -> new ArrayList<>())
                    .add(result);
        }
    }

    static String of(List<String> settings, List<RunResult> results) {
        HtmlReport report = new HtmlReport(results);
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Optimus: simulation</title>\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n" + STYLE + Chart.STYLE
                + "</style></head><body>\n<h1>Simulated training jobs</h1>\n<p class=\"settings\">"
                + Chart.escaped(String.join(" · ", settings)) + "</p>\n" + report.table()
                + (report.byPolicy.isEmpty() ? "" : report.charts()) + "</body></html>\n";
    }

    private String charts() {
        return "<h2>Over all workloads and seeds</h2>\n<div class=\"charts\">\n" + distributions() + errors()
                + "</div>\n" + overTime();
    }

    private String table() {
        StringBuilder table = new StringBuilder("<table><thead><tr>");
        table.append("<th>workload</th><th>policy</th>");
        ResultColumn.REPEATABLE.forEach(column -> table.append("<th title=\"")
                .append(Chart.escaped(column.explanation()))
                .append("\">")
                .append(column.head())
                .append("</th>"));
        table.append("</tr></thead><tbody>\n");
        for (ResultLine line : ResultLine.of(results)) {
            table.append("<tr>");
            Stream.concat(
                            Stream.of(Chart.escaped(line.workload()), Chart.escaped(line.policy())),
                            ResultColumn.REPEATABLE.stream().map(column -> column.words(line)))
                    .forEach(cell -> table.append("<td>").append(cell).append("</td>"));
            table.append("</tr>\n");
        }
        return "<div class=\"wide\">" + table.append("</tbody></table></div>\n") + legend();
    }

    /** Says what each column is. */
    private static String legend() {
        StringBuilder legend = new StringBuilder("<details><summary>What the columns are</summary>\n<dl>");
        ResultColumn.REPEATABLE.forEach(column -> legend.append("<dt>")
                .append(column.head())
                .append("</dt><dd>")
                .append(Chart.escaped(column.explanation()))
                .append("</dd>\n"));
        return legend.append("</dl></details>\n").toString();
    }

    private String distributions() {
        boolean resized = byPolicy.values().stream()
                .flatMap(List::stream)
                .flatMap(run -> run.jobs().stream())
                .anyMatch(job -> job.resizes() > 0);
        return new Chart(
                                "Completion times",
                                "completion time, from submission to end",
                                "part of the jobs that ended within it",
                                HorizontalScale.LOGARITHMIC_TIME,
                                ofPolicies(runs -> distribution(runs, JobOutcome::jctSeconds)))
                        .lines()
                + (resized
                        ? new Chart(
                                        "Resizes",
                                        "resizes of a job, starts not counted",
                                        "part of the jobs with at most as many",
                                        HorizontalScale.LINEAR,
                                        ofPolicies(runs -> distribution(runs, JobOutcome::resizes)))
                                .lines()
                        : nothing("Resizes", "no job was resized"));
    }

    /** Says in place of a chart why there is nothing to draw. */
    private static String nothing(String title, String why) {
        return "<figure><figcaption><b>" + title + "</b> " + why + "</figcaption></figure>\n";
    }

    private static String orNothing(Chart chart, String why) {
        return chart.isEmpty() ? nothing(chart.title(), why) : chart.lines();
    }

    private String errors() {
        return orNothing(
                        new Chart(
                                "Error of the predicted end",
                                "progress of the job in %",
                                "mean of |predicted − true| steps, in % of all steps",
                                HorizontalScale.LINEAR,
                                ofPolicies(runs -> errors(runs, PredictionErrors.Bin::end))),
                        "policies knew the end, or never predicted it")
                + orNothing(
                        new Chart(
                                "Error of predicted speed",
                                "progress of the job in %",
                                "mean of |predicted / true − 1| on the size that it has, in %",
                                HorizontalScale.LINEAR,
                                ofPolicies(runs -> errors(runs, PredictionErrors.Bin::speed))),
                        "policies knew the speed, or never predicted it");
    }

    /** Draws only the runs of the first workload and seed: charts of all runs would be too many to read. */
    private String overTime() {
        List<RunResult> runs = results.stream().filter(RunResult::isRun).toList();
        RunResult first = runs.get(0);
        List<RunResult> shown = runs.stream()
                .filter(run -> run.run().workload().equals(first.run().workload())
                        && run.run().seed() == first.run().seed())
                .toList();
        StringBuilder html = new StringBuilder(
                "<h2>Over time: workload " + Chart.escaped(first.run().workload()) + ", seed "
                        + first.run().seed() + "</h2>\n<div class=\"charts\">\n");
        html.append(orNothing(
                new Chart(
                        "Queue",
                        "simulated time",
                        "jobs without any task",
                        HorizontalScale.TIME,
                        shown.stream().map(HtmlReport::queue).toList()),
                "no job waited"));
        Chart.Limit limit = limit(shown);
        for (RunResult run : shown) {
            html.append(new Chart(
                            "GPUs by job, " + run.run().policy(),
                            "simulated time",
                            "of " + run.usage().gpus() + "; point at an area for its job"
                                    + run.usage()
                                            .others()
                                            .map(others -> "; grey: " + others)
                                            .orElse(""),
                            HorizontalScale.TIME,
                            usage(run.usage()))
                    .stacked(run.usage().others().isPresent(), limit));
        }
        return html.append("</div>\n").toString();
    }

    /** All charts of GPUs end with the last job of any policy, at the GPUs of the cluster. */
    private static Chart.Limit limit(List<RunResult> shown) {
        double last = shown.stream()
                .map(RunResult::usage)
                .mapToDouble(usage -> usage.intervalSeconds() * usage.waiting().size())
                .max()
                .orElse(0);
        long gpus = shown.get(0).usage().gpus();
        return new Chart.Limit(last, gpus, "all " + gpus + " GPUs");
    }

    private List<Series> ofPolicies(Function<List<RunResult>, List<Point>> points) {
        List<Series> series = new ArrayList<>();
        byPolicy.forEach((policy, runs) -> series.add(new Series(policy, points.apply(runs))));
        return series;
    }

    /** Returns values, each with the part of all jobs whose value does not exceed it. */
    private static List<Point> distribution(List<RunResult> runs, ToDoubleFunction<JobOutcome> value) {
        double[] sorted = runs.stream()
                .flatMap(run -> run.jobs().stream())
                .mapToDouble(value)
                .sorted()
                .toArray();
        int points = Math.min(DISTRIBUTION_POINTS, sorted.length);
        return IntStream.rangeClosed(0, points)
                .mapToDouble(i -> (double) i / points)
                .mapToObj(part -> new Point(part == 0 ? sorted[0] : Statistics.percentile(sorted, part), part))
                .toList();
    }

    private static List<Point> errors(
            List<RunResult> runs, Function<PredictionErrors.Bin, PredictionErrors.Errors> which) {
        List<PredictionErrors.Bin> bins =
                PredictionErrors.all(runs.stream().map(RunResult::errors).toList());
        return IntStream.range(0, bins.size())
                .mapToObj(bin -> new Point(
                        100 * (bin + 0.5) / bins.size(),
                        100 * which.apply(bins.get(bin)).mean()))
                .toList();
    }

    private static Series queue(RunResult run) {
        return overTime(run.run().policy(), run.usage(), run.usage().waiting());
    }

    private static List<Series> usage(Usage usage) {
        return usage.byJob().stream()
                .map(each -> overTime(each.job(), usage, each.gpus()))
                .toList();
    }

    /** Places each interval's mean at the middle of the interval. */
    private static Series overTime(String name, Usage usage, List<Double> means) {
        return new Series(
                name,
                IntStream.range(0, means.size())
                        .mapToObj(i -> new Point((i + 0.5) * usage.intervalSeconds(), means.get(i)))
                        .toList());
    }
}
