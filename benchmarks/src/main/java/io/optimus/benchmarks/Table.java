package io.optimus.benchmarks;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The measured times, and how they grow with jobs and with nodes. */
final class Table {
    private static final double MEGABYTE = 1e6;

    private final PrintStream out;

    Table(PrintStream out) {
        this.out = out;
    }

    void print(List<Measured> all, double calibrationMillis) {
        out.printf(Locale.ROOT, "%ncalibration loop: %.3f ms%n%n", calibrationMillis);
        out.printf(
                "%-14s %-18s %6s %6s %12s %14s %10s%n", "step", "policy", "jobs", "nodes", "ms", "x calibration", "MB");
        for (Measured measured : all) {
            out.printf(
                    Locale.ROOT,
                    "%-14s %-18s %6s %6s %12.4g %14.4g %10.4g%n",
                    measured.benchmark(),
                    measured.policy(),
                    count(measured.jobs()),
                    count(measured.nodes()),
                    measured.millis(),
                    measured.millis() / calibrationMillis,
                    measured.bytes() / MEGABYTE);
        }
        printGrowth(all);
    }

    private static String count(int number) {
        return number == 0 ? "" : String.valueOf(number);
    }

    private void printGrowth(List<Measured> all) {
        out.printf("%ngrowth as an exponent (1: in proportion)%n");
        out.printf("%-14s %-18s %10s %10s%n", "step", "policy", "of jobs", "of nodes");
        all.stream()
                .filter(measured -> measured.jobs() > 0)
                .map(measured -> List.of(measured.benchmark(), measured.policy()))
                .distinct()
                .forEach(row -> out.printf(
                        "%-14s %-18s %10s %10s%n",
                        row.get(0),
                        row.get(1),
                        growth(all, row, Measured::jobs, Measured::nodes),
                        growth(all, row, Measured::nodes, Measured::jobs)));
    }

    /** Along {@code axis}, at the largest of the other axis. */
    private static String growth(
            List<Measured> all, List<String> row, ToIntFunction<Measured> axis, ToIntFunction<Measured> other) {
        List<Measured> ofRow = all.stream()
                .filter(measured -> row.equals(List.of(measured.benchmark(), measured.policy())))
                .toList();
        int largest = ofRow.stream().mapToInt(other).max().orElse(0);
        SortedMap<Integer, Double> millis = new TreeMap<>();
        ofRow.stream()
                .filter(measured -> other.applyAsInt(measured) == largest)
                .forEach(measured -> millis.put(axis.applyAsInt(measured), measured.millis()));
        @Nullable Double exponent = GrowthExponent.of(millis);
        return exponent == null ? "-" : String.format(Locale.ROOT, "%.2f", exponent);
    }
}
