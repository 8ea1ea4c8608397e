package io.optimus.yarn.validation;

import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.losses.AnnouncedBends;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.protocol.OneLine;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.BatchLimitsProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks registrations; an invalid one is refused whole, with all its problems. */
public final class RegistrationValidator {
    private static final int LONGEST_NAME = 200;
    /** More types than any cluster has. Reasons and lists in REST name all of them. */
    private static final int MOST_GPU_TYPES = 32;

    private static final int LONGEST_GPU_TYPE = 64;
    /** More types of resources than any cluster has. */
    private static final int MOST_RESOURCES = 100;
    /** The problems that one refusal names. */
    private static final int MOST_PROBLEMS = 20;

    private static final int LONGEST_QUOTE = 60;
    /** The time of a prediction grows with their number. */
    private static final int MOST_QUIET_EPOCHS = 1000;
    /** YARN's own priority of the ApplicationMaster's container; no role may use it. */
    private static final int MASTER_PRIORITY = 0;

    private final int tasksPerRole;
    private final DemandLimits limits;
    private final String queue;
    private final RegisterJobRequestProto request;
    private final List<String> problems = new ArrayList<>();

    private RegistrationValidator(
            int tasksPerRole, DemandLimits limits, String queue, RegisterJobRequestProto request) {
        this.tasksPerRole = tasksPerRole;
        this.limits = limits;
        this.queue = queue;
        this.request = request;
    }

    /**
     * Checks a registration.
     *
     * @param queue path of the queue of the job
     * @throws TrainingRefusedException if it is invalid; the message names all problems, or the version
     */
    public static Registration check(
            int tasksPerRole, DemandLimits limits, String queue, RegisterJobRequestProto request)
            throws TrainingRefusedException {
        checkVersion(request.getVersion());
        return new RegistrationValidator(tasksPerRole, limits, queue, request).read();
    }

    /** Refuses versions that this build does not understand. Newer versions only add fields, which are ignored here. */
    public static void checkVersion(int version) throws TrainingRefusedException {
        if (version < 1) {
            throw new TrainingRefusedException(
                    Reason.VERSION,
                    "protocol version " + version + " is not understood by this scheduler (it speaks "
                            + TrainingProtocol.VERSION + "). Remedy: submit with the optimus-am.jar of its release");
        }
    }

    /**
     * Refuses a job that registers again with other tasks, because its containers were granted for the tasks that it had.
     * Tasks may get more memory: containers that are smaller stay theirs. Nor may a minimum rise: what a job has got beyond its
     * minimum has to make room for others.
     *
     * @throws TrainingRefusedException naming every role that changed
     */
    public static void checkSameTasks(Registration before, Registration now) throws TrainingRefusedException {
        List<String> changed = new ArrayList<>();
        for (Role role : Role.values()) {
            String tasks = tasks(role, before);
            if (!tasks.equals(tasks(role, now)) && !hasMoreMemory(role, before, now)) {
                changed.add(role + ": was registered with " + tasks + ", now with " + tasks(role, now));
            }
            int min = before.demand().of(role).min();
            int newMin = now.demand().of(role).min();
            if (newMin > min) {
                changed.add(role + ": was registered with min=" + min + ", now with min=" + newMin);
            }
        }
        if (!changed.isEmpty()) {
            throw new TrainingRefusedException(
                    Reason.INVALID_REQUEST,
                    String.join("; ", changed)
                            + ". Remedy: submit another application for other tasks, or more at least");
        }
    }

    /** Whether only the memory of a task has changed, and has grown. */
    private static boolean hasMoreMemory(Role role, Registration before, Registration now) {
        if (!before.has(role) || !now.has(role) || before.yarnPriority(role) != now.yarnPriority(role)) {
            return false;
        }
        Resources more =
                now.demand().of(role).task().minus(before.demand().of(role).task());
        return more.amounts().entrySet().stream()
                .allMatch(amount ->
                        amount.getKey().equals(Resources.MEMORY_MB) ? amount.getValue() >= 0 : amount.getValue() == 0);
    }

    private static String tasks(Role role, Registration registration) {
        return registration.has(role)
                ? registration.demand().of(role).task() + " at yarn_priority=" + registration.yarnPriority(role)
                : "no tasks";
    }

