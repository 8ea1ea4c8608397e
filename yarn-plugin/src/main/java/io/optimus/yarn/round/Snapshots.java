package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.speed.Exploration;
import io.optimus.yarn.capacity.Holding;
import io.optimus.yarn.capacity.QueueView;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Registration;
import io.optimus.yarn.jobs.Resize;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** A job in the model's words. */
final class Snapshots {
    /** The last few resizes tell what the next one costs; early ones (cold caches) are forgotten. */
    private static final int RESIZES_COUNTED = 8;

    private static final double MILLIS = 1000;

    private final long nowMillis;
    private final long assumedResizeMillis;

    /** At this time, by the clock that tells when jobs first held tasks. */
    Snapshots(long nowMillis, long assumedResizeMillis) {
        this.nowMillis = nowMillis;
        this.assumedResizeMillis = assumedResizeMillis;
    }

    JobSnapshot of(JobView job, Holding holding, QueueView queue, Optional<Estimate> estimate, double ageSeconds) {
        Registration registration = job.registration();
        return new JobSnapshot(
                job.id().toString(),
                job.facts().submitMillis(),
                registration.priority(),
                registration.mode(),
                registration.parameterServers(),
                registration.workers(),
                holding.live(),
                estimate.flatMap(Estimate::believed),
                estimate.map(known -> known.remaining().toOptional()).orElseGet(OptionalDouble::empty),
                estimate.map(Estimate::young).orElse(true),
                exploration(job, holding, queue, estimate),
                mayShrink(job),
                resizeCostSeconds(job),
                ageSeconds);
    }

    private boolean mayShrink(JobView job) {
        long ranMillis = job.firstHeldMillis() == Long.MAX_VALUE ? 0 : nowMillis - job.firstHeldMillis();
        return job.registration().preemptible()
                && TimeUnit.MILLISECONDS.toSeconds(ranMillis)
                        >= job.registration().minRunSeconds();
    }

    private double resizeCostSeconds(JobView job) {
        List<Resize> resizes = job.resizes();
        return resizes.stream()
                        .skip(Math.max(0, resizes.size() - RESIZES_COUNTED))
                        .mapToLong(Resize::pauseMillis)
                        .average()
                        .orElse((double) assumedResizeMillis)
                / MILLIS;
    }

    /** The size to learn from next: only into room that nobody else holds. */
    private static Optional<Allocation> exploration(
            JobView job, Holding holding, QueueView queue, Optional<Estimate> estimate) {
        Resources own = resources(job, holding.live().allocation());
        Resources room = queue.cluster()
                .available()
                .minus(queue.trainingHeld())
                .plus(own)
                .max(Resources.NONE);
        return new Exploration(Estimates.form(job), job.range())
                .next(job.speeds().keySet(), job.givenUp(), partOfWork(job, estimate), size -> resources(job, size)
                        .fitsIn(room));
    }

    private static OptionalDouble partOfWork(JobView job, Optional<Estimate> estimate) {
        OptionalDouble remaining =
                estimate.map(known -> known.remaining().toOptional()).orElseGet(OptionalDouble::empty);
        if (remaining.isEmpty()) {
            return OptionalDouble.empty();
        }
        double whole = (double) job.progress().step() + remaining.getAsDouble();
        return whole > 0 ? OptionalDouble.of((double) job.exploredSteps() / whole) : OptionalDouble.empty();
    }

    private static Resources resources(JobView job, Allocation allocation) {
        return job.registration()
                .parameterServers()
                .task()
                .times(allocation.parameterServers())
                .plus(job.registration().workers().task().times(allocation.workers()));
    }
}
