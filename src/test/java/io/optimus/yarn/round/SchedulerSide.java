package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.Explanation;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.QueuedJob;
import io.optimus.model.speed.SpeedSample;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.OptimusConfiguration.JobLimits;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.validation.DemandLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The ResourceManager's way from reports to snapshots, without a ResourceManager: registry, beliefs, round snapshots. */
final class SchedulerSide {
    static final int BATCH = 128;
    static final int STEPS_PER_EPOCH = 100;
    static final int MOST_EPOCHS = 100_000;

    private static final String QUEUE = "root.default";
    private static final String USER = "alice";
    private static final JobLimits LIMITS = new JobLimits(512, 64, 64, 100, 25);

    private final JobDemand demand;
    private final LearningMode learning;
    private final long pauseMillis;
    private final long roundMillis;
    private final SortedMap<Integer, Job> jobs = new TreeMap<>();
    private final Map<Integer, Integer> unreportedResizes = new TreeMap<>();
    private JobRegistry registry = newRegistry();
    private Beliefs beliefs = new Beliefs(registry, job -> Optional.empty());

    /** Every pause that a job reports may have been: an hour passes with each look at the clock. */
    private static JobRegistry newRegistry() {
        AtomicLong millis = new AtomicLong();
        return new JobRegistry(
                () -> LIMITS, GpuSpeeds.ALIKE, Long.MAX_VALUE, () -> millis.addAndGet(TimeUnit.HOURS.toMillis(1)));
    }

    SchedulerSide(JobDemand demand, LearningMode learning, long pauseMillis, long roundMillis) {
        this.demand = demand;
        this.learning = learning;
        this.pauseMillis = pauseMillis;
        this.roundMillis = roundMillis;
    }

    /** One job's ApplicationMaster, with all that it remembers. */
    private static final class Job {
        final long submitMillis;
        final List<LossPoint> losses = new ArrayList<>();
        final List<SpeedSample> speeds = new ArrayList<>();
        final List<ResizeProto> resizes = new ArrayList<>();
        int attempt = 1;
        long sequence;
        long step;
        double steps;
        Placement held = Placement.NONE;
        Placement members = Placement.NONE;
        boolean planned;
        boolean exploring;

        Job(long submitMillis) {
            this.submitMillis = submitMillis;
        }
    }

    static ApplicationId id(int number) {
        return ApplicationId.newInstance(1000, number);
    }

    void submit(int number, long submitMillis) throws Exception {
        jobs.put(number, new Job(submitMillis));
        register(number, HistoryProto.getDefaultInstance());
    }

    void end(int number) {
        jobs.remove(number);
        registry.remove(id(number));
    }

    /** A plan was published for the job and carried out by YARN. */
    void planned(int number, boolean exploring) {
        Job job = job(number);
        job.planned = true;
        job.exploring = exploring;
        registry.planned(id(number), 1, job.held.allocation(), exploring, "");
    }

    /** The containers of the job are there from now on, and its tasks still have to form the next membership. */
    void hold(int number, Placement placement, long nowMillis) {
        Job job = job(number);
        job.resizes.add(ResizeProto.newBuilder()
                .setFrom(proto(job.held.allocation()))
                .setTo(proto(placement.allocation()))
                .setPauseMillis(pauseMillis)
                .setPlan(1)
                .build());
        job.held = placement;
        registry.holds(id(number), placement.allocation(), nowMillis);
        unreportedResizes.merge(number, 1, Integer::sum);
    }