    private Registration read() throws TrainingRefusedException {
        checkScalars();
        Optional<RoleSpecProto> parameterServers = role(RoleProto.PARAMETER_SERVER);
        Optional<RoleSpecProto> workers = role(RoleProto.WORKER);
        require(workers.isPresent(), "role WORKER is not described: every job has workers");
        require(
                parameterServers.isPresent() || request.getMode() == TrainingModeProto.SYNCHRONOUS,
                "a job without role PARAMETER_SERVER trains by all-reduce, so its mode must be SYNCHRONOUS, not "
                        + request.getMode());
        Optional<RoleDemand> serverDemand = parameterServers.isPresent()
                ? demand(Role.PARAMETER_SERVER, parameterServers.get())
                : Optional.of(RoleDemand.NONE);
        Optional<RoleDemand> workerDemand = workers.flatMap(spec -> demand(Role.WORKER, spec));
        if (parameterServers.isPresent() && workers.isPresent()) {
            require(
                    parameterServers.get().getYarnPriority() != workers.get().getYarnPriority(),
                    "both roles ask YARN at priority " + workers.get().getYarnPriority() + ": give each its own");
        }
        Optional<StopRule> stop = request.hasStop() ? stopRule(request.getStop()) : Optional.empty();
        checkBends();
        if (request.hasBatchLimits()) {
            checkBatches(request.getBatchLimits());
        }
        if (!problems.isEmpty()) {
            throw new TrainingRefusedException(Reason.INVALID_REQUEST, named(problems));
        }
        return new Registration(
                request.getName(),
                new JobDemand(serverDemand.orElseThrow(), workerDemand.orElseThrow()),
                yarnPriorities(),
                new Registration.Training(
                        mode(request.getMode()),
                        request.getGlobalBatch(),
                        request.getStepsPerEpoch(),
                        stop,
                        new AnnouncedBends(request.getBendsList()),
                        request.getPaced(),
                        request.hasBatchLimits() ? Optional.of(limits(request.getBatchLimits())) : Optional.empty()),
                new SchedulingTerms(
                        request.getPriority(),
                        request.getPreemptible(),
                        request.getMinRunSeconds(),
                        new TreeSet<>(request.getGpuTypesList())));
    }

    private SortedMap<Role, Integer> yarnPriorities() {
        SortedMap<Role, Integer> priorities = new TreeMap<>();
        request.getRolesList()
                .forEach(spec -> priorities.put(ReportValidator.role(spec.getRole()), spec.getYarnPriority()));
        return priorities;
    }

    private static TrainingMode mode(TrainingModeProto mode) {
        return switch (mode) {
            case SYNCHRONOUS -> TrainingMode.SYNCHRONOUS;
            case ASYNCHRONOUS -> TrainingMode.ASYNCHRONOUS;
        };
    }

    private void checkScalars() {
        requireName("the name", request.getName(), LONGEST_NAME);
        require(
                request.getGlobalBatch() >= 1 && request.getGlobalBatch() <= ReportRanges.LARGEST_COUNT,
                "global_batch=" + request.getGlobalBatch() + " must be 1 to " + ReportRanges.LARGEST_COUNT);
        require(
                ReportRanges.stepsPerEpoch(request.getStepsPerEpoch()),
                "steps_per_epoch=" + request.getStepsPerEpoch() + " must be above 0 and at most "
                        + ReportRanges.LARGEST_COUNT);
        if (require(
                request.getGpuTypesCount() <= MOST_GPU_TYPES,
                request.getGpuTypesCount() + " GPU types are too many: name at most " + MOST_GPU_TYPES)) {
            request.getGpuTypesList().forEach(type -> requireName("a GPU type", type, LONGEST_GPU_TYPE));
        }
        require(request.getMinRunSeconds() >= 0, "min_run_seconds=" + request.getMinRunSeconds() + " is negative");
    }

    private void checkBatches(BatchLimitsProto batches) {
        require(
                batches.getInitial() >= 1
                        && batches.getMax() >= batches.getInitial()
                        && batches.getMinAtomic() >= 1
                        && batches.getMaxAtomic() >= batches.getMinAtomic()
                        && batches.getMinAtomic() <= batches.getMax(),
                "batch_limits: initial=" + batches.getInitial() + " max=" + batches.getMax() + " min_atomic="
                        + batches.getMinAtomic() + " max_atomic=" + batches.getMaxAtomic()
                        + " must satisfy 1 <= initial <= max and 1 <= min_atomic <= max_atomic, min_atomic <= max");
        require(
                batches.getInitial() == request.getGlobalBatch(),
                "batch_limits: initial=" + batches.getInitial() + " must be global_batch=" + request.getGlobalBatch());
        require(
                request.getRolesList().stream().noneMatch(spec -> spec.getRole() == RoleProto.PARAMETER_SERVER),
                "batch_limits: only a job without role PARAMETER_SERVER, which trains by all-reduce, adapts its batch");
    }

    private static BatchLimits limits(BatchLimitsProto batches) {
        return new BatchLimits(batches.getInitial(), batches.getMax(), batches.getMinAtomic(), batches.getMaxAtomic());
    }

    private void checkBends() {
        if (!require(
                request.getBendsCount() <= AnnouncedBends.MOST,
                request.getBendsCount() + " bends are too many: announce at most " + AnnouncedBends.MOST)) {
            return;
        }
        double before = 0;
        for (double epoch : request.getBendsList()) {
            require(
                    ReportRanges.epoch(epoch) && epoch > before,
                    "the bend at epoch " + epoch + " must be after epoch " + before + " and at most "
                            + ReportRanges.LARGEST_COUNT);
            before = epoch;
        }
    }

