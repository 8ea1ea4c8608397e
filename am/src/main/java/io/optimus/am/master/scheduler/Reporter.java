package io.optimus.am.master.scheduler;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.master.plan.TaskViews;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What the scheduler is told: all about the job when it registers, and from then on what is new. What a registration's
 * history held is no news any more.
 *
 * <p>Belongs to the owner thread.
 */
public final class Reporter {
    private final JobIdentity identity;
    private final Coordinator coordinator;
    private final TrainingHistory story;
    private final TaskViews crew;
    private final LongSupplier settledPlan;
    private long reports;

    /**
     * A reporter that has told nothing yet.
     *
     * @param settledPlan the last plan that was carried out whole; negative before the first
     */
    public Reporter(
            JobIdentity identity,
            Coordinator coordinator,
            TrainingHistory story,
            TaskViews crew,
            LongSupplier settledPlan) {
        this.identity = identity;
        this.coordinator = coordinator;
        this.story = story;
        this.crew = crew;
        this.settledPlan = settledPlan;
    }

    /** The job with its history and what it holds. */
    public RegisterJobRequestProto registration() {
        CoordinatorStatus status = coordinator.status();
        story.takeNews();
        HistoryProto.Builder history = HistoryProto.newBuilder();
        history.addAllLosses(JobMessages.losses(story.losses(), story.bend()));
        story.speeds().forEach(sample -> history.addSpeeds(JobMessages.speed(sample)));
        story.lastResizes().forEach(resize -> history.addResizes(JobMessages.resize(resize)));
        return identity.registration()
                .setStepsPerEpoch(identity.stepsPerEpoch(status))
                .setHistory(history)
                .addAllHeld(JobMessages.members(crew.views()))
                .setMembership(membershipNumber(status))
                .setCurrentStep(status.step())
                .setPlan(plan())
                .build();
    }

    /** What is new, numbered from 1. */
    public ReportRequestProto report() {
        CoordinatorStatus status = coordinator.status();
        TrainingHistory.News news = story.takeNews();
        ReportRequestProto.Builder report = ReportRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setSequence(++reports)
                .setCurrentStep(status.step())
                .setMembership(membershipNumber(status))
                .setPlan(plan())
                .setEpoch(status.epoch());
        if (status.stepsPerEpoch() > 0) {
            report.setStepsPerEpoch(Math.round(status.stepsPerEpoch()));
        }
        List<TaskView> tasks = crew.views();
        report.addAllLosses(JobMessages.losses(news.losses(), news.bend()));
        news.speeds().forEach(sample -> report.addSpeeds(JobMessages.speed(sample)));
        news.resizes().forEach(resize -> report.addResizes(JobMessages.resize(resize)));
        tasks.stream().filter(TaskView::member).map(JobMessages::rate).forEach(report::addTasks);
        return report.addAllMembers(JobMessages.members(tasks)).build();
    }

    private long plan() {
        return Math.max(0, settledPlan.getAsLong());
    }

    /** Rises over attempts too. */
    private static long membershipNumber(CoordinatorStatus status) {
        return ((long) status.membership().attempt() << 32)
                + status.membership().number();
    }
}
