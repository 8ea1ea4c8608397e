package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.job.Placement;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.yarn.configuration.OptimusConfiguration.JobLimits;
import io.optimus.yarn.validation.DemandLimits;
import io.optimus.yarn.validation.Registration;
import io.optimus.yarn.validation.RegistrationValidator;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The training jobs that are registered. Soft state: a restarted ResourceManager starts with none, and the jobs register
 * again with their history.
 *
 * <p>Safe for use by several threads. Callers were identified before; nothing is believed of what they say.
 */
public final class JobRegistry {
    private final JobLimits jobLimits;
    private final GpuSpeeds gpus;
    private final ConcurrentMap<ApplicationId, RegisteredJob> jobs = new ConcurrentHashMap<>();

    /** Empty, with this much memory for each job, on a cluster with these GPUs. */
    public JobRegistry(JobLimits jobLimits, GpuSpeeds gpus) {
        this.jobLimits = jobLimits;
        this.gpus = gpus;
    }

    /**
     * Registers the caller's job, or registers it again: with the same tasks at the same priorities, for it may hold
     * some.
     *
     * @throws TrainingRefusedException naming everything that is wrong with it; nothing changed then
     */
    public void register(ApplicationFacts caller, DemandLimits limits, RegisterJobRequestProto request)
            throws TrainingRefusedException {
        Registration registration =
                RegistrationValidator.check(jobLimits.tasksPerRole(), limits, caller.queue(), request);
        RegisteredJob arriving = new RegisteredJob(caller, jobLimits, gpus, registration, request);
        // A job's own lock is never waited for within the map's: the scheduler removes jobs from it.
        RegisteredJob known = jobs.putIfAbsent(caller.attempt().getApplicationId(), arriving);
        if (known != null) {
            known.registerAgain(caller, registration, request);
        }
    }

    /** Takes a report in; empty where the job is not registered, or by another attempt than the caller. */
    public Optional<ReportSummary> report(ApplicationFacts caller, ReportRequestProto report)
            throws TrainingRefusedException {
        RegistrationValidator.checkVersion(report.getVersion());
        return find(caller.attempt().getApplicationId()).flatMap(job -> job.report(caller, report));
    }

    /** The job has ended; it is shown as such while its application is there. */
    public void finish(ApplicationFacts caller, FinishJobRequestProto request) throws TrainingRefusedException {
        RegistrationValidator.checkVersion(request.getVersion());
        OptionalDouble loss =
                request.hasFinalLoss() ? OptionalDouble.of(request.getFinalLoss()) : OptionalDouble.empty();
        find(caller.attempt().getApplicationId()).ifPresent(job -> job.finish(caller, request.getFinalStep(), loss));
    }

    /** Forgets the job of an application that is gone. */
    public void remove(ApplicationId application) {
        jobs.remove(application);
    }

    /** Whether {@code application} is registered: one hash look-up. */
    public boolean contains(ApplicationId application) {
        return jobs.containsKey(application);
    }

    /** All jobs, in order of their ids. */
    public List<JobView> views() {
        return jobs.values().stream()
                .map(RegisteredJob::view)
                .sorted(Comparator.comparing(JobView::id))
                .toList();
    }

    /** How fast the GPUs are that {@code job} would have there. */
    public double gpuSpeed(JobView job, Placement placement) {
        return gpus.of(job.registration().demand().workers(), placement);
    }

    /** One job. */
    public Optional<JobView> view(ApplicationId application) {
        return find(application).map(RegisteredJob::view);
    }

    /** What came of fitting the losses of {@code application}; empty where it is not registered. */
    public Optional<FittedLosses> fit(ApplicationId application, LossCurveFitter fitter) {
        return find(application).map(job -> job.fit(fitter));
    }

    /** A plan was published for {@code application}: to run on {@code size}, perhaps to learn how fast that is. */
    public void planned(ApplicationId application, long plan, Allocation size, boolean exploring, String reason) {
        find(application).ifPresent(job -> job.planned(plan, size, exploring, reason));
    }

    /** {@code application} holds {@code tasks}. */
    public void holds(ApplicationId application, Allocation tasks, long nowMillis) {
        find(application).ifPresent(job -> job.holds(tasks, nowMillis));
    }

    /** {@code application} ran on {@code size} for long enough without a sample. */
    public void giveUpExploring(ApplicationId application, Allocation size) {
        find(application).ifPresent(job -> job.giveUp(size));
    }

    private Optional<RegisteredJob> find(ApplicationId application) {
        return Optional.ofNullable(jobs.get(application));
    }
}
