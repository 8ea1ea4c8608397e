package io.optimus.sim.report;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A column of the table, which the terminal, the page and the files share.
 *
 * @param key key in files; empty if the figure is not in files
 * @param head head of the column
 * @param explanation what the figure is, in words
 * @param decimals number of decimals that are shown
 * @param value the figure of a line
 */
record ResultColumn(String key, String head, String explanation, int decimals, ToDoubleFunction<ResultLine> value) {
    /** The columns that are equal in two runs with the same seed. */
    static final List<ResultColumn> REPEATABLE = List.of(
            new ResultColumn("", "seeds", "simulations with other random draws; figures are means over them", 0, line ->
                    (double) line.seeds()),
            new ResultColumn(
                    "", "jobs", "jobs of the workload", 0, line -> line.mean().jobs()),
            new ResultColumn(
                    "meanJctSeconds",
                    "mean JCT s",
                    "mean completion time of a job in seconds, from submission to end",
                    0,
                    line -> line.mean().completion().mean()),
            new ResultColumn(
                    "",
                    "of first",
                    "mean completion time relative to the first policy on the same workload; below 1 is faster",
                    2,
                    line -> line.ofFirst().value()),
            new ResultColumn(
                    "",
                    "±",
                    "half of the 95 % confidence interval of that ratio over the seeds; – with one seed",
                    2,
                    line -> line.ofFirst().margin()),
            new ResultColumn("p50", "p50 s", "half of the jobs complete within so many seconds", 0, line -> line.mean()
                    .completion()
                    .p50()),
            new ResultColumn("p90", "p90 s", "nine of ten jobs complete within so many seconds", 0, line -> line.mean()
                    .completion()
                    .p90()),
            new ResultColumn("p99", "p99 s", "99 of 100 jobs complete within so many seconds", 0, line -> line.mean()
                    .completion()
                    .p99()),
            new ResultColumn(
                    "makespanSeconds",
                    "makespan",
                    "seconds from the first submission to the last end",
                    0,
                    line -> line.mean().makespan()),
            new ResultColumn(
                    "resizesPerJob",
                    "resizes",
                    "mean number of times that a job got other tasks after its start",
                    1,
                    line -> line.mean().resizesPerJob()),
            new ResultColumn(
                    "longestWaitSeconds",
                    "max wait",
                    "longest time in seconds that any job was without tasks in a row",
                    0,
                    line -> line.mean().longestWait()),
            new ResultColumn(
                    "fairness",
                    "rho",
                    "completion time relative to that on an equal share of the cluster, mean over jobs; above 1 is slower",
                    2,
                    line -> line.mean().fairness().mean()),
            new ResultColumn("worstFairness", "max rho", "the same for the job that fared worst", 2, line -> line.mean()
                    .fairness()
                    .worst()));

    private static final List<ResultColumn> BY_THE_CLOCK = List.of(
            new ResultColumn("", "ms", "mean time of planning a round, in milliseconds", 2, ResultLine::decisionMillis),
            new ResultColumn("", "max ms", "time of planning the longest round", 1, ResultLine::longestMillis));

    static final List<ResultColumn> ALL =
            Stream.concat(REPEATABLE.stream(), BY_THE_CLOCK.stream()).toList();

    static List<ResultColumn> inFiles() {
        return REPEATABLE.stream().filter(column -> !column.key.isEmpty()).toList();
    }

    double of(ResultLine line) {
        return value.applyAsDouble(line);
    }

    /** Returns the figure as text, or a dash if it is not known. */
    String words(ResultLine line) {
        double number = of(line);
        return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }
}