    /** The text does not repeat {@code name}, which may be long or hold control characters. */
    private void requireName(String what, String name, int longest) {
        require(
                !name.isBlank() && name.length() <= longest && OneLine.isPlain(name),
                what + " must not be blank and must have at most " + longest
                        + " characters, none of them a control character; it has a length of " + name.length());
    }

    private Optional<RoleSpecProto> role(RoleProto role) {
        List<RoleSpecProto> specs = request.getRolesList().stream()
                .filter(spec -> spec.getRole() == role)
                .toList();
        require(specs.size() <= 1, "role " + role + " is described " + specs.size() + " times; describe it once");
        return specs.stream().findFirst();
    }

    private Optional<RoleDemand> demand(Role role, RoleSpecProto spec) {
        boolean range = require(
                spec.getMin() >= 1 && spec.getMax() >= spec.getMin() && spec.getMax() <= tasksPerRole,
                role + ": min=" + spec.getMin() + " max=" + spec.getMax() + " must satisfy 1 <= min <= max <= "
                        + tasksPerRole);
        require(
                spec.getYarnPriority() > MASTER_PRIORITY,
                role + ": yarn_priority=" + spec.getYarnPriority()
                        + " must be above 0, which is the priority of the ApplicationMaster");
        Optional<Resources> task = task(role, spec);
        return range && task.isPresent()
                ? Optional.of(new RoleDemand(task.get(), spec.getMin(), spec.getMax()))
                : Optional.empty();
    }

    private Optional<Resources> task(Role role, RoleSpecProto spec) {
        if (!require(
                spec.getResourcesCount() <= MOST_RESOURCES,
                role + ": " + spec.getResourcesCount() + " resources are too many: name at most " + MOST_RESOURCES)) {
            return Optional.empty();
        }
        Resources largest = limits.largestTask(queue);
        Map<String, Long> amounts = new TreeMap<>();
        int before = problems.size();
        // YARN does not limit containers while it knows no node, but the sum of all tasks must not overflow.
        long bound = ReportRanges.LARGEST_COUNT / Math.max(1, spec.getMax());
        for (ResourceAmountProto resource : spec.getResourcesList()) {
            long most = largest.amount(resource.getName());
            long amount = resource.getAmount();
            String name = OneLine.of(resource.getName(), LONGEST_QUOTE);
            require(
                    amount >= 0 && amount <= most,
                    role + ": " + name + "=" + amount + " must be 0 to " + most + ", the largest container in queue "
                            + queue);
            require(
                    amount <= bound,
                    role + ": " + name + "=" + amount + " for max=" + spec.getMax() + " tasks is more than "
                            + ReportRanges.LARGEST_COUNT + " in sum");
            // A resource without an amount may have any name.
            if (amount > 0 && amount <= most) {
                amounts.put(resource.getName(), amount);
            }
        }
        require(
                amounts.getOrDefault(Resources.MEMORY_MB, 0L) > 0 && amounts.getOrDefault(Resources.VCORES, 0L) > 0,
                role + ": a task needs some " + Resources.MEMORY_MB + " and some " + Resources.VCORES);
        return problems.size() == before
                ? Optional.of(limits.normalised(queue, Resources.of(amounts)))
                : Optional.empty();
    }

    private Optional<StopRule> stopRule(StopRuleProto proto) {
        List<StopRule> rules = new ArrayList<>();
        if (proto.hasPlateauDecrease() || proto.hasPlateauEpochs()) {
            double decrease = proto.getPlateauDecrease();
            require(
                    decrease >= StopRule.LossPlateau.LEAST_DECREASE && decrease < 1,
                    "plateau_decrease=" + decrease + " must be 1e-9 or more, and below 1");
            require(
                    proto.getPlateauEpochs() >= 1 && proto.getPlateauEpochs() <= MOST_QUIET_EPOCHS,
                    "plateau_epochs=" + proto.getPlateauEpochs() + " must be 1 to " + MOST_QUIET_EPOCHS);
            rules.add(new StopRule.LossPlateau(decrease, proto.getPlateauEpochs()));
        }
        if (proto.hasTargetLoss()) {
            require(
                    ReportRanges.loss(proto.getTargetLoss()),
                    "target_loss=" + proto.getTargetLoss() + " is not a finite loss of at most 1e15 in size");
            rules.add(new StopRule.TargetLoss(proto.getTargetLoss()));
        }
        if (proto.hasMaxEpochs()) {
            require(proto.getMaxEpochs() >= 1, "max_epochs=" + proto.getMaxEpochs() + " must be 1 or more");
            rules.add(new StopRule.MaxEpochs(proto.getMaxEpochs()));
        }
        return rules.isEmpty() ? Optional.empty() : Optional.of(new StopRule.FirstOf(rules));
    }

    /** The problems in one sentence; of very many only the first. */
    private static String named(List<String> problems) {
        String first = String.join("; ", problems.subList(0, Math.min(problems.size(), MOST_PROBLEMS)));
        return problems.size() <= MOST_PROBLEMS
                ? first
                : first + "; and " + (problems.size() - MOST_PROBLEMS) + " more problems";
    }

    private boolean require(boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
        return holds;
    }
}
