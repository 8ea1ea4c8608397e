package io.optimus.yarn.round;

import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.TypicalSpeed;
import io.optimus.yarn.jobs.FittedLosses;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Fits the jobs that have news, and remembers the fits of the others. */
public final class Estimates {
    private final JobRegistry registry;
    private final LossCurveFitter curves = new LossCurveFitter();
    private final Map<ApplicationId, Fits> byJob = new ConcurrentHashMap<>();

    /** Of the jobs in {@code registry}. */
    public Estimates(JobRegistry registry) {
        this.registry = registry;
    }

    private record Fits(long version, FittedLosses losses, SpeedFit speed, Estimate estimate) {}

    /** Fits, and forgets jobs that are not there any more. */
    void refresh(Collection<JobView> jobs) {
        byJob.keySet().retainAll(jobs.stream().map(JobView::id).toList());
        for (JobView job : jobs) {
            Fits known = byJob.get(job.id());
            if (known == null || known.version() != job.version()) {
                registry.fit(job.id(), curves).ifPresent(losses -> byJob.put(job.id(), fits(job, losses, speed(job))));
            } else {
                byJob.put(job.id(), fits(job, known.losses(), known.speed()));
            }
        }
    }

    /** What is believed of {@code job}; empty before the first round that saw it. */
    public Optional<Estimate> of(ApplicationId job) {
        return Optional.ofNullable(byJob.get(job)).map(Fits::estimate);
    }

    private static Fits fits(JobView job, FittedLosses losses, SpeedFit speed) {
        return new Fits(
                job.version(),
                losses,
                speed,
                new Estimate(
                        losses.curve(),
                        speed,
                        speed.fitted().or(() -> TypicalSpeed.through(form(job), job.speeds())),
                        remaining(job, losses)));
    }

    private static SpeedFit speed(JobView job) {
        return new SpeedFitter(form(job)).fit(job.speeds(), job.range());
    }

    private static RemainingSteps remaining(JobView job, FittedLosses losses) {
        return job.registration()
                .stop()
                .map(rule -> new ConvergencePrediction(rule, job.registration().stepsPerEpoch())
                        .from(losses.curve(), losses.largestEpochLoss(), (double)
                                job.progress().step()))
                .orElseGet(() -> new RemainingSteps.Unknown("the job names no rule that ends it"));
    }

    static SpeedForm form(JobView job) {
        return SpeedForm.of(
                job.registration().mode(), (double) job.registration().globalBatch());
    }
}
