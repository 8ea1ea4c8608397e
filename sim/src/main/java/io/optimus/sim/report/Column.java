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
record Column(String key, String head, int decimals, ToDoubleFunction<Line> value) {
    /** Those that two runs with the same seed have alike. */
    static final List<Column> REPEATABLE = List.of(
            new Column("", "seeds", 0, Line::seeds),
            new Column("", "jobs", 0, line -> line.mean().jobs()),
            new Column("meanJctSeconds", "mean JCT s", 0, line -> line.mean().meanJct()),
            new Column("", "of first", 2, Line::ofFirst),
            new Column("", "±", 2, Line::ofFirstMargin),
            new Column("p50", "p50 s", 0, line -> line.mean().p50()),
            new Column("p90", "p90 s", 0, line -> line.mean().p90()),
            new Column("p99", "p99 s", 0, line -> line.mean().p99()),
            new Column("makespanSeconds", "makespan", 0, line -> line.mean().makespan()),
            new Column("resizesPerJob", "resizes", 1, line -> line.mean().resizesPerJob()),
            new Column("longestWaitSeconds", "max wait", 0, line -> line.mean().longestWait()),
            new Column("fairness", "rho", 2, line -> line.mean().fairness()),
            new Column("worstFairness", "max rho", 2, line -> line.mean().worstFairness()));

    private static final List<Column> BY_THE_CLOCK =
            List.of(new Column("", "ms", 2, Line::decisionMillis), new Column("", "max ms", 1, Line::longestMillis));

    /** All, in their order. */
    static final List<Column> ALL =
            Stream.concat(REPEATABLE.stream(), BY_THE_CLOCK.stream()).toList();

    /** Those of files. */
    static List<Column> inFiles() {
        return REPEATABLE.stream().filter(column -> !column.key.isEmpty()).toList();
    }

    double of(Line line) {
        return value.applyAsDouble(line);
    }

    /** For people; a dash for what is not known. */
    String words(Line line) {
        double number = of(line);
        return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }
}
