package io.optimus.sim.report;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A figure of a line: the same ones in the terminal, on the page and in files.
 *
 * @param key in files; empty where it is no figure of the jobs of one run
 * @param head above it, for people
 * @param decimals that people read
 * @param value of a line
 */
record ResultColumn(String key, String head, int decimals, ToDoubleFunction<ResultLine> value) {
    /** Those that two runs with the same seed have alike. */
    static final List<ResultColumn> REPEATABLE = List.of(
            new ResultColumn("", "seeds", 0, ResultLine::seeds),
            new ResultColumn("", "jobs", 0, line -> line.mean().jobs()),
            new ResultColumn(
                    "meanJctSeconds", "mean JCT s", 0, line -> line.mean().meanJct()),
            new ResultColumn("", "of first", 2, ResultLine::ofFirst),
            new ResultColumn("", "±", 2, ResultLine::ofFirstMargin),
            new ResultColumn("p50", "p50 s", 0, line -> line.mean().p50()),
            new ResultColumn("p90", "p90 s", 0, line -> line.mean().p90()),
            new ResultColumn("p99", "p99 s", 0, line -> line.mean().p99()),
            new ResultColumn(
                    "makespanSeconds", "makespan", 0, line -> line.mean().makespan()),
            new ResultColumn("resizesPerJob", "resizes", 1, line -> line.mean().resizesPerJob()),
            new ResultColumn(
                    "longestWaitSeconds", "max wait", 0, line -> line.mean().longestWait()),
            new ResultColumn("fairness", "rho", 2, line -> line.mean().fairness()),
            new ResultColumn("worstFairness", "max rho", 2, line -> line.mean().worstFairness()));

    private static final List<ResultColumn> BY_THE_CLOCK = List.of(
            new ResultColumn("", "ms", 2, ResultLine::decisionMillis),
            new ResultColumn("", "max ms", 1, ResultLine::longestMillis));

    /** All, in their order. */
    static final List<ResultColumn> ALL =
            Stream.concat(REPEATABLE.stream(), BY_THE_CLOCK.stream()).toList();

    /** Those of files. */
    static List<ResultColumn> inFiles() {
        return REPEATABLE.stream().filter(column -> !column.key.isEmpty()).toList();
    }

    double of(ResultLine line) {
        return value.applyAsDouble(line);
    }

    /** For people; a dash for what is not known. */
    String words(ResultLine line) {
        double number = of(line);
        return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }
}
