package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.policy.AllocationReason.Lack;
import io.optimus.model.policy.JobSnapshot;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is left of a cluster while it is divided. */
final class Room {
    private final ResourceAxes axes;
    private final long[] capacity;
    private final long[] left;
    /** By identity: a job's demand is asked for a thousand times, and the sum over its names is slow to hash. */
    private final IdentityHashMap<Resources, long[]> amountsOfTask = new IdentityHashMap<>();

    Room(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        List<Resources> tasks = jobs.stream()
                .flatMap(job ->
                        Stream.of(job.parameterServers().task(), job.workers().task()))
                .distinct()
                .toList();
        this.axes = ResourceAxes.of(cluster, tasks.stream());
        this.capacity = axes.amounts(cluster.available());
        this.left = capacity.clone();
        tasks.forEach(task -> amountsOfTask.put(task, axes.amounts(task)));
    }

    /** What {@code tasks} of a job take of each resource. */
    long[] amounts(JobSnapshot job, Allocation tasks) {
        long[] amounts = new long[left.length];
        for (Role role : Role.values()) {
            long[] task = amountsOfTask.computeIfAbsent(job.demand(role).task(), axes::amounts);
            ResourceAxes.take(task, -tasks.count(role), amounts);
        }
        return amounts;
    }

    /** The largest part of a resource of the whole that {@code tasks} of a job take. */
    double share(JobSnapshot job, Allocation tasks) {
        long[] amounts = amounts(job, tasks);
        double share = 0;
        for (int axis = 0; axis < amounts.length; axis++) {
            if (amounts[axis] > 0) {
                share = Math.max(share, (double) amounts[axis] / Math.max(1, capacity[axis]));
            }
        }
        return share;
    }

    /** Takes {@code tasks}, or says what of them lacks. */
    Optional<Lack> take(JobSnapshot job, Allocation tasks) {
        long[] asked = amounts(job, tasks);
        int axis = ResourceAxes.lacking(asked, left);
        if (axis >= 0) {
            return Optional.of(new Lack.OfResource(axes.name(axis), asked[axis], left[axis]));
        }
        ResourceAxes.take(asked, 1, left);
        return Optional.empty();
    }

    /** Takes {@code tasks} whether they fit or not. */
    void takeAnyway(JobSnapshot job, Allocation tasks) {
        ResourceAxes.take(amounts(job, tasks), 1, left);
    }

    /** Undoes a taking. */
    void giveBack(JobSnapshot job, Allocation tasks) {
        ResourceAxes.take(amounts(job, tasks), -1, left);
    }

    /** What is left of each resource, 0 or more. */
    long[] left() {
        long[] atLeastNothing = new long[left.length];
        for (int axis = 0; axis < left.length; axis++) {
            atLeastNothing[axis] = Math.max(0, left[axis]);
        }
        return atLeastNothing;
    }
}
