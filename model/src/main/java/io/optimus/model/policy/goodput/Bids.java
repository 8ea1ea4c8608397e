package io.optimus.model.policy.goodput;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.decision.GoodputReason.Bid;
import io.optimus.model.decision.Shortage;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.goodput.SizeValues.Size;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What jobs would lose if they released resources: tells a job that could use more which other job has it.
 *
 * <p>Each job may fall back to each of its smaller sizes, down to its guaranteed share. For a job that would take a larger size,
 * the bid is the fall-back that releases enough beside what is left, and loses the least value. Where the sizes were chosen
 * exactly, that loss is never less than what the larger size would add: otherwise the two would have been exchanged.
 *
 * <p>Example: 4 GPUs, A and B have 2 each. A's second GPU is worth 0.4, B's 0.7, and a third would add 0.3 for either. Then B is
 * told that A has what it would take next: it adds 0.4 there, and would add 0.3 with B.
 */
final class Bids {
    /** Losses that differ by less are equal: values are sums of many numbers. */
    private static final double ROUNDING = 1e-9;

    private final long[] left;
    private final List<Fallback> fallbacks;
    /** What all jobs would release if each kept its guaranteed share only. */
    private final long[] releasable;

    /** A smaller size of a job, with what it releases of each resource and what it loses of the total value. */
    private static final class Fallback {
        private final WeighedJob job;
        private final long[] released;
        private final double loss;

        Fallback(WeighedJob job, Size size) {
            this.job = job;
            this.released = released(job, size);
            this.loss = job.value(job.taken()) - job.value(size);
        }
    }

    /** {@code jobs} were given their sizes, which leaves {@code left} of each resource. */
    Bids(List<WeighedJob> jobs, long[] left) {
        this.left = left.clone();
        this.releasable = new long[left.length];
        List<Fallback> all = new ArrayList<>();
        for (WeighedJob job : jobs) {
            InterruptedComputationException.check();
            add(releasable, released(job, job.guaranteed()));
            smaller(job).map(size -> new Fallback(job, size)).forEach(all::add);
        }
        all.sort(Comparator.comparingDouble(fallback -> fallback.loss));
        this.fallbacks = all;
    }

    private static Stream<Size> smaller(WeighedJob job) {
        return Stream.concat(Stream.of(job.guaranteed()), job.sizes().stream())
                .filter(size -> size.tasks().isWithin(job.taken().tasks())
                        && !size.tasks().equals(job.taken().tasks()));
    }

    private static long[] released(WeighedJob job, Size size) {
        long[] released = job.amounts(job.taken());
        long[] kept = job.amounts(size);
        Arrays.setAll(released, axis -> released[axis] - kept[axis]);
        return released;
    }

    private static void add(long[] sum, long[] amounts) {
        Arrays.setAll(sum, axis -> sum[axis] + amounts[axis]);
    }

    /** The job that has what {@code job} would take for {@code larger}; empty if no single job has, or has it for less value. */
    Optional<Bid> of(WeighedJob job, Size larger) {
        long[] lacking = lacking(job, larger);
        double added = job.value(larger) - job.value(job.taken());
        if (Arrays.stream(lacking).allMatch(amount -> amount == 0)) {
            return Optional.empty();
        }
        InterruptedComputationException.check();
        return fallbacks.stream()
                .filter(other -> other.job != job && covers(other.released, lacking))
                .findFirst()
                .filter(other -> other.loss >= added * (1 - ROUNDING))
                .map(other -> new Bid(other.job.id(), other.loss, added));
    }

    /** What of {@code larger} would have no room even if all others released what they may; empty if all had. */
    Optional<Shortage> shortage(WeighedJob job, Size larger, Division division) {
        long[] lacking = lacking(job, larger);
        long[] own = released(job, job.guaranteed());
        for (int axis = 0; axis < lacking.length; axis++) {
            if (lacking[axis] > releasable[axis] - own[axis]) {
                long asked = lacking[axis] + Math.max(0, left[axis]);
                return Optional.of(new Shortage.OfResource(division.resourceName(axis), asked, left[axis]));
            }
        }
        return Optional.empty();
    }

    /** What {@code larger} takes of each resource beyond what {@code job} has and what is left, 0 or more. */
    private long[] lacking(WeighedJob job, Size larger) {
        long[] lacking = job.amounts(larger);
        long[] has = job.amounts(job.taken());
        Arrays.setAll(lacking, axis -> Math.max(0, lacking[axis] - has[axis] - Math.max(0, left[axis])));
        return lacking;
    }

    private static boolean covers(long[] released, long[] lacking) {
        for (int axis = 0; axis < lacking.length; axis++) {
            if (lacking[axis] > Math.max(0, released[axis])) {
                return false;
            }
        }
        return true;
    }
}
