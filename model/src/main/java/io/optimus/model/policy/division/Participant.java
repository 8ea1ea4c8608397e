package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.DominantShare;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.AllocationReason.Explores;
import io.optimus.model.decision.SizeChange;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One job in a {@link Division}: what it was given so far, and why. */
public final class Participant {
    private final JobSnapshot job;
    private final Placement held;
    private final TaskDemand parameterServer;
    private final TaskDemand worker;
    private Allocation given = Allocation.NONE;
    private boolean guaranteed;
    private boolean exploring;
    private Optional<Placement> placement = Optional.empty();
    private @Nullable AllocationReason reason;

    /** The part of the divided resources that one task takes. */
    static final class TaskDemand {
        private final long[] amounts;
        private final int shape;
        private final DominantShare share;

        /**
         * Creates the demand of a task.
         *
         * @param amounts in the order of the division's resources; owned
         * @param shape index among the shapes that nodes are counted by
         * @param share of the cluster's capacity
         */
        TaskDemand(long[] amounts, int shape, DominantShare share) {
            this.amounts = amounts;
            this.shape = shape;
            this.share = share;
        }
    }

    /** {@code held} is the placement of the job's tasks on nodes that still exist. */
    Participant(JobSnapshot job, Placement held, TaskDemand parameterServer, TaskDemand worker) {
        this.job = job;
        this.held = held;
        this.parameterServer = parameterServer;
        this.worker = worker;
    }

    public JobSnapshot job() {
        return job;
    }

    /** The tasks that it holds on nodes that still exist. */
    public Allocation held() {
        return held.allocation();
    }

    /** Whether it holds at least its minimum there. */
    public boolean runs() {
        return job.minimum().isWithin(held());
    }

    /** The tasks that it runs on: those that it holds; none if they are less than its minimum. */
    public Allocation runsOn() {
        return runs() ? held() : Allocation.NONE;
    }

    /** The number of nodes that its running workers are on. */
    public int workerNodes() {
        return runs()
                ? (int) held.byNode().values().stream()
                        .filter(tasks -> tasks.workers() > 0)
                        .count()
                : 0;
    }

    /** Index of the shape of a task of {@code role}. */
    int shape(Role role) {
        return task(role).shape;
    }

    /** Subtracts {@code count} tasks of {@code role} from {@code room}; a negative count gives back. */
    void take(Role role, int count, long[] room) {
        ResourceAxes.take(task(role).amounts, count, room);
    }

    private TaskDemand task(Role role) {
        return switch (role) {
            case WORKER -> worker;
            case PARAMETER_SERVER -> parameterServer;
        };
    }

    /** The share of its dominant resource that one task of {@code role} takes. */
    public DominantShare share(Role role) {
        return task(role).share;
    }

    public long[] amounts(Allocation tasks) {
        long[] amounts = new long[worker.amounts.length];
        for (int axis = 0; axis < amounts.length; axis++) {
            amounts[axis] = amount(tasks, axis);
        }
        return amounts;
    }

    public long amount(Allocation tasks, int axis) {
        return Math.addExact(
                Math.multiplyExact(parameterServer.amounts[axis], (long) tasks.parameterServers()),
                Math.multiplyExact(worker.amounts[axis], (long) tasks.workers()));
    }

    public Allocation given() {
        return given;
    }

    /** Sets what it was given; only the division calls this, because it knows what is left. */
    void set(Allocation allocation) {
        given = allocation;
    }

    public boolean waits() {
        return given.isNone();
    }

    /** Whether its share is guaranteed. */
    public boolean isGuaranteed() {
        return guaranteed;
    }

    /** Sets the reason for what it was given. */
    public void explain(AllocationReason why) {
        reason = why;
        guaranteed = false;
        exploring = false;
    }

    /** Marks its share as guaranteed from here on, with the reason. */
    public void guarantee(AllocationReason why) {
        explain(why);
        guaranteed = true;
    }

    /** Marks what it was given as a size to learn its speed on. */
    void explore() {
        explain(new Explores(given));
        exploring = true;
    }

    /** Sets the placement of its tasks; for policies that search placements. */
    public void place(Placement where) {
        placement = Optional.of(where);
    }

    /** The change from the tasks that it trains on to those that it is given. */
    public SizeChange change() {
        return change(OptionalDouble.empty());
    }

    /** The same change with the seconds saved, as {@link SizeChange} has them. */
    public SizeChange change(OptionalDouble secondsSaved) {
        return SizeChange.of(job, given, secondsSaved);
    }

    Decided decided() {
        if (reason == null) {
            throw new IllegalStateException("No reason was given for " + job.id());
        }
        return new Decided(given, reason, exploring, guaranteed, placement);
    }
}
