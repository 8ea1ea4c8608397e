package io.optimus.sim.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of the table.
 *
 * @param workload its name
 * @param policy its name
 * @param seeds how many runs the means are of
 * @param mean over the seeds
 * @param ofFirst mean completion time over that of the first policy on the same workload
 * @param decisionMillis mean over rounds and seeds
 * @param longestMillis longest round
 */
record Line(
        String workload,
        String policy,
        int seeds,
        Statistics mean,
        double ofFirst,
        double decisionMillis,
        double longestMillis) {
    /** One for each workload and policy, in the order of their first runs. */
    static List<Line> of(List<RunResult> results) {
        Map<List<String>, List<RunResult>> runs = new LinkedHashMap<>();
        for (RunResult result : results) {
            runs.computeIfAbsent(List.of(result.workload(), result.policy()), key -> new ArrayList<>())
                    .add(result);
        }
        Map<String, Double> first = new LinkedHashMap<>();
        List<Line> lines = new ArrayList<>();
        runs.forEach((key, ofSeeds) -> {
            Line line = of(ofSeeds, 1);
            double reference = first.computeIfAbsent(line.workload, workload -> line.mean.meanJct());
            lines.add(of(ofSeeds, line.mean.meanJct() / reference));
        });
        return lines;
    }

    /** Of a run alone. */
    static Line of(RunResult run) {
        return of(List.of(run), 1);
    }

    private static Line of(List<RunResult> ofSeeds, double ofFirst) {
        RunResult any = ofSeeds.get(0);
        return new Line(
                any.workload(),
                any.policy(),
                ofSeeds.size(),
                Statistics.mean(ofSeeds.stream().map(RunResult::statistics).toList()),
                ofFirst,
                ofSeeds.stream()
                        .mapToDouble(run -> run.decisions().meanMillis())
                        .average()
                        .orElseThrow(),
                ofSeeds.stream()
                        .mapToDouble(run -> run.decisions().maxMillis())
                        .max()
                        .orElseThrow());
    }
}
