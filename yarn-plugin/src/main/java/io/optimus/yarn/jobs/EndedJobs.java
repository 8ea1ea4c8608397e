package io.optimus.yarn.jobs;

import io.optimus.model.numerics.Medians;
import io.optimus.yarn.jobs.EndedJob.CheckedPrediction;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The jobs that ended last, with what was predicted of them against what came; the scheduler measures its own predictions here.
 * Soft state: only jobs that this scheduler saw from their beginning count, because of others it does not know how long they
 * lived. Jobs that failed or were killed count neither: nobody predicts that.
 *
 * <p>Thread-safe: rounds tell it of running jobs, the training service of their ends, and REST and metrics read it.
 */
public final class EndedJobs {
    /** A day of a busy cluster. */
    private static final int MOST = 1000;

    private final LongSupplier clock;
    private final LongSupplier wallClock;
    private final Map<ApplicationId, PredictionTrail> trails = new HashMap<>();
    private final Deque<EndedJob> ended = new ArrayDeque<>();

    /**
     * No job has ended yet.
     *
     * @param clock the clock of the rounds, in milliseconds
     * @param wallClock milliseconds since 1970
     */
    public EndedJobs(LongSupplier clock, LongSupplier wallClock) {
        this.clock = clock;
        this.wallClock = wallClock;
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

    /** Notes that {@code job} has ended as it should; empty if it has not ended, or its beginning was not seen. */
    public synchronized Optional<EndedJob> end(JobView job) {
        long now = clock.getAsLong();
        PredictionTrail trail = trails.get(job.id());
        if (job.state() != JobView.State.FINISHED || trail == null || trail.lifeSeconds(now) <= 0) {
            return Optional.empty();
        }
        trails.remove(job.id());
        double seconds = trail.lifeSeconds(now);
        EndedJob known = new EndedJob(
                job.id(),
                job.registration().name(),
                job.facts().user(),
                job.facts().queue(),
                wallClock.getAsLong() - Math.round(1000 * seconds),
                seconds,
                job.progress().step(),
                trail.checked(now, (double) job.progress().step()));
        ended.addFirst(known);
        if (ended.size() > MOST) {
            ended.removeLast();
        }
        return Optional.of(known);
    }

    /** A copy of the jobs that are kept. */
    public synchronized List<EndedJob> newestFirst() {
        return List.copyOf(ended);
    }

    /**
     * The median errors of all kept jobs after each of {@link EndedJob#FRACTIONS}; there is none where no job has one.
     *
     * @param error the error of one prediction
     */
    public SortedMap<Double, Double> medianErrors(Function<CheckedPrediction, OptionalDouble> error) {
        SortedMap<Double, Double> medians = new TreeMap<>();
        for (double fraction : EndedJob.FRACTIONS) {
            double[] errors = newestFirst().stream()
                    .flatMap(job -> job.checked().stream())
                    .filter(checked -> checked.fraction() == fraction)
                    .map(error)
                    .flatMapToDouble(OptionalDouble::stream)
                    .toArray();
            if (errors.length > 0) {
                medians.put(fraction, Medians.mean(errors));
            }
        }
        return medians;
    }

    /** Forgets all jobs. */
    public synchronized void clear() {
        trails.clear();
        ended.clear();
    }
}
