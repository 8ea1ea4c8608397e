package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The registered training jobs. This is soft state: a restarted ResourceManager starts with no job, and the jobs
 * register again with their history.
 *
 * <p>Thread-safe. Callers have been identified before; everything that they send is checked.
 */
public final class JobRegistry {
    private final Supplier<JobLimits> jobLimits;
    private final GpuSpeeds gpus;
    private volatile long startMillis;
    private final LongSupplier clock;
    private final JobMemory memory;
    private final ConcurrentMap<ApplicationId, RegisteredJob> jobs = new ConcurrentHashMap<>();

    /**
     * An empty registry for a cluster with {@code gpus}.
     *
     * @param jobLimits limits on what is kept of one job, asked for when it registers
     * @param startMillis as {@link #seesJobsFrom}
     * @param clock the clock of the rounds, in milliseconds
     */
    public JobRegistry(Supplier<JobLimits> jobLimits, GpuSpeeds gpus, long startMillis, LongSupplier clock) {
        this.jobLimits = jobLimits;
        this.gpus = gpus;
        this.startMillis = startMillis;
        this.clock = clock;
        this.memory = new JobMemory(() -> jobLimits.get().memoryBytes());
    }

    /**
     * Applications that were submitted earlier may have trained before this scheduler saw them.
     *
     * @param millis when this scheduler begins to serve jobs, by the clock of their submission
     */
    public void seesJobsFrom(long millis) {
        startMillis = millis;
    }

    /**
     * Registers the caller's job, or registers it again with the same tasks at the same priorities, since it may hold
     * containers for them. Each task may get more memory.
     *
     * @return whether the job, its attempt or its demand was not known before
     * @throws TrainingRefusedException if the request is invalid; the message names all problems, and nothing has
     *     changed
     */
    public boolean register(ApplicationFacts caller, DemandLimits limits, RegisterJobRequestProto request)
            throws TrainingRefusedException {
        JobLimits kept = jobLimits.get();
        Registration registration = RegistrationValidator.check(kept.tasksPerRole(), limits, caller.queue(), request);
        ApplicationId id = caller.attempt().getApplicationId();
        RegisteredJob known = jobs.get(id);
        if (known == null) {
            RegisteredJob arriving = arriving(caller, kept, registration);
            arriving.register(request);
            // Never waits for a job's lock inside the map's lock: the scheduler removes jobs from the map.
            known = jobs.putIfAbsent(id, arriving);
            if (known == null) {
                return true;
            }
            arriving.release();
        }
        return known.registerAgain(caller, registration, request);
    }

    private RegisteredJob arriving(ApplicationFacts caller, JobLimits kept, Registration registration) {
        return new RegisteredJob(
                caller,
                kept,
                gpus,
                new Evidence(caller.submitMillis() >= startMillis, clock, kept.resizes()),
                memory.new Share(),
                registration);
    }

    /** Takes in a report; empty if the job is not registered, or was registered by another attempt than the caller. */
    public Optional<ReportSummary> report(ApplicationFacts caller, ReportRequestProto report)
            throws TrainingRefusedException {
        RegistrationValidator.checkVersion(report.getVersion());
        return find(caller.attempt().getApplicationId()).flatMap(job -> job.report(caller, report));
    }

    /** Marks the job as finished; it stays in the registry as long as its application. */
    public void finish(ApplicationFacts caller, FinishJobRequestProto request) throws TrainingRefusedException {
        RegistrationValidator.checkVersion(request.getVersion());
        find(caller.attempt().getApplicationId()).ifPresent(job -> job.finish(caller, request));
    }

    public void remove(ApplicationId application) {
        Optional.ofNullable(jobs.remove(application)).ifPresent(RegisteredJob::release);
    }

    /** Forgets all jobs. */
    public void clear() {
        List.copyOf(jobs.keySet()).forEach(this::remove);
    }

    /** An estimate of the bytes that all jobs take. */
    public long memoryBytes() {
        return memory.bytes();
    }

    /** How often a job was refused, or its tasks were not kept, because all jobs took too much memory. */
    public long memoryRefusals() {
        return memory.refusals();
    }

    /** Whether {@code application} is registered: one hash look-up. */
    public boolean contains(ApplicationId application) {
        return jobs.containsKey(application);
    }

    /** The number of jobs. */
    public int size() {
        return jobs.size();
    }

    /** The ids of all jobs, in order. */
    public List<ApplicationId> ids() {
        return jobs.keySet().stream().sorted().toList();
    }

    /** All jobs, in order of their ids. */
    public List<JobView> views() {
        return jobs.values().stream()
                .map(RegisteredJob::view)
                .sorted(Comparator.comparing(JobView::id))
                .toList();
    }

    /** Speed of the GPUs that {@code job} would use in {@code placement}. */
    public double gpuSpeed(JobView job, Placement placement) {
        return gpus.of(job.registration().demand().workers(), placement);
    }

    /** Whether this scheduler saw {@code job} from its submission on. */
    public boolean sawWhole(JobView job) {
        return job.facts().submitMillis() >= startMillis;
    }

    /** The job of {@code application}, if it is registered. */
    public Optional<JobView> view(ApplicationId application) {
        return find(application).map(RegisteredJob::view);
    }

    /** What happened to {@code application} so far; empty if it is not registered. */
    public Optional<JobTimeline> timeline(ApplicationId application) {
        return find(application).map(RegisteredJob::timeline);
    }

    /** The points of the loss curve of {@code application}; none if it is not registered. */
    public List<LossPoint> losses(ApplicationId application) {
        return find(application).map(RegisteredJob::losses).orElse(List.of());
    }

    /** What {@code application} leaves, once it has told of its end. */
    public JobEnd end(ApplicationId application) {
        return find(application).map(RegisteredJob::end).orElse(JobEnd.UNTOLD);
    }

    /** Fits the losses of {@code application}; empty if it is not registered. */
    public Optional<FittedLosses> fit(ApplicationId application, LossCurveFitter fitter) {
        return find(application).map(job -> job.fit(fitter));
    }

    /** Notes that {@code plan} gives {@code application} the size {@code size}, and why. */
    public void planned(ApplicationId application, long plan, Allocation size, boolean exploring, String reason) {
        find(application).ifPresent(job -> job.planned(plan, size, exploring, reason));
    }

    public void holds(ApplicationId application, Allocation tasks, long nowMillis) {
        find(application).ifPresent(job -> job.holds(tasks, nowMillis));
    }

    /** Notes that {@code size} gave no sample in time: {@code application} does not explore it again. */
    public void giveUpExploring(ApplicationId application, Allocation size) {
        find(application).ifPresent(job -> job.giveUp(size));
    }

    private Optional<RegisteredJob> find(ApplicationId application) {
        return Optional.ofNullable(jobs.get(application));
    }
}
