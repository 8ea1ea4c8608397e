package io.optimus.hadooptests;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Prints the results as tables in Markdown. */
final class Summary {
    private static final String ROW = "| %s | %s | %s | %s | %s | %s | %s |%n";

    private final PrintStream out;

    Summary(PrintStream out) {
        this.out = out;
    }

    /** One line for a class that has ended. */
    static String line(ClassResult result) {
        return String.format(
                Locale.ROOT,
                "%-60s stock %s   optimus %s   %.0f s + %.0f s%s",
                result.simpleName(),
                figures(result.stock()),
                figures(result.optimus()),
                result.stock().seconds(),
                result.optimus().seconds(),
                result.repeats().isEmpty() ? "" : "   " + result.repeats());
    }

    void print(List<ClassResult> results) {
        out.printf(
                ROW,
                "test class",
                "tests",
                "failures, errors on stock",
                "on Optimus",
                "s on stock",
                "on Optimus",
                "Optimus made");
        out.printf(ROW, "---", "---", "---", "---", "---", "---", "---");
        for (ClassResult result : results) {
            out.printf(
                    ROW,
                    result.simpleName(),
                    result.stock().outcomes().size(),
                    red(result.stock()),
                    red(result.optimus()),
                    Math.round(result.stock().seconds()),
                    Math.round(result.optimus().seconds()),
                    result.optimus().madeOptimus() ? "yes" : "no");
        }
        out.println();
        out.printf(
                "%d classes, %d tests; green on stock %d, on Optimus %d; red on stock %d, on Optimus %d%n",
                results.size(),
                sum(results, result -> result.stock().outcomes().size()),
                sum(results, result -> result.stock().count(Outcome.PASSED)),
                sum(results, result -> result.optimus().count(Outcome.PASSED)),
                sum(results, result -> redCount(result.stock())),
                sum(results, result -> redCount(result.optimus())));
        printRed(results);
    }

    /** Every test that was red anywhere. */
    private void printRed(List<ClassResult> results) {
        for (ClassResult result : results) {
            result.stock().problem().ifPresent(problem -> out.println(result.simpleName() + " on stock: " + problem));
            result.optimus()
                    .problem()
                    .ifPresent(problem -> out.println(result.simpleName() + " on Optimus: " + problem));
            result.stock().outcomes().keySet().stream().sorted().forEach(test -> {
                if (result.stock().isRed(test)) {
                    String other = result.optimus().isRed(test) ? "on both" : "on stock only";
                    out.println(result.simpleName() + "." + test + ": red " + other);
                }
            });
            result.repeats().forEach(repeats -> out.println(result.simpleName() + "." + repeats));
        }
    }

    private static String figures(RunResult run) {
        return run.count(Outcome.PASSED) + "/" + run.outcomes().size();
    }

    private static String red(RunResult run) {
        return run.problem().orElse(run.count(Outcome.FAILED) + ", " + run.count(Outcome.ERROR));
    }

    private static long redCount(RunResult run) {
        return run.count(Outcome.FAILED) + run.count(Outcome.ERROR);
    }

    private static long sum(List<ClassResult> results, ToLongFunction<ClassResult> figure) {
        return results.stream().mapToLong(figure).sum();
    }
}
