package io.optimus.benchmarks;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Compares the time of a plan with that of Optimus's paper, and with that of a genetic search in the same run. */
final class PublishedComparison {
    /** The paper's largest test. */
    static final Scale PAPER = new Scale(4000, 16_000);

    /** A cluster of 64 GPUs, as in the evaluation of Pollux, with as many jobs as its whole trace has. */
    static final Scale POLLUX = new Scale(160, 8);

    /** "About 5 s" for 4,000 jobs with 100,000 tasks on 16,000 nodes (Optimus, section 6). */
    private static final double PAPER_MILLIS = 5000;

    private static final List<String> ROUNDS = List.of("first", "steady");

    private final List<BenchmarkResult> all;
    private final PrintStream out;

    /** Compares all results of this run. */
    PublishedComparison(List<BenchmarkResult> all, PrintStream out) {
        this.all = all;
        this.out = out;
    }

    void print() {
        out.println();
        for (String policy : List.of("optimus", "marginal-goodput")) {
            for (String round : ROUNDS) {
                double millis = planning(policy, round, PAPER);
                if (millis > 0) {
                    out.printf(
                            Locale.ROOT,
                            "%s plans %s in %.0f ms in a %s round; Optimus's paper: about 5 s, %.0f times as long%n",
                            policy,
                            PAPER.inWords(),
                            millis,
                            round,
                            PAPER_MILLIS / millis);
                }
            }
        }
        for (String round : ROUNDS) {
            double search = planning("pollux", round, POLLUX);
            double ours = planning("marginal-goodput", round, POLLUX);
            if (search > 0 && ours > 0) {
                out.printf(
                        Locale.ROOT,
                        "pollux plans %s in %.0f ms in a %s round, marginal-goodput in %.2f ms: %.0f times as long%n",
                        POLLUX.inWords(),
                        search,
                        round,
                        ours,
                        search / ours);
            }
        }
    }

    /** The time of allocation and placement together; 0 if they were not measured. */
    private double planning(String policy, String round, Scale scale) {
        return all.stream()
                .filter(measured -> measured.subject().policy().equals(policy)
                        && measured.subject().round().equals(round)
                        && measured.subject().jobs() == scale.jobs()
                        && measured.subject().nodes() == scale.nodes())
                .mapToDouble(BenchmarkResult::millis)
                .sum();
    }
}
