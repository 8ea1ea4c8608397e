package io.optimus.model.policy;

import io.optimus.model.InterruptedComputationException;
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
    /** The last takers of each resource. */
    private final LastTakers[] takers;

    GreedyGrowth(Division division) {
        this.division = division;
        this.takers = new LastTakers[division.resources()];
        Arrays.setAll(takers, axis -> new LastTakers());
    }

    /** The largest gain first. */
    private static int compare(GrowingJob one, GrowingJob other) {
        int byGain = Double.compare(other.gain(), one.gain());
        return byGain != 0 ? byGain : Precedence.BY_AGE.compare(one.job(), other.job());
    }

    void grow(List<GrowingJob> jobs) {
        jobs.forEach(this::enqueue);
        while (!queue.isEmpty()) {
            InterruptedComputationException.check();
            GrowingJob best = queue.remove();
            Optional<Shortage> shortage = division.raise(best.participant(), best.grown());
            if (shortage.isEmpty()) {
                noteTaker(best);
                best.took(queue.peek());
            } else {
                best.refuse(shortage.get(), lastTaker(best, shortage.get()));
            }
            enqueue(best);
        }
        jobs.forEach(GrowingJob::explain);
    }

    /** A task without room is dropped, not its job and not the loop. */
    private void enqueue(GrowingJob job) {
        job.chooseNext();
        if (job.gain() > 0) {
            queue.add(job);
        }
    }

    private void noteTaker(GrowingJob job) {
        for (int axis = 0; axis < takers.length; axis++) {
            if (job.participant().amount(job.next(), axis) > 0) {
                takers[axis].add(job);
            }
        }
    }

    /** The winner of the last unit of the scarce resource, if it gained as much; empty if minimums took it all. */
    private Optional<Compared> lastTaker(GrowingJob job, Shortage shortage) {
        return shortage instanceof Shortage.OfResource of
                ? takers[division.resource(of.resource())].other(job)
                : Optional.empty();
    }

    /** The job that took some of a resource last, and the last other job before it, with their gains. */
    private static final class LastTakers {
        private @Nullable Taker last;
        private @Nullable Taker before;

        private record Taker(GrowingJob job, double gain, double secondsSaved) {}

        void add(GrowingJob job) {
            if (last != null && last.job() != job) {
                before = last;
            }
            last = new Taker(job, job.gain(), job.secondsSavedByNext());
        }

        /** The last taker other than {@code job}, if it gained as much. */
        Optional<Compared> other(GrowingJob job) {
            Taker taker = last != null && last.job() == job ? before : last;
            return taker == null || taker.gain() < job.gain()
                    ? Optional.empty()
                    : Optional.of(new Compared(
                            taker.job().job().id(), GrowingJob.ratio(taker.gain(), job.gain()), taker.secondsSaved()));
        }
    }
}
