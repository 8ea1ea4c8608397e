package io.optimus.model.policy;

import io.optimus.model.Role;
import io.optimus.model.decision.MarginalGainReason.Compared;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.Precedence;
import io.optimus.model.policy.division.Division;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The greedy loop: while anything gains, the job with the largest gain gets its task. */
final class GreedyGrowth {
    private final Division division;
    private final PriorityQueue<GrowingJob> queue = new PriorityQueue<>(GreedyGrowth::compare);
    /** By resource. */
    private final Takers[] takers;

    GreedyGrowth(Division division) {
        this.division = division;
        this.takers = new Takers[division.resources()];
        Arrays.setAll(takers, axis -> new Takers());
    }

    /** The largest gain first. */
    private static int compare(GrowingJob one, GrowingJob other) {
        int byGain = Double.compare(other.gain(), one.gain());
        return byGain != 0 ? byGain : Precedence.BY_AGE.compare(one.job(), other.job());
    }

    void grow(List<GrowingJob> growers) {
        growers.forEach(this::enqueue);
        while (!queue.isEmpty()) {
            GrowingJob best = queue.remove();
            Optional<Shortage> lack = division.raise(best.contender(), best.grown());
            if (lack.isEmpty()) {
                noteTaker(best);
                best.took(queue.peek());
            } else {
                best.lacks(lack.get(), taker(best, lack.get()));
            }
            enqueue(best);
        }
        growers.forEach(GrowingJob::explain);
    }

    /** A task without room is dropped, not its job and not the loop. */
    private void enqueue(GrowingJob grower) {
        grower.chooseNext();
        if (grower.gain() > 0) {
            queue.add(grower);
        }
    }

    private void noteTaker(GrowingJob grower) {
        for (int axis = 0; axis < takers.length; axis++) {
            if (takes(grower, Role.WORKER, axis) || takes(grower, Role.PARAMETER_SERVER, axis)) {
                takers[axis].add(grower);
            }
        }
    }

    private static boolean takes(GrowingJob grower, Role role, int axis) {
        return grower.tasksOfNext().count(role) > 0
                && grower.contender().task(role).amount(axis) > 0;
    }

    /** Who gained as much from the last of what lacks, if it was not there for the minimums alone. */
    private Optional<Compared> taker(GrowingJob grower, Shortage lack) {
        return lack instanceof Shortage.OfResource of
                ? takers[division.resource(of.resource())].other(grower)
                : Optional.empty();
    }

    /** Who took some of a resource last, and the last one before him that was another job; with their gains. */
    private static final class Takers {
        private @Nullable GrowingJob last;
        private double gainOfLast;
        private @Nullable GrowingJob before;
        private double gainOfBefore;

        void add(GrowingJob grower) {
            if (last != grower) {
                before = last;
                gainOfBefore = gainOfLast;
            }
            last = grower;
            gainOfLast = grower.gain();
        }

        /** Who is not {@code grower}, where he gained as much. */
        Optional<Compared> other(GrowingJob grower) {
            GrowingJob taker = last == grower ? before : last;
            double gain = last == grower ? gainOfBefore : gainOfLast;
            return taker == null || gain < grower.gain()
                    ? Optional.empty()
                    : Optional.of(new Compared(taker.job().id(), GrowingJob.ratio(gain, grower.gain())));
        }
    }
}