    /** The job reports: it trained on what it holds where there are speeds, and on what it held before where not. */
    void report(int number, List<LossPoint> losses, List<SpeedSample> speeds, double step) {
        Job job = job(number);
        job.losses.addAll(losses);
        job.speeds.addAll(speeds);
        if (!speeds.isEmpty()) {
            job.members = job.held;
        }
        job.step = Math.round(step);
        int resized = Optional.ofNullable(unreportedResizes.remove(number)).orElse(0);
        ReportRequestProto.Builder report = ReportRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setSequence(++job.sequence)
                .setCurrentStep(job.step)
                .addAllMembers(members(job))
                .addAllResizes(job.resizes.subList(job.resizes.size() - resized, job.resizes.size()));
        losses.forEach(point -> report.addLosses(proto(point)));
        speeds.forEach(sample -> report.addSpeeds(proto(sample)));
        try {
            if (registry.report(facts(number), report.build()).isEmpty()) {
                throw new IllegalStateException("not registered: " + number);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The ApplicationMaster is started again, and registers without its history: the ResourceManager has it. */
    void restartMaster(int number) throws Exception {
        job(number).attempt++;
        register(number, HistoryProto.getDefaultInstance());
    }

    /** The ResourceManager is started again, and all jobs register with what they remember. */
    void restartResourceManager() throws Exception {
        registry = newRegistry();
        beliefs = new Beliefs(registry, job -> Optional.empty());
        for (Map.Entry<Integer, Job> entry : jobs.entrySet()) {
            Job job = entry.getValue();
            HistoryProto.Builder history = HistoryProto.newBuilder().addAllResizes(job.resizes);
            job.losses.forEach(point -> history.addLosses(proto(point)));
            job.speeds.forEach(sample -> history.addSpeeds(proto(sample)));
            unreportedResizes.remove(entry.getKey());
            register(entry.getKey(), history.build());
            if (job.planned) {
                registry.planned(id(entry.getKey()), 1, job.held.allocation(), job.exploring, "");
            }
        }
    }

    /** The snapshot that a policy would get now. */
    Map<String, JobSnapshot> snapshots(ClusterSnapshot cluster, long nowMillis) {
        jobs.forEach((number, job) -> registry.holds(id(number), job.held.allocation(), nowMillis));
        beliefs.refresh(registry.views(), job -> 8);
        Configuration yarn = new Configuration(false);
        yarn.set("yarn.scheduler.optimus.round-interval", roundMillis + "ms");
        yarn.set("yarn.scheduler.optimus.assumed-resize-cost", pauseMillis + "ms");
        yarn.set("yarn.scheduler.optimus.growth-timeout", "0s");
        OptimusConfiguration settings = OptimusConfiguration.read(yarn);
        RoundSnapshots snapshots =
                new RoundSnapshots(beliefs::of, queue -> learning, plan(), Map.of(), nowMillis, nowMillis, settings);
        List<QueueSnapshot> queues = snapshots.of(view(cluster), registry.views());
        return queues.get(0).jobs().stream()
                .map(QueuedJob::job)
                .collect(Collectors.toMap(JobSnapshot::id, Function.identity()));
    }

    private PublishedPlan plan() {
        SortedMap<ApplicationId, JobPlan> parts = new TreeMap<>();
        jobs.forEach((number, job) -> {
            if (job.planned) {
                parts.put(
                        id(number),
                        new JobPlan(
                                1,
                                job.held,
                                job.held,
                                Allocation.NONE,
                                Explanation.NONE,
                                job.exploring,
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                Optional.empty()));
            }
        });
        return new PublishedPlan(1, false, parts);
    }

    private ClusterView view(ClusterSnapshot cluster) {
        Resources held = jobs.values().stream()
                .map(job -> demand.resources(job.held.allocation()))
                .reduce(Resources.NONE, Resources::plus);
        List<ApplicationUsage> usages = jobs.entrySet().stream()
                .map(job -> new ApplicationUsage(
                        new TrainingApplication(id(job.getKey()), Map.of()),
                        USER,
                        job.getValue().held,
                        List.of(),
                        false,
                        new TreeSet<>()))
                .toList();
        QueueView queue = new QueueView(
                QUEUE,
                "",
                cluster,
                new QueueView.OrdinaryUsage(Resources.NONE, Resources.NONE),
                new TreeMap<>(Map.of(USER, held)),
                new TreeMap<>(),
                QueueView.Guarantee.NONE,
                usages);
        return new ClusterView(List.of(queue), new TreeMap<>());
    }

    private Job job(int number) {
        return Optional.ofNullable(jobs.get(number)).orElseThrow();
    }

    private ApplicationFacts facts(int number) {
        Job job = job(number);
        return new ApplicationFacts(
                ApplicationAttemptId.newInstance(id(number), job.attempt), USER, QUEUE, job.submitMillis, 0);
    }

    private void register(int number, HistoryProto history) throws Exception {
        Job job = job(number);
        job.sequence = 0;
        RegisterJobRequestProto request = RegisterJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setName("job")
                .setMode(TrainingModeProto.SYNCHRONOUS)
                .addRoles(role(RoleProto.PARAMETER_SERVER, demand.of(Role.PARAMETER_SERVER), 10))
                .addRoles(role(RoleProto.WORKER, demand.of(Role.WORKER), 11))
                .setGlobalBatch(BATCH)
                .setStepsPerEpoch(STEPS_PER_EPOCH)
                .setStop(StopRuleProto.newBuilder().setMaxEpochs(MOST_EPOCHS))
                .setCurrentStep(job.step)
                .addAllHeld(members(job))
                .setHistory(history)
                .build();
        registry.register(facts(number), new AnyTask(), request);
    }

    private static RoleSpecProto role(RoleProto role, RoleDemand demand, int priority) {
        RoleSpecProto.Builder spec = RoleSpecProto.newBuilder()
                .setRole(role)
                .setMin(demand.min())
                .setMax(demand.max())
                .setYarnPriority(priority);
        for (String resource : List.of(Resources.MEMORY_MB, Resources.VCORES, Resources.GPUS)) {
            spec.addResources(ResourceAmountProto.newBuilder()
                    .setName(resource)
                    .setAmount(demand.task().amount(resource)));
        }
        return spec.build();
    }

    private record AnyTask() implements DemandLimits {
        @Override
        public Resources largestTask(String queue) {
            return Resources.of(1 << 20, 64, 64);
        }

        @Override
        public Resources normalised(String queue, Resources task) {
            return task;
        }
    }

    private static List<NodeAllocationProto> members(Job job) {
        return job.members.byNode().entrySet().stream()
                .map(tasks -> NodeAllocationProto.newBuilder()
                        .setNode(tasks.getKey())
                        .setAllocation(proto(tasks.getValue()))
                        .build())
                .toList();
    }

    private static AllocationProto proto(Allocation allocation) {
        return AllocationProto.newBuilder()
                .setParameterServers(allocation.parameterServers())
                .setWorkers(allocation.workers())
                .build();
    }

    private static LossPointProto proto(LossPoint point) {
        return LossPointProto.newBuilder()
                .setStep(point.step())
                .setLoss(point.loss())
                .build();
    }

    private static SpeedSampleProto proto(SpeedSample sample) {
        return SpeedSampleProto.newBuilder()
                .setAllocation(proto(sample.allocation()))
                .setStepsPerSecond(sample.stepsPerSecond())
                .setSeconds(sample.seconds())
                .setNodes(sample.nodes())
                .setWorkerNode("n000")
                .build();
    }
}
