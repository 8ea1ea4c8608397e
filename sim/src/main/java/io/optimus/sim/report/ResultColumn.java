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
 * @param decimals number of decimals that are shown
 * @param value the figure of a line
 */
record ResultColumn(String key, String head, int decimals, ToDoubleFunction<ResultLine> value) {
    /** The columns that are equal in two runs with the same seed. */
    static final List<ResultColumn> REPEATABLE = List.of(
            new ResultColumn("", "seeds", 0, ResultLine::seeds),
            new ResultColumn("", "jobs", 0, line -> line.mean().jobs()),
            new ResultColumn("meanJctSeconds", "mean JCT s", 0, line -> line.mean()
                    .completion()
                    .mean()),
            new ResultColumn("", "of first", 2, line -> line.ofFirst().value()),
            new ResultColumn("", "±", 2, line -> line.ofFirst().margin()),
            new ResultColumn("p50", "p50 s", 0, line -> line.mean().completion().p50()),
            new ResultColumn("p90", "p90 s", 0, line -> line.mean().completion().p90()),
            new ResultColumn("p99", "p99 s", 0, line -> line.mean().completion().p99()),
            new ResultColumn(
                    "makespanSeconds", "makespan", 0, line -> line.mean().makespan()),
            new ResultColumn("resizesPerJob", "resizes", 1, line -> line.mean().resizesPerJob()),
            new ResultColumn(
                    "longestWaitSeconds", "max wait", 0, line -> line.mean().longestWait()),
            new ResultColumn(
                    "fairness", "rho", 2, line -> line.mean().fairness().mean()),
            new ResultColumn("worstFairness", "max rho", 2, line -> line.mean()
                    .fairness()
                    .worst()));

    private static final List<ResultColumn> BY_THE_CLOCK = List.of(
            new ResultColumn("", "ms", 2, ResultLine::decisionMillis),
            new ResultColumn("", "max ms", 1, ResultLine::longestMillis));

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
