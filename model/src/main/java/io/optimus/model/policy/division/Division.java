package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.policy.division.Participant.TaskDemand;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sharing of a queue's resources among its jobs in one round: what is left, and what each job was given.
 *
 * <p>Policies differ in the order in which they give and in how much. This class decides what has room: it compares amounts
 * with those left within the limits and, if the policy asks for that, numbers of tasks with those that the nodes can host.
 */
public final class Division {
    private final List<Participant> participants;
    private final ResourceAxes axes;
    private final long[] capacity;
    private final long[] available;
    private final long[] left;
    private final TaskShapes shapes;
    private final boolean nodesCounted;

    private Division(
            ClusterSnapshot cluster, List<JobSnapshot> jobs, Comparator<JobSnapshot> order, boolean nodesCounted) {
        List<Resources> tasks = jobs.stream()
                .flatMap(job -> Stream.of(
                        job.demand().parameterServers().task(),
                        job.demand().workers().task()))
                .distinct()
                .toList();
        this.axes = ResourceAxes.of(cluster, tasks.stream());
        this.available = axes.amounts(cluster.available());
        this.left = available.clone();
        this.nodesCounted = nodesCounted;
        this.shapes = new TaskShapes(new NodeRoom(cluster), axes, nodesCounted ? tasks : List.of());
        Resources total = cluster.capacity();
        this.capacity = axes.amounts(total);
        Set<String> nodes = cluster.nodes().stream().map(NodeSnapshot::id).collect(Collectors.toSet());
        this.participants = jobs.stream()
                .sorted(order)
                .map(job -> new Participant(
                        job,
                        job.current().within(nodes::contains),
                        demand(job.demand().parameterServers().task(), total),
                        demand(job.demand().workers().task(), total)))
                .toList();
    }

    /** Divides in the order of {@link Precedence#BY_RIGHT}; a size has room only where the nodes can host its tasks. */
    public static Division byRight(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        return new Division(cluster, jobs, Precedence.BY_RIGHT, true);
    }

    /** Divides in the order of {@link Precedence#BY_AGE}; only amounts count, because sizes follow from the room on nodes. */
    public static Division byAge(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        return new Division(cluster, jobs, Precedence.BY_AGE, false);
    }

    private TaskDemand demand(Resources task, Resources total) {
        return new TaskDemand(axes.amounts(task), shapes.index(task), task.dominant(total));
    }

    public List<Participant> participants() {
        return participants;
    }

    /** The allocation and reason of every job. */
    public AllocationDecision decision() {
        return AllocationDecision.of(participants.stream()
                .collect(Collectors.toMap(participant -> participant.job().id(), Participant::decided)));
    }

    /**
     * Lets jobs that may not shrink keep what they hold, and then gives every job its minimum while it fits, before any job
     * grows.
     *
     * @return the jobs that have at least their minimum now
     */
    public List<Participant> giveMinimums() {
        keepWhatMayNotShrink();
        return participants.stream().filter(this::giveMinimum).toList();
    }

    /** Jobs that may not shrink keep what they hold, even where limits were lowered below it. */
    public void keepWhatMayNotShrink() {
        for (Participant participant : participants) {
            if (!participant.job().mayShrink()) {
                set(participant, participant.held().min(participant.job().maximum()));
            }
        }
    }

    /** Gives jobs that kept less than their minimum the whole minimum or nothing: less does not run. */
    public void completeMinimums() {
        participants.stream()
                .filter(participant ->
                        !participant.waits() && !participant.job().minimum().isWithin(participant.given()))
                .forEach(this::giveMinimum);
    }

    /** Gives the job its minimum, whole or not at all. Returns whether the job has it now. */
    public boolean giveMinimum(Participant participant) {
        Allocation minimum = participant.job().minimum();
        Optional<Shortage> shortage = raise(participant, minimum);
        shortage.ifPresent(what -> {
            participant.explain(new AllocationReason.Waits(participant.job().trainsOn(), minimum, what));
            // Less than a minimum does not run.
            set(participant, Allocation.NONE);
        });
        return shortage.isEmpty();
    }

