package io.optimus.sim.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * A line of the table.
 *
 * @param workload its name
 * @param policy its name
 * @param seeds how many runs the means are of
 * @param mean over the seeds
 * @param ofFirst mean completion time over that of the first policy on the same workload
 * @param ofFirstMargin half of the 95 % confidence interval of that, over the seeds (paired, Student's t); NaN of one seed
 * @param decisionMillis mean over rounds and seeds
 * @param longestMillis longest round
 */
record ResultLine(
        String workload,
        String policy,
        int seeds,
        Statistics mean,
        double ofFirst,
        double ofFirstMargin,
        double decisionMillis,
        double longestMillis) {
    /** One for each workload and policy, in the order of their first runs. */
    static List<ResultLine> of(List<RunResult> results) {
        Map<List<String>, List<RunResult>> runs = new LinkedHashMap<>();
        for (RunResult result : results) {
            runs.computeIfAbsent(List.of(result.workload(), result.policy()), key -> new ArrayList<>())
                    .add(result);
        }
        Map<String, List<RunResult>> first = new LinkedHashMap<>();
        List<ResultLine> lines = new ArrayList<>();
        runs.forEach((key, ofSeeds) -> lines.add(of(ofSeeds, first.computeIfAbsent(key.get(0), workload -> ofSeeds))));
        return lines;
    }

    /** Of a run alone. */
    static ResultLine of(RunResult run) {
        return of(List.of(run), List.of(run));
    }

    private static ResultLine of(List<RunResult> ofSeeds, List<RunResult> first) {
        RunResult any = ofSeeds.get(0);
        return new ResultLine(
                any.workload(),
                any.policy(),
                ofSeeds.size(),
                Statistics.mean(ofSeeds.stream().map(RunResult::statistics).toList()),
                meanJct(ofSeeds) / meanJct(first),
                margin(ofSeeds, first),
                ofSeeds.stream()
                        .mapToDouble(run -> run.decisions().meanMillis())
                        .average()
                        .orElseThrow(),
                ofSeeds.stream()
                        .mapToDouble(run -> run.decisions().maxMillis())
                        .max()
                        .orElseThrow());
    }

    private static double meanJct(List<RunResult> runs) {
        return runs.stream()
                .mapToDouble(run -> run.statistics().meanJct())
                .average()
                .orElseThrow();
    }

    private static double margin(List<RunResult> runs, List<RunResult> first) {
        if (runs.size() < 2 || runs.size() != first.size()) {
            return Double.NaN;
        }
        SummaryStatistics ratios = new SummaryStatistics();
        for (int i = 0; i < runs.size(); i++) {
            ratios.addValue(runs.get(i).statistics().meanJct()
                    / first.get(i).statistics().meanJct());
        }
        double quantile = new TDistribution(runs.size() - 1).inverseCumulativeProbability(0.975);
        return quantile * ratios.getStandardDeviation() / Math.sqrt(runs.size());
    }
}
