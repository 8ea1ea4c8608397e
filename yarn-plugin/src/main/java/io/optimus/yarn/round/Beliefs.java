package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.FittedLosses;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.validation.Registration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fits the jobs that have news, and remembers the fits of the others.
 *
 * <p>A job whose numbers no fit can bear keeps what was believed of it, and the others get their plan: what it makes throw is
 * logged, and tried again in the next round.
 */
public final class Beliefs {
    private static final Logger LOG = LoggerFactory.getLogger(Beliefs.class);
    private static final LossCurveFitter CURVES = new LossCurveFitter();

    private final Function<ApplicationId, Optional<FittedLosses>> fitLosses;
    private final Map<ApplicationId, Fits> byJob = new ConcurrentHashMap<>();

    /** Of the jobs in {@code registry}. */
    public Beliefs(JobRegistry registry) {
        this(job -> registry.fit(job, CURVES));
    }

    Beliefs(Function<ApplicationId, Optional<FittedLosses>> fitLosses) {
        this.fitLosses = fitLosses;
    }

    /** Of the job as {@code registration} has it, when it had {@code version}. */
    private record Fits(
            Registration registration, long version, LearnedBelief estimator, FittedLosses losses, Estimate estimate) {}

    /** Fits, and forgets jobs that are not there any more. */
    void refresh(Collection<JobView> jobs) {
        byJob.keySet().retainAll(jobs.stream().map(JobView::id).toList());
        for (JobView job : jobs) {
            guarded(job.id(), () -> fits(job)).ifPresent(fits -> byJob.put(job.id(), fits));
        }
    }

    /** What is believed of {@code job}; empty before the first round that saw it. */
    public Optional<Estimate> of(ApplicationId job) {
        return Optional.ofNullable(byJob.get(job)).map(Fits::estimate);
    }

    /** What is to be expected of its speed, also before anything was measured; empty before the first round that saw it. */
    Optional<SpeedFunction> expectedSpeed(ApplicationId job) {
        return guarded(job, () -> Optional.ofNullable(byJob.get(job))
                .map(known -> known.estimator().expected(known.estimate()).function()));
    }

    /** The size that {@code job}, which runs so, should try, where one repays; none before the first round that saw it. */
    Optional<Allocation> trial(JobView job, Running running, Predicate<Allocation> fits) {
        return guarded(job.id(), () -> Optional.ofNullable(byJob.get(job.id()))
                .flatMap(known -> known.estimator().trial(known.estimate(), job.givenUp(), running, fits)));
    }

    private static <T> Optional<T> guarded(ApplicationId job, Supplier<Optional<T>> estimating) {
        try {
            return estimating.get();
        } catch (RuntimeException e) {
            LOG.warn("estimating failed, what was believed of the job stays job={}", job, e);
            return Optional.empty();
        }
    }

    private Optional<Fits> fits(JobView job) {
        Fits known = byJob.get(job.id());
        if (known != null && known.version() == job.version()) {
            return Optional.of(later(job, known));
        }
        LearnedBelief estimator = estimator(job, known);
        return fitLosses.apply(job.id()).map(losses -> fitted(job, estimator, losses));
    }

    private static Fits fitted(JobView job, LearnedBelief estimator, FittedLosses losses) {
        Estimate estimate = estimator.estimate(
                losses.curve(), losses.epochs(), job.speeds(), job.progress().step());
        return new Fits(job.registration(), job.version(), estimator, losses, estimate);
    }

    private static Fits later(JobView job, Fits known) {
        Estimate estimate = known.estimator()
                .later(known.estimate(), known.losses().epochs(), job.progress().step());
        return new Fits(known.registration(), known.version(), known.estimator(), known.losses(), estimate);
    }

    /** The one that it had, which remembers, where it is as it was. */
    private static LearnedBelief estimator(JobView job, @Nullable Fits known) {
        Registration registration = job.registration();
        return known != null && known.registration().equals(registration)
                ? known.estimator()
                : new LearnedBelief(
                        registration.speedForm(), job.range(), registration.stop(), registration.stepsPerEpoch());
    }
}
