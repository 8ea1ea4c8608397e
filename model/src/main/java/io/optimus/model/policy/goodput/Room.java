package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is left of a cluster while it is divided. */
final class Room {
    private final ResourceAxes axes;
    private final long[] capacity;
    private final long[] left;

    Room(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        this.axes = ResourceAxes.of(
                cluster,
                jobs.stream()
                        .flatMap(job -> Stream.of(
                                job.demand().parameterServers().task(),
                                job.demand().workers().task())));
        this.capacity = axes.amounts(cluster.available());
        this.left = capacity.clone();
    }

    /** What the tasks of a job take. */
    Footprint footprint(JobSnapshot job) {
        return new Footprint(
                axes.amounts(job.demand().parameterServers().task()),
                axes.amounts(job.demand().workers().task()),
                capacity);
    }

    /** Takes {@code tasks}, or says what of them lacks. */
    Optional<Shortage> take(Claimant claimant, Allocation tasks) {
        long[] asked = claimant.footprint().amounts(tasks);
        int axis = ResourceAxes.lacking(asked, left);
        if (axis >= 0) {
            return Optional.of(new Shortage.OfResource(axes.name(axis), asked[axis], left[axis]));
        }
        ResourceAxes.take(asked, 1, left);
        return Optional.empty();
    }

    /** Takes {@code tasks} whether they fit or not. */
    void takeAnyway(Claimant claimant, Allocation tasks) {
        ResourceAxes.take(claimant.footprint().amounts(tasks), 1, left);
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
