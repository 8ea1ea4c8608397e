package io.optimus.yarn.jobs;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * What was predicted of running jobs, until they end: the scheduler measures its own predictions by it. Soft state: only jobs that
 * this scheduler saw from their beginning count, because of others it does not know how long they lived. Jobs that failed or were
 * killed count neither: nobody predicts that.
 *
 * <p>Thread-safe: rounds tell it of running jobs, and the training service of their ends.
 */
public final class PredictionTrails {
    private final LongSupplier clock;
    private final Map<ApplicationId, PredictionTrail> trails = new HashMap<>();

    /**
     * No job has trained yet.
     *
     * @param clock the clock of the rounds, in milliseconds
     */
    public PredictionTrails(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Takes in what is predicted now, and forgets the predictions of all other jobs.
     *
     * @param jobs all jobs that were seen from their beginning
     * @param predictions what is predicted of each
     */
    public synchronized void observe(Collection<JobView> jobs, Function<JobView, Prediction> predictions) {
        long now = clock.getAsLong();
        trails.keySet().retainAll(jobs.stream().map(JobView::id).collect(Collectors.toSet()));
        for (JobView job : jobs) {
            if (job.state() == JobView.State.RUNNING) {
                trails.computeIfAbsent(job.id(), unknown -> new PredictionTrail(now));
            }
            PredictionTrail trail = trails.get(job.id());
            if (trail != null && job.state() != JobView.State.FINISHED && trail.isDue(now)) {
                trail.add(now, (double) job.progress().step(), predictions.apply(job));
            }
        }
    }

    /** Takes out the life of {@code job}, which ended as it should; empty if it has not ended, or its beginning was not seen. */
    public synchronized Optional<CheckedLife> end(JobView job) {
        long now = clock.getAsLong();
        PredictionTrail trail = trails.get(job.id());
        if (job.state() != JobView.State.FINISHED || trail == null || trail.lifeSeconds(now) <= 0) {
            return Optional.empty();
        }
        trails.remove(job.id());
        double step = (double) job.progress().step();
        return Optional.of(
                new CheckedLife(job.id(), trail.lifeSeconds(now), trail.stepsUntil(step), trail.checked(now, step)));
    }

    /** Forgets all jobs. */
    public synchronized void clear() {
        trails.clear();
    }
}
