package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Multi-resource packing with a preference for little remaining work (Tetris, SIGCOMM 2014, sections 3.2 and 3.3).
 *
 * <pre>score = Σ_r (asked_r / capacity_r) · (free_r / capacity_r)  −  ε · work,   ε = mean alignment / mean work</pre>
 *
 * <p>The sum over the resources is the alignment of a bundle with what is free: it is large for bundles that ask much of
 * what there is much of. The bundle with the largest score that fits is given, until none fits. A bundle is one parameter
 * server and one worker, as Optimus was compared with; a job without parameter servers gets a worker; the first bundle is
 * the job's minimum, whole or not at all, and is scored like the others. {@code work} is what the job's minimum would
 * take to its end: seconds, times the sum over the resources of the shares that it asks for. The means are those over all jobs
 * at the round's beginning. A job of unknown speed counts with the median work of the others.
 *
 * <p>Alignment is taken with what is free in the whole cluster: which node a task goes to is left to the placer. Ties go
 * to the larger priority, then to jobs that run already, then by submit time and id.
 *
 * <p>Example: half of the GPUs and all cores are free. A bundle of 10 % of the GPUs and 1 % of the cores scores 0.06, one
 * of 1 % and 10 % scores 0.105; the first is given all the same if ε·work of its job is 0.05 less.
 */
public final class TetrisPolicy implements AllocationPolicy {
    /** A job that may take another bundle. */
    private static final class Packer {
        private final BundleTaker taker;
        private double[] asked = {};
        private double penalty;
        private Bundled.Rule rule = new Bundled.Kept();

        Packer(BundleTaker taker) {
            this.taker = taker;
        }

        /** What the next bundle asks for; of the minimum, one bundle. */
        void lookAhead(Division division) {
            Allocation bundle = taker.grown().beyond(taker.given()).min(new Allocation(1, 1));
            asked = division.shares(taker.job().resources(bundle));
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
                rule = new Bundled.BestPacked(alignment, penalty);
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
        Division division = new Division(cluster, jobs);
        division.keepWhatMayNotShrink();
        List<Packer> all = division.contenders().stream()
                .map(contender -> new Packer(new BundleTaker(contender)))
                .toList();
        all.forEach(packer -> packer.lookAhead(division));
        penalise(all, division);
        List<Packer> open = new ArrayList<>(all);
        open.removeIf(packer -> !packer.taker.canGrow());
        while (!open.isEmpty()) {
            double[] free = division.freeShares();
            Packer best = best(open, free);
            if (!best.take(division, free)) {
                open.remove(best);
            }
        }
        all.forEach(packer -> packer.taker.explain(packer.rule));
        return division.decision();
    }

    /** Of equal scores the first, which has more right. */
    private static Packer best(List<Packer> open, double[] free) {
        Packer best = open.get(0);
        double highest = best.score(free);
        for (Packer packer : open) {
            double score = packer.score(free);
            if (score > highest) {
                best = packer;
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

    /** By job, finite. */
    private static double[] work(List<Packer> packers, Division division) {
        Function<JobSnapshot, Remaining> remaining =
                Remaining.of(packers.stream().map(packer -> packer.taker.job()).toList());
        double[] work = packers.stream()
                .map(packer -> packer.taker.job())
                .mapToDouble(job -> job.speed().isEmpty()
                        ? Double.NaN
                        : remaining.apply(job).seconds(job.minimum())
                                * Arrays.stream(division.shares(job.resources(job.minimum())))
                                        .sum())
                .toArray();
        double[] known = Arrays.stream(work).filter(Double::isFinite).sorted().toArray();
        double median = known.length == 0 ? 0 : known[known.length / 2];
        double most = known.length == 0 ? 0 : known[known.length - 1];
        return Arrays.stream(work)
                .map(of -> Double.isNaN(of) ? median : Math.min(of, most))
                .toArray();
    }
}
