package io.optimus.am.master;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus;
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
final class Reporter {
    private final JobIdentity identity;
    private final Coordinator coordinator;
    private final JobStory story;
    private final Crew crew;
    private final LongSupplier settledPlan;
    private long reports;

    /**
     * A reporter that has told nothing yet.
     *
     * @param settledPlan the last plan that was carried out whole; negative before the first
     */
    Reporter(JobIdentity identity, Coordinator coordinator, JobStory story, Crew crew, LongSupplier settledPlan) {
        this.identity = identity;
        this.coordinator = coordinator;
        this.story = story;
        this.crew = crew;
        this.settledPlan = settledPlan;
    }

    /** The job with its history and what it holds. */
    RegisterJobRequestProto registration() {
        CoordinatorStatus status = coordinator.status();
        story.takeNews();
        HistoryProto.Builder history = HistoryProto.newBuilder();
        history.addAllLosses(Messages.losses(story.losses(), story.bend()));
        story.speeds().forEach(sample -> history.addSpeeds(Messages.speed(sample)));
        story.lastResizes().forEach(resize -> history.addResizes(Messages.resize(resize)));
        return identity.registration()
                .setStepsPerEpoch(identity.stepsPerEpoch(status))
                .setHistory(history)
                .addAllHeld(Messages.members(crew.views()))
                .setMembership(membershipNumber(status))
                .setCurrentStep(status.step())
                .setPlan(plan())
                .build();
    }

    /** What is new, numbered from 1. */
    ReportRequestProto report() {
        CoordinatorStatus status = coordinator.status();
        JobStory.News news = story.takeNews();
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
        report.addAllLosses(Messages.losses(news.losses(), news.bend()));
        news.speeds().forEach(sample -> report.addSpeeds(Messages.speed(sample)));
        news.resizes().forEach(resize -> report.addResizes(Messages.resize(resize)));
        tasks.stream().filter(TaskView::member).map(Messages::rate).forEach(report::addTasks);
        return report.addAllMembers(Messages.members(tasks)).build();
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
