package io.optimus.benchmarks;

import io.optimus.benchmarks.BenchmarkResult.Subject;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Prints the measured times, and how they grow with jobs and with nodes. */
final class ResultTable {
    private static final double MEGABYTE = 1e6;

    private final PrintStream out;

    ResultTable(PrintStream out) {
        this.out = out;
    }

    void print(List<BenchmarkResult> all) {
        out.printf(
                "%n%-14s %-17s %-7s %6s %6s %12s %14s %10s%n",
                "step", "policy", "round", "jobs", "nodes", "ms", "x calibration", "MB");
        for (BenchmarkResult measured : all) {
            Subject subject = measured.subject();
            out.printf(
                    Locale.ROOT,
                    "%-14s %-17s %-7s %6s %6s %12.4g %14.4g %10.4g%n",
                    subject.benchmark(),
                    subject.policy(),
                    subject.round(),
                    count(subject.jobs()),
                    count(subject.nodes()),
                    measured.millis(),
                    measured.timesCalibration(),
                    measured.bytes() / MEGABYTE);
        }
        printGrowth(all);
    }

    private static String count(int number) {
        return number == 0 ? "" : String.valueOf(number);
    }

    private void printGrowth(List<BenchmarkResult> all) {
        out.printf("%ngrowth of the time as an exponent (1: proportional)%n");
        out.printf("%-14s %-17s %-7s %10s %10s%n", "step", "policy", "round", "of jobs", "of nodes");
        Map<List<String>, List<BenchmarkResult>> rows = new LinkedHashMap<>();
        all.stream().filter(measured -> measured.subject().jobs() > 0).forEach(measured -> rows.computeIfAbsent(
                        row(measured.subject()), row -> new ArrayList<>())
                .add(measured));
        rows.forEach((row, ofRow) -> out.printf(
                "%-14s %-17s %-7s %10s %10s%n",
                row.get(0),
                row.get(1),
                row.get(2),
                growth(ofRow, Subject::jobs, Subject::nodes),
                growth(ofRow, Subject::nodes, Subject::jobs)));
    }

    private static List<String> row(Subject subject) {
        return List.of(subject.benchmark(), subject.policy(), subject.round());
    }

    /** The growth exponent along {@code axis}, at the largest value of the other axis. */
    private static String growth(
            List<BenchmarkResult> ofRow, ToIntFunction<Subject> axis, ToIntFunction<Subject> other) {
        int largest = ofRow.stream()
                .mapToInt(measured -> other.applyAsInt(measured.subject()))
                .max()
                .orElse(0);
        SortedMap<Integer, Double> millis = new TreeMap<>();
        ofRow.stream()
                .filter(measured -> other.applyAsInt(measured.subject()) == largest)
                .forEach(measured -> millis.put(axis.applyAsInt(measured.subject()), measured.millis()));
        @Nullable Double exponent = GrowthExponent.of(millis);
        return exponent == null ? "-" : String.format(Locale.ROOT, "%.2f", exponent);
    }
}
