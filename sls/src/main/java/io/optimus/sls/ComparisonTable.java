package io.optimus.sls;

import java.io.PrintStream;
import java.util.Locale;

/** Prints comparisons as tables. */
final class ComparisonTable {
    private final PrintStream out;

    ComparisonTable(PrintStream out) {
        this.out = out;
    }

    void print(Comparison comparison) {
        Workload workload = comparison.workload();
        out.printf(
                Locale.ROOT,
                "%n%d nodes, %d training jobs, %d ordinary applications, policy %s; medians of %d runs of %d s%n",
                workload.nodes(),
                workload.jobs(),
                workload.applications(),
                workload.policy(),
                comparison.of(Side.OURS).size(),
                workload.seconds());
        out.printf(Locale.ROOT, "%-40s %12s %12s %8s%n", "", "stock", "ours", "ratio");
        for (Figure figure : Figure.ALL) {
            double ratio = comparison.ratio(figure);
            out.printf(
                    Locale.ROOT,
                    "%-40s %12.1f %12.1f %8s%n",
                    figure.words(),
                    comparison.median(Side.STOCK, figure),
                    comparison.median(Side.OURS, figure),
                    Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, "%.2f", ratio));
        }
        if (!comparison.machineFollowed()) {
            out.println("In some run the machine could not follow: each node sends one heartbeat a second.");
        }
    }
}
