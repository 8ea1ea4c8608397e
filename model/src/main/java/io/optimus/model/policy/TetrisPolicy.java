package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.InterruptedComputationException;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.BundleReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.numerics.Medians;
import io.optimus.model.policy.division.BundleGrowth;
import io.optimus.model.policy.division.CompletionTime;
import io.optimus.model.policy.division.Division;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Multi-resource packing with a preference for little remaining work (Tetris, SIGCOMM 2014, section 3).
 *
 * <pre>score = Σ_r (asked_r / capacity_r) · (free_r / capacity_r)  −  ε · work,   ε = mean alignment / mean work</pre>
 *
 * <p>The sum over the resources is the alignment of a bundle with the free resources: it is large for bundles that ask for much
 * of a plentiful resource. The fitting bundle with the largest score is given, until none fits. Jobs that have nothing yet come
 * first; their first bundle is the minimum, whole or not at all. Then come the three quarters of the jobs with the least
 * dominant shares (the published fairness knob). A bundle is one parameter server and one worker, as in Optimus's comparison; a
 * job without parameter servers gets a worker. {@code work} is the seconds to the job's end on its minimum, times the sum of
 * the minimum's shares of the resources. The means are taken over all jobs when the round begins. A job of unknown speed counts
 * with the median work of the others.
 *
 * <p>Minimums come first because Tetris was made for jobs that need all their tasks; here a job needs only its minimum.
 * Without that, and without the knob, short jobs take more tasks than speed them up while long jobs wait.
 *
 * <p>Alignment counts the free resources of the whole cluster; the placer chooses the nodes. Ties go to the larger priority,
 * then to jobs that run, then to the earlier submit time and the smaller id.
 *
 * <p>Example: half of the GPUs and all cores are free. A bundle of 10 % of the GPUs and 1 % of the cores scores 0.06,
 * one of 1 % and 10 % scores 0.105; the first is still given if ε·work of its job is 0.05 less.
 */
public final class TetrisPolicy implements AllocationPolicy {
    /** Tetris was evaluated with this fairness knob f: the quarter of the jobs with the largest shares has to wait. */
    private static final double FAIRNESS = 0.25;

    private static final Comparator<Packer> LEAST_SHARE_FIRST = Comparator.comparingDouble(
                    (Packer packer) -> packer.share)
            .thenComparing(packer -> packer.taker.job(), Precedence.BY_RIGHT);

    /** A job that may take another bundle. */
    private static final class Packer {
        private final BundleGrowth taker;
        private double[] asked = {};
        private double penalty;
        private double share;
        private BundleReason.Rule rule = new BundleReason.Kept();

        Packer(BundleGrowth taker) {
            this.taker = taker;
        }

        /** Computes the demand of the next bundle; a minimum of several bundles counts as one. */
        void lookAhead(Division division) {
            Allocation bundle = taker.grown().beyond(taker.given()).min(new Allocation(1, 1));
            asked = division.shares(taker.job().resources(bundle));
            share = Arrays.stream(division.shares(taker.job().resources(taker.given())))
                    .max()
                    .orElse(0);
        }

        double alignment(double[] free) {
            double sum = 0;
            for (int axis = 0; axis < free.length; axis++) {
                sum += asked[axis] * free[axis];
            }
            return sum;
        }

        double score(double[] free) {
            return alignment(free) - penalty;
        }

        boolean take(Division division, double[] free) {
            Allocation before = taker.given();
            double alignment = alignment(free);
            boolean more = taker.take(division);
            if (!taker.given().equals(before)) {
                rule = new BundleReason.BestPacked(alignment, penalty);
            }
            lookAhead(division);
            return more;
        }
    }

    @Override
    public String name() {
        return "tetris";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byRight(cluster, jobs);
        division.keepWhatMayNotShrink();
        List<Packer> all = division.participants().stream()
                .map(participant -> new Packer(new BundleGrowth(participant)))
                .toList();
        all.forEach(packer -> packer.lookAhead(division));
        penalise(all, division);
        List<Packer> open = new ArrayList<>(all.stream()
                .filter(packer -> packer.taker.canGrow())
                .sorted(LEAST_SHARE_FIRST)
                .toList());
        while (!open.isEmpty()) {
            InterruptedComputationException.check();
            double[] free = division.freeShares();
            // The position in the list changes with the share.
            Packer best = open.remove(best(open, free));
            if (best.take(division, free)) {
                open.add(-1 - Collections.binarySearch(open, best, LEAST_SHARE_FIRST), best);
            }
        }
        all.forEach(packer -> packer.taker.explain(packer.rule));
        return division.decision();
    }

    /** The index of the best job: one that waits for its minimum, else one with a small share; the first of equal scores. */
    private static int best(List<Packer> open, double[] free) {
        boolean minimums = open.get(0).taker.given().isNone();
        int candidates = minimums ? open.size() : (int) Math.ceil((1 - FAIRNESS) * open.size());
        int best = 0;
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < candidates; i++) {
            Packer packer = open.get(i);
            if (minimums && !packer.taker.given().isNone()) {
                return best;
            }
            double score = packer.score(free);
            if (score > highest) {
                best = i;
                highest = score;
            }
        }
        return best;
    }

    private static void penalise(List<Packer> packers, Division division) {
        double[] work = work(packers, division);
        double[] free = division.freeShares();
        double meanWork = Arrays.stream(work).average().orElse(0);
        double meanAlignment = packers.stream()
                .mapToDouble(packer -> packer.alignment(free))
                .average()
                .orElse(0);
        for (int job = 0; job < work.length; job++) {
            packers.get(job).penalty = meanWork > 0 ? meanAlignment * (work[job] / meanWork) : 0;
        }
    }

    /** The remaining work of each job, finite. */
    private static double[] work(List<Packer> packers, Division division) {
        Function<JobSnapshot, CompletionTime> remaining = CompletionTime.of(
                packers.stream().map(packer -> packer.taker.job()).toList());
        double[] work = packers.stream()
                .map(packer -> packer.taker.job())
                .mapToDouble(job -> job.speed().isEmpty()
                        ? Double.NaN
                        : remaining.apply(job).seconds(job.minimum())
                                * Arrays.stream(division.shares(job.resources(job.minimum())))
                                        .sum())
                .toArray();
        double[] known = Arrays.stream(work).filter(Double::isFinite).toArray();
        double median = Medians.upper(known, 0);
        double most = Arrays.stream(known).max().orElse(0);
        return Arrays.stream(work)
                .map(of -> Double.isNaN(of) ? median : Math.min(of, most))
                .toArray();
    }
}