    /** Sets the participant's tasks to {@code allocation}, whether they fit or not. */
    public void set(Participant participant, Allocation allocation) {
        Allocation given = participant.given();
        take(participant, Role.WORKER, allocation.workers() - given.workers());
        take(participant, Role.PARAMETER_SERVER, allocation.parameterServers() - given.parameterServers());
        participant.set(allocation);
    }

    private void take(Participant participant, Role role, int more) {
        if (more != 0) {
            participant.take(role, more, left);
            if (nodesCounted) {
                shapes.take(participant.shape(role), more);
            }
        }
    }

    /** Raises the participant to {@code wished}, all or nothing. Returns the shortage, or empty if it was given. */
    public Optional<Shortage> raise(Participant participant, Allocation wished) {
        Optional<Shortage> shortage = shortage(participant, wished.beyond(participant.given()));
        if (shortage.isEmpty()) {
            set(participant, participant.given().max(wished));
        }
        return shortage;
    }

    /** Gives {@code size} in place of what the job was given, all or nothing. Returns whether the job has it now. */
    boolean exchange(Participant participant, Allocation size) {
        Allocation won = participant.given();
        set(participant, won.min(size));
        boolean fits = raise(participant, size).isEmpty();
        if (!fits) {
            set(participant, won);
        }
        return fits;
    }

    /**
     * Gives {@code size} beside what the job was given, all or nothing. The tasks of both that the job does not use stay
     * reserved for its return.
     *
     * @return whether the job has that size now
     */
    boolean tryBeside(Participant participant, Allocation size) {
        boolean fits = raise(participant, size).isEmpty();
        if (fits) {
            participant.set(size);
        }
        return fits;
    }

    /** Whether {@code wished} has room beside what every job has been given. */
    public boolean hasRoom(Participant participant, Allocation wished) {
        return shortage(participant, wished.beyond(participant.given())).isEmpty();
    }

    private Optional<Shortage> shortage(Participant participant, Allocation more) {
        for (int axis = 0; axis < left.length; axis++) {
            long asked = participant.amount(more, axis);
            if (asked > 0 && asked > left[axis]) {
                return Optional.of(new Shortage.OfResource(axes.name(axis), asked, left[axis]));
            }
        }
        for (Role role : Role.values()) {
            if (nodesCounted && more.count(role) > 0 && !shapes.hosts(participant.shape(role), more.count(role))) {
                return Optional.of(new Shortage.OfNodes(role, more.count(role)));
            }
        }
        return Optional.empty();
    }

    /** The number of resources that are divided. */
    public int resources() {
        return axes.size();
    }

    /** The index of the resource {@code name}. */
    public int resource(String name) {
        return axes.axis(name);
    }

    /** The name of the resource at {@code axis}. */
    public String resourceName(int axis) {
        return axes.name(axis);
    }

    public long[] amounts(Resources resources) {
        return axes.amounts(resources);
    }

    /** The amounts left to give, by resource; 0 if limits were lowered below what is held. */
    public long[] left() {
        long[] atLeastNothing = left.clone();
        for (int axis = 0; axis < left.length; axis++) {
            atLeastNothing[axis] = Math.max(0, left[axis]);
        }
        return atLeastNothing;
    }

    /** The shares of the cluster's capacity that {@code resources} take; 0 for a resource that the cluster does not have. */
    public double[] shares(Resources resources) {
        return shares(axes.amounts(resources));
    }

    /** The shares of the cluster left to give, by resource; below 0 if limits were lowered. */
    public double[] freeShares() {
        return shares(left);
    }

    private double[] shares(long[] amounts) {
        double[] shares = new double[amounts.length];
        for (int axis = 0; axis < amounts.length; axis++) {
            shares[axis] = capacity[axis] > 0 ? (double) amounts[axis] / capacity[axis] : 0;
        }
        return shares;
    }

    /** The largest share that {@code tasks} take of a resource that is divided. */
    public double dominantShare(Participant participant, Allocation tasks) {
        double share = 0;
        for (int axis = 0; axis < available.length; axis++) {
            share = Math.max(share, (double) participant.amount(tasks, axis) / Math.max(1, available[axis]));
        }
        return share;
    }
}
