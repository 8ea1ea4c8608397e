package io.optimus.sim.report;

import io.optimus.sim.report.RunResult.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * One line of the table: the runs of one policy on one workload with all seeds.
 *
 * @param workload name of the workload
 * @param policy name of the policy
 * @param seeds number of runs
 * @param mean means over the seeds
 * @param ofFirst mean completion time relative to the first policy on the same workload
 * @param decisionMillis mean time of planning over rounds and seeds
 * @param longestMillis time of planning the longest round
 */
record ResultLine(
        String workload,
        String policy,
        int seeds,
        Statistics mean,
        Ratio ofFirst,
        double decisionMillis,
        double longestMillis) {
    /**
     * A ratio of mean completion times.
     *
     * @param value the ratio of the means over all seeds
     * @param margin half of the 95 % confidence interval over the seeds (paired, Student's t); NaN for one seed
     */
    record Ratio(double value, double margin) {}

    /** Returns a line for each workload and policy, in the order of their first runs. */
    static List<ResultLine> of(List<RunResult> results) {
        Map<List<String>, List<RunResult>> runs = new LinkedHashMap<>();
        for (RunResult result : results) {
            Run run = result.run();
            runs.computeIfAbsent(List.of(run.workload(), run.policy()), key -> new ArrayList<>())
                    .add(result);
        }
        Map<String, List<RunResult>> first = new LinkedHashMap<>();
        List<ResultLine> lines = new ArrayList<>();
        runs.forEach((key, ofSeeds) -> lines.add(of(ofSeeds, first.computeIfAbsent(key.get(0), workload -> ofSeeds))));
        return lines;
    }

    static ResultLine of(RunResult run) {
        return of(List.of(run), List.of(run));
    }

    private static ResultLine of(List<RunResult> ofSeeds, List<RunResult> first) {
        Run any = ofSeeds.get(0).run();
        return new ResultLine(
                any.workload(),
                any.policy(),
                ofSeeds.size(),
                Statistics.mean(ofSeeds.stream().map(RunResult::statistics).toList()),
                new Ratio(meanJct(ofSeeds) / meanJct(first), margin(ofSeeds, first)),
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
                .mapToDouble(run -> run.statistics().completion().mean())
                .average()
                .orElseThrow();
    }

    private static double margin(List<RunResult> runs, List<RunResult> first) {
        if (runs.size() < 2 || runs.size() != first.size()) {
            return Double.NaN;
        }
        SummaryStatistics ratios = new SummaryStatistics();
        for (int i = 0; i < runs.size(); i++) {
            ratios.addValue(runs.get(i).statistics().completion().mean()
                    / first.get(i).statistics().completion().mean());
        }
        double quantile = new TDistribution(runs.size() - 1).inverseCumulativeProbability(0.975);
        return quantile * ratios.getStandardDeviation() / Math.sqrt(runs.size());
    }
}
