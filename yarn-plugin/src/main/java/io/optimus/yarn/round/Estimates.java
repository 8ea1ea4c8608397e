package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.plan.Estimate;
import io.optimus.model.plan.Estimator;
import io.optimus.model.speed.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.FittedLosses;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Registration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/** Fits the jobs that have news, and remembers the fits of the others. */
public final class Estimates {
    private final JobRegistry registry;
    private final LossCurveFitter curves = new LossCurveFitter();
    private final Map<ApplicationId, Fits> byJob = new ConcurrentHashMap<>();

    /** Of the jobs in {@code registry}. */
    public Estimates(JobRegistry registry) {
        this.registry = registry;
    }

    /** Of the job as {@code registration} has it, when it had {@code version}. */
    private record Fits(
            Registration registration, long version, Estimator estimator, FittedLosses losses, Estimate estimate) {}

    /** Fits, and forgets jobs that are not there any more. */
    void refresh(Collection<JobView> jobs) {
        byJob.keySet().retainAll(jobs.stream().map(JobView::id).toList());
        for (JobView job : jobs) {
            Fits known = byJob.get(job.id());
            if (known == null || known.version() != job.version()) {
                Estimator estimator = estimator(job, known);
                registry.fit(job.id(), curves).ifPresent(losses -> byJob.put(job.id(), fitted(job, estimator, losses)));
            } else {
                byJob.put(job.id(), later(job, known));
            }
        }
    }

    /** What is believed of {@code job}; empty before the first round that saw it. */
    public Optional<Estimate> of(ApplicationId job) {
        return Optional.ofNullable(byJob.get(job)).map(Fits::estimate);
    }

    /** What is to be expected of its speed, also before anything was measured; empty before the first round that saw it. */
    Optional<SpeedFunction> expectedSpeed(ApplicationId job) {
        return Optional.ofNullable(byJob.get(job))
                .map(known -> known.estimator().expected(known.estimate()).function());
    }

    /** The size that {@code job}, which runs so, should try, where one repays; none before the first round that saw it. */
    Optional<Allocation> trial(JobView job, Running running, Predicate<Allocation> fits) {
        return Optional.ofNullable(byJob.get(job.id()))
                .flatMap(known -> known.estimator().trial(known.estimate(), job.givenUp(), running, fits));
    }

    private static Fits fitted(JobView job, Estimator estimator, FittedLosses losses) {
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
    private static Estimator estimator(JobView job, @Nullable Fits known) {
        Registration registration = job.registration();
        return known != null && known.registration().equals(registration)
                ? known.estimator()
                : new Estimator(
                        registration.speedForm(), job.range(), registration.stop(), registration.stepsPerEpoch());
    }
}
