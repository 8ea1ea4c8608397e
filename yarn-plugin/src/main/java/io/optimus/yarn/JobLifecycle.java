package io.optimus.yarn;

import io.optimus.yarn.enforce.Ceiling;
import io.optimus.yarn.enforce.GrantCeilings;
import io.optimus.yarn.history.PastJob;
import io.optimus.yarn.jobs.CheckedLife;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.ReportSummary;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.recording.Recorded;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTrigger;
import io.optimus.yarn.service.TrainingService;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows when a job registers, reports or ends: early rounds, metrics, and at its end what is kept of it.
 */
final class JobLifecycle implements TrainingService.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(JobLifecycle.class);

    private final ControlLoop.State state;
    private final GrantCeilings ceilings;
    private final BooleanSupplier enforces;
    private final Supplier<Optional<ControlLoop>> loop;
    private final Supplier<Optional<OptimusMetrics>> metrics;

    /**
     * Follows the jobs of {@code state}.
     *
     * @param enforces whether plans are enforced now
     * @param loop the rounds, while they run
     * @param metrics counts resizes, refusals and ends; empty while no rounds run
     */
    JobLifecycle(
            ControlLoop.State state,
            GrantCeilings ceilings,
            BooleanSupplier enforces,
            Supplier<Optional<ControlLoop>> loop,
            Supplier<Optional<OptimusMetrics>> metrics) {
        this.state = state;
        this.ceilings = ceilings;
        this.enforces = enforces;
        this.loop = loop;
        this.metrics = metrics;
    }

    @Override
    public void registered(ApplicationId application, long plan, boolean early) {
        loop.get().ifPresent(rounds -> rounds.numbersAbove(plan));
        if (enforces.getAsBoolean() && !ceilings.governs(application)) {
            ceilings.put(application, Ceiling.NOTHING);
        }
        if (early) {
            state.timer().signal(RoundTrigger.ARRIVAL);
        }
    }

    @Override
    public void refused() {
        metrics.get().ifPresent(OptimusMetrics::refusedCall);
    }

    @Override
    public void reported(ApplicationId application, ReportSummary summary, boolean early) {
        metrics.get().ifPresent(counted -> {
            counted.resized(summary.resizes(), summary.pauseMillis());
            counted.refused(summary.refused());
        });
        if (early) {
            state.timer().signal(summary.newPriority() ? RoundTrigger.PRIORITY : RoundTrigger.SPEED_MEASURED);
        }
    }

    @Override
    public void finished(ApplicationId application, boolean asItShould, boolean early) {
        state.registry().view(application).ifPresent(job -> {
            Optional<CheckedLife> life = asItShould ? state.trails().end(job) : Optional.empty();
            state.past().finished(job, asItShould, life, state.registry().end(application));
            recordEnd(job, asItShould ? PastJob.Outcome.SUCCEEDED : PastJob.Outcome.FAILED);
            life.ifPresent(this::checked);
            if (asItShould) {
                learn(job, life);
            }
        });
        if (early) {
            state.timer().signal(RoundTrigger.COMPLETION);
        }
    }

    private void learn(JobView job, Optional<CheckedLife> life) {
        try {
            state.past().learned(job, state.beliefs().of(job.id()), life);
        } catch (RuntimeException e) {
            LOG.warn("nothing is learned for the next run job={}", job.id(), e);
        }
    }

    private void recordEnd(JobView job, PastJob.Outcome outcome) {
        state.recorder()
                .ended(new Recorded.End(
                        System.currentTimeMillis(),
                        job.id(),
                        outcome.word(),
                        job.progress().step(),
                        job.progress().loss()));
    }

    private void checked(CheckedLife life) {
        LOG.info("predictions checked {}", life.inLog());
        metrics.get()
                .ifPresent(counted -> counted.ended(
                        life.checked().get(1).predicted().seconds().isPresent(),
                        state.past().medianErrors(CheckedPrediction::errorOfEnd),
                        state.past().medianErrors(CheckedPrediction::errorOfSpeed)));
    }
}
