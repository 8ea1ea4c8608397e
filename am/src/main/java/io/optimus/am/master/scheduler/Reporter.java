package io.optimus.am.master.scheduler;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.PlanFollower;
import io.optimus.am.master.plan.TaskMemory;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.registration.RegistrationMessage;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the job's messages to the scheduler: a registration with the whole job, and then reports of what is new since the
 * last message.
 *
 * <p>Belongs to the owner thread.
 */
public final class Reporter {
    /** Where the batch adapts, the length of an epoch changes all the time; smaller changes move no bend by much. */
    private static final double OUTDATED = 0.05;

    private final JobIdentity identity;
    private final TaskMemory memory;
    private final Coordinator coordinator;
    private final TrainingHistory history;
    private final PlanFollower follower;
    private long reports;
    /** The settings of an owner's program in the last registration; unknown before the first worker is ready. */
    private Optional<ProgramSettings> registered = Optional.empty();

    private double registeredStepsPerEpoch;
    private Map<Role, Resources> registeredTasks;

    /** A reporter before its first report. */
    public Reporter(
            JobIdentity identity,
            TaskMemory memory,
            Coordinator coordinator,
            TrainingHistory history,
            PlanFollower follower) {
        this.identity = identity;
        this.memory = memory;
        this.coordinator = coordinator;
        this.history = history;
        this.follower = follower;
        this.registeredTasks = tasks();
    }

    /** The job with its history and its tasks. */
    public RegisterJobRequestProto registration() {
        CoordinatorStatus status = coordinator.status();
        registered = status.program();
        registeredStepsPerEpoch = status.progress().stepsPerEpoch();
        registeredTasks = tasks();
        history.takeNews();
        HistoryProto.Builder past = HistoryProto.newBuilder();
        past.addAllLosses(JobMessages.losses(history.losses(), history.bend()));
        history.speeds().forEach(speed -> past.addSpeeds(JobMessages.speed(speed)));
        history.lastResizes().forEach(resize -> past.addResizes(JobMessages.resize(resize)));
        RegisterJobRequestProto.Builder registration = JobMessages.job(identity.spec(), registered, memory::task);
        status.progress().batch().ifPresent(batch -> {
            registration.setBatchLimits(JobMessages.limits(identity.spec(), batch.limits()));
            history.stepTimes().forEach(steps -> past.addStepTimes(JobMessages.stepTimes(steps)));
            batch.noise().map(JobMessages::noise).ifPresent(past::setGradientNoise);
        });
        return registration
                .setStepsPerEpoch(stepsPerEpoch(status))
                .setHistory(past)
                .addAllHeld(JobMessages.members(follower.tasks()))
                .setMembership(membershipNumber(status))
                .setCurrentStep(status.progress().step())
                .setPlan(plan())
                .build();
    }

    /**
     * What is new, numbered from 1. Empty if the job must be registered again, since its program has decided its settings,
     * since its tasks need more memory, or since the exact length of an epoch has become known, which says at which steps the
     * learning rate falls: reports carry whole steps only.
     */
    public Optional<ReportRequestProto> report() {
        CoordinatorStatus status = coordinator.status();
        boolean announces =
                !RegistrationMessage.bends(identity.spec(), registered).isEmpty();
        if (!status.program().equals(registered)
                || !tasks().equals(registeredTasks)
                || (announces && isOutdated(status.progress()))) {
            return Optional.empty();
        }
        TrainingHistory.News news = history.takeNews();
        ReportRequestProto.Builder report = ReportRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setSequence(++reports)
                .setCurrentStep(status.progress().step())
                .setMembership(membershipNumber(status))
                .setPlan(plan())
                .setEpoch(status.progress().epoch());
        if (status.progress().stepsPerEpoch() > 0) {
            report.setStepsPerEpoch(Math.round(status.progress().stepsPerEpoch()));
        }
        List<TaskView> tasks = follower.tasks();
        report.addAllLosses(JobMessages.losses(news.losses(), news.bend()));
        news.speeds().forEach(speed -> report.addSpeeds(JobMessages.speed(speed)));
        news.resizes().forEach(resize -> report.addResizes(JobMessages.resize(resize)));
        tasks.stream().filter(TaskView::member).map(JobMessages::rate).forEach(report::addTasks);
        status.progress().batch().ifPresent(batch -> {
            report.setBatch(batch.samples());
            news.stepTimes().forEach(steps -> report.addStepTimes(JobMessages.stepTimes(steps)));
            batch.noise().map(JobMessages::noise).ifPresent(report::setGradientNoise);
        });
        return Optional.of(report.addAllMembers(JobMessages.members(tasks)).build());
    }

    /** Resources of one task, by role. */
    private Map<Role, Resources> tasks() {
        Map<Role, Resources> tasks = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            tasks.put(role, memory.task(role));
        }
        return tasks;
    }

    private boolean isOutdated(CoordinatorStatus.Progress progress) {
        double allowed = progress.batch().isPresent() ? OUTDATED * registeredStepsPerEpoch : 0;
        return Math.abs(progress.stepsPerEpoch() - registeredStepsPerEpoch) > allowed;
    }

    private long plan() {
        return Math.max(0, follower.settledPlan());
    }

    /** Steps of an epoch; 1 until a worker has loaded the data and the true number is reported. */
    private static double stepsPerEpoch(CoordinatorStatus status) {
        return status.progress().stepsPerEpoch() > 0 ? status.progress().stepsPerEpoch() : 1;
    }

    /** The attempt comes first, so the number rises over attempts too. */
    private static long membershipNumber(CoordinatorStatus status) {
        return ((long) status.membership().attempt() << 32)
                + status.membership().number();
    }
}
