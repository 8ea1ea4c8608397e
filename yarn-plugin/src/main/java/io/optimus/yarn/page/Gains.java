package io.optimus.yarn.page;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.speed.SpeedFunction;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The marginal gains of the planned sizes: completion time that one task saves, per percent of the cluster that it takes of its
 * dominant resource.
 *
 * <p>Example: a job needs 100 s more on 4 workers and 90 s on 5. A worker takes 1 of the cluster's 50 GPUs, so the gain of the
 * fifth is 10 s for 2 %, which is 5 s per percent.
 */
final class Gains {
    private static final Allocation WORKER = new Allocation(0, 1);
    private static final Allocation PARAMETER_SERVER = new Allocation(1, 0);
    private static final double PERCENT = 100;

    private final Resources cluster;

    /** Gains in a cluster that has {@code cluster} in all. */
    Gains(Resources cluster) {
        this.cluster = cluster;
    }

    /**
     * What one task saves.
     *
     * @param secondsSaved completion time; infinite if the job stands still without the task, below 0 if it is slower with it
     * @param percent the percentage of the cluster that it takes
     */
    record Gain(double secondsSaved, double percent) {
        double secondsPerPercent() {
            return secondsSaved / percent;
        }
    }

    /** The gain of one more worker than planned; empty at its maximum, and while speed or end are not known. */
    Optional<Gain> nextWorker(ShownJob job) {
        return next(
                job,
                WORKER,
                job.planned().workers(),
                job.view().registration().demand().workers());
    }

    /** The same of a parameter server. */
    Optional<Gain> nextParameterServer(ShownJob job) {
        return next(
                job,
                PARAMETER_SERVER,
                job.planned().parameterServers(),
                job.view().registration().demand().parameterServers());
    }

    /** The gain of the last task that {@code job} has beyond its minimum: of both roles the smaller one. */
    Optional<Gain> last(ShownJob job) {
        Allocation size = job.planned();
        return Stream.of(
                        last(
                                job,
                                WORKER,
                                size.workers(),
                                job.view().registration().demand().workers()),
                        last(
                                job,
                                PARAMETER_SERVER,
                                size.parameterServers(),
                                job.view().registration().demand().parameterServers()))
                .flatMap(Optional::stream)
                .min(Comparator.comparingDouble(Gain::secondsPerPercent));
    }

    /** The smallest gain of a task that any job has beyond its minimum: what a next task has to exceed. */
    Optional<Gain> lastGranted(Collection<ShownJob> jobs) {
        return jobs.stream()
                .flatMap(job -> last(job).stream())
                .min(Comparator.comparingDouble(Gain::secondsPerPercent));
    }

    private Optional<Gain> next(ShownJob job, Allocation task, int planned, RoleDemand role) {
        return planned == 0 || planned >= role.max()
                ? Optional.empty()
                : gain(job, job.planned(), job.planned().plus(task), role);
    }

    private Optional<Gain> last(ShownJob job, Allocation task, int planned, RoleDemand role) {
        return planned == 0 || planned <= role.min()
                ? Optional.empty()
                : gain(job, job.planned().beyond(task), job.planned(), role);
    }

    private Optional<Gain> gain(ShownJob job, Allocation smaller, Allocation larger, RoleDemand role) {
        double percent = PERCENT * role.task().dominant(cluster).part();
        if (!(percent > 0) || Double.isInfinite(percent)) {
            return Optional.empty();
        }
        Optional<SpeedFunction> speed = job.estimate().flatMap(Estimate::believed);
        Optional<Predicted> end = job.ownEnd();
        if (speed.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        double saved = seconds(speed.get(), end.get(), smaller, job) - seconds(speed.get(), end.get(), larger, job);
        return Double.isNaN(saved) ? Optional.empty() : Optional.of(new Gain(saved, percent));
    }

    private static double seconds(SpeedFunction speed, Predicted end, Allocation size, ShownJob job) {
        return speed.seconds(end.steps(), size) / job.view().measured().gpuSpeed();
    }
}
