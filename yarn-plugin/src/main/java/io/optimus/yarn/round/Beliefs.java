package io.optimus.yarn.round;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.HeldTime;
import io.optimus.model.belief.JobSituation;
import io.optimus.model.belief.LastRun;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.belief.Observations;
import io.optimus.model.belief.Outlook;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobSnapshot.Belief;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedForm;
import io.optimus.yarn.jobs.FittedLosses;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.metrics.FitFigures;
import io.optimus.yarn.validation.Registration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler's beliefs about all jobs.
 *
 * <p>If a fit throws on a job's reports, the job's belief stays as it was; the exception is logged, and the fit is
 * tried again in the next round. The other jobs are not affected.
 *
 * <p>Rounds update it on one thread at a time; any thread may read the estimates.
 */
public final class Beliefs {
    private static final Logger LOG = LoggerFactory.getLogger(Beliefs.class);
    private static final LossCurveFitter CURVES = new LossCurveFitter();
    private static final Belief NOTHING =
            new Belief(Optional.empty(), OptionalDouble.empty(), 0, true, Optional.empty());

    private final Function<ApplicationId, Optional<FittedLosses>> fitLosses;
    private final Function<JobView, Optional<LastRun>> lastRuns;
    private final Map<ApplicationId, Known> byJob = new ConcurrentHashMap<>();
    private volatile Map<ApplicationId, Outlook> outlooks = Map.of();
    private final AtomicLong fits = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /**
     * No belief about any job yet.
     *
     * @param registry fits the losses of the jobs
     * @param lastRuns knows jobs that have run before
     */
    public Beliefs(JobRegistry registry, Function<JobView, Optional<LastRun>> lastRuns) {
        this(job -> registry.fit(job, CURVES), lastRuns);
    }

    Beliefs(Function<ApplicationId, Optional<FittedLosses>> fitLosses, Function<JobView, Optional<LastRun>> lastRuns) {
        this.fitLosses = fitLosses;
        this.lastRuns = lastRuns;
    }

    /** The belief about a job with this registration, from these losses, and the job's last estimate. */
    private record Known(Registration registration, FittedLosses losses, LearnedBelief belief, Estimate estimate) {
        @SuppressWarnings("ReferenceEquality") // New losses make another object.
        boolean isFittedTo(FittedLosses latest) {
            return losses == latest;
        }
    }

    /**
     * Takes in what {@code jobs} have reported, and forgets all other jobs.
     *
     * @param workersPerNode how many workers of a job a node holds, 1 or more
     */
    void refresh(Collection<JobView> jobs, ToIntFunction<JobView> workersPerNode) {
        byJob.keySet().retainAll(jobs.stream().map(JobView::id).collect(Collectors.toSet()));
        for (JobView job : jobs) {
            InterruptedComputationException.check();
            guarded(job.id(), () -> fitLosses
                            .apply(job.id())
                            .map(losses -> known(job, losses, workersPerNode.applyAsInt(job))))
                    .ifPresent(known -> byJob.put(job.id(), known));
        }
    }

    /** Forgets all jobs. */
    public void clear() {
        byJob.clear();
        outlooks = Map.of();
    }

    /** Takes in how resizes will move the ends of jobs; nothing is foreseen of others. */
    public void foresee(Map<ApplicationId, Outlook> foreseen) {
        outlooks = Map.copyOf(foreseen);
    }

    private Known known(JobView job, FittedLosses losses, int workersPerNode) {
        Registration registration = job.registration();
        Observations now = new Observations(
                losses.curve(),
                losses.epochs(),
                job.measured().speeds(),
                job.measured().givenUp(),
                (double) job.measured().exploredSteps(),
                job.progress().step(),
                job.measured().goodput(),
                workersPerNode,
                new HeldTime(
                        job.history().held().now(),
                        job.history().held().seconds(),
                        job.measured().gpuSpeed()));
        Known known = byJob.get(job.id());
        if (losses.curve().fitted().isPresent() && (known == null || !known.isFittedTo(losses))) {
            fits.incrementAndGet();
        }
        if (known != null && known.registration().equals(registration)) {
            return new Known(
                    registration, losses, known.belief(), known.belief().update(now));
        }
        JobDemand demand = registration.demand();
        SpeedForm form = registration.training().speedForm();
        Optional<ConvergencePrediction> end = registration.training().end();
        Optional<LastRun> lastRun = lastRuns.apply(job);
        LearnedBelief belief = known == null
                ? new LearnedBelief(demand, form, end, lastRun, now)
                : known.belief().describedAnew(demand, form, end, lastRun, now);
        return new Known(registration, losses, belief, belief.estimate());
    }

    /** The last estimate of {@code job}; empty before the first round that saw it. */
    public Optional<Estimate> of(ApplicationId job) {
        Outlook outlook = outlooks.get(job);
        return Optional.ofNullable(byJob.get(job))
                .map(known ->
                        outlook == null ? known.estimate() : known.estimate().with(outlook));
    }

    /** The belief that the policy of {@code job} gets: the estimate alone if no expectation can be computed. */
    Belief of(ApplicationId job, LearningMode mode, JobSituation now) {
        Optional<LearnedBelief> known = Optional.ofNullable(byJob.get(job)).map(Known::belief);
        return guarded(job, () -> known.map(belief -> belief.belief(mode, now)))
                .or(() -> known.map(belief -> belief.belief(LearningMode.FIXED_SIZE, now)))
                .orElse(NOTHING);
    }

    /** How the fits of all jobs go. */
    FitFigures figures() {
        List<Estimate> estimates = byJob.values().stream().map(Known::estimate).toList();
        return new FitFigures(
                fits.get(),
                failures.get(),
                median(estimates.stream()
                        .filter(estimate -> estimate.curve() instanceof CurveFit.Fitted)
                        .mapToDouble(estimate -> ((CurveFit.Fitted) estimate.curve()).residual())),
                median(estimates.stream()
                        .filter(estimate -> estimate.speed() instanceof SpeedFit.Fitted)
                        .mapToDouble(estimate -> ((SpeedFit.Fitted) estimate.speed()).relativeError())));
    }

    private static OptionalDouble median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[(sorted.length - 1) / 2]);
    }

    private <T> Optional<T> guarded(ApplicationId job, Supplier<Optional<T>> fitting) {
        try {
            return fitting.get();
        } catch (InterruptedComputationException e) {
            throw e;
        } catch (RuntimeException e) {
            failures.incrementAndGet();
            LOG.warn("fit failed, the belief about the job stays as it was job={}", job, e);
            return Optional.empty();
        }
    }
}
