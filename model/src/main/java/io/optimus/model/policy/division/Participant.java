package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.DominantShare;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.SizeChange;
import io.optimus.model.job.JobSnapshot;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One job while a round divides: what it has been given so far, and why. */
public final class Participant {
    private final JobSnapshot job;
    private final Allocation held;
    private final Task parameterServer;
    private final Task worker;
    private Allocation given = Allocation.NONE;
    private Allocation sure = Allocation.NONE;
    private @Nullable AllocationReason reason;

    /** What one task takes of what is divided. */
    public static final class Task {
        private final long[] amounts;
        private final int shape;
        private final DominantShare share;

        /**
         * Of one role.
         *
         * @param amounts in the order of the division's axes
         * @param shape index among the shapes that nodes are counted by
         * @param share of the cluster
         */
        Task(long[] amounts, int shape, DominantShare share) {
            this.amounts = amounts;
            this.shape = shape;
            this.share = share;
        }

        public long amount(int axis) {
            return amounts[axis];
        }

        long[] amounts() {
            return amounts;
        }

        int shape() {
            return shape;
        }

        public DominantShare share() {
            return share;
        }
    }

    /** {@code held} is what the job runs on nodes that are still there. */
    Participant(JobSnapshot job, Allocation held, Task parameterServer, Task worker) {
        this.job = job;
        this.held = held;
        this.parameterServer = parameterServer;
        this.worker = worker;
    }

    public JobSnapshot job() {
        return job;
    }

    /** What it holds on nodes that are still there. */
    public Allocation held() {
        return held;
    }

    /** Whether it holds its minimum there at least. */
    public boolean runs() {
        return job.minimum().isWithin(held);
    }

    public Task task(Role role) {
        return switch (role) {
            case WORKER -> worker;
            case PARAMETER_SERVER -> parameterServer;
        };
    }

    /** What it has been given so far. */
    public Allocation given() {
        return given;
    }

    /** For the division, which knows what is left. */
    void set(Allocation allocation) {
        given = allocation;
    }

    /** What it has before anybody grows: its minimum, or what it may not give up. */
    Allocation sure() {
        return sure;
    }

    void isSureOfWhatItHas() {
        sure = given;
    }

    public boolean waits() {
        return given.isNone();
    }

    public void explain(AllocationReason why) {
        reason = why;
    }

    /** Its way from what it trains on to what it is given; {@code secondsSaved} as {@link SizeChange} has it. */
    public SizeChange sizing(OptionalDouble secondsSaved) {
        return new SizeChange(job.trainsOn(), given, job.minimum(), job.mayShrink(), secondsSaved);
    }

    Decided decided() {
        if (reason == null) {
            throw new IllegalStateException("No reason was given for " + job.id());
        }
        return new Decided(given, reason, reason instanceof AllocationReason.Explores);
    }
}
