package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.decision.AllocationReason.Waits;
import io.optimus.model.decision.GuaranteeReason;
import io.optimus.model.decision.GuaranteeReason.Ground;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The shares that jobs get before their worth is weighed.
 *
 * <ol>
 *   <li>Jobs that may not shrink keep what they run on, even where limits were lowered below it.
 *   <li>The bound on starvation: beyond its first hour, every job is owed a tenth of its age on its minimum. A job that ran
 *       less and waits gets its minimum, the one that is owed most first. A job that runs keeps its minimum until it is ten
 *       minutes ahead, so that it is not stopped again at once. If more is owed than fits, jobs take turns of ten minutes.
 *   <li>Jobs whose speed is not known get their minimum, to be measured on it. Jobs of a larger priority than others get theirs
 *       whatever their worth. While jobs wait to be measured, no job is stopped that ends sooner than a resize would take,
 *       because its tasks would be held for longer, and idle. Larger priority first, then jobs that run.
 * </ol>
 *
 * <p>The bound: while what is owed fits (the minimums of all jobs together take less than ten times the cluster), no job
 * of age a has run less than (a − 1 h)/10 on its minimum. The exception is the time in which other jobs that are owed as
 * much get ten minutes each.
 *
 * <p>Example: a job of 1 to 8 workers that waits for three hours is owed 720 s of a worker. If it had 700 s of it, it gets its
 * minimum now and keeps it until it had 1,320 s.
 */
final class Guarantees {
    /** Of a job's age beyond {@link #FIRST_SECONDS}, the part that it is owed on its minimum (docs/adr/0006). */
    private static final double PART_OF_AGE = 0.1;
    /** The first part of a job's age, for which it is owed nothing (docs/adr/0006). */
    private static final double FIRST_SECONDS = 3600;
    /**
     * How much more than it is owed a running job may have before it loses its minimum, so that it does not start and stop again
     * and again; also the length of a turn where more is owed than fits (docs/adr/0006).
     */
    private static final double AHEAD_SECONDS = 600;

    private static final Comparator<Participant> LARGEST_PRIORITY = Comparator.comparingInt(
                    (Participant participant) -> participant.job().priority())
            .reversed();

    private final Division division;
    private final List<Participant> participants;
    private final int smallestPriority;
    private final boolean someAreUnknown;

    /** {@code division} has its participants in the order of their age. */
    Guarantees(Division division) {
        this.division = division;
        this.participants = division.participants();
        this.smallestPriority = participants.stream()
                .mapToInt(participant -> participant.job().priority())
                .min()
                .orElse(0);
        this.someAreUnknown = participants.stream().anyMatch(Guarantees::isUnknown);
    }

    void give() {
        participants.stream()
                .filter(participant -> !participant.job().mayShrink() && participant.runs())
                .forEach(this::keep);
        participants.stream()
                .filter(participant -> participant.waits() && isOwed(participant))
                .sorted(LARGEST_PRIORITY
                        .thenComparingDouble(participant -> -owedPart(participant.job()))
                        .thenComparing(participant -> !participant.runs()))
                .forEach(participant -> giveMinimum(participant, owed(participant.job())));
        participants.stream()
                .filter(participant -> participant.waits()
                        && (isUnknown(participant) || hasLargerPriority(participant) || endsSoon(participant)))
                .sorted(LARGEST_PRIORITY.thenComparing(participant -> !participant.runs()))
                .forEach(this::giveBeforeWeighing);
    }

    /** The kept size is the job's least size; a job of known speed may still win more. */
    private void keep(Participant participant) {
        division.set(participant, participant.held().min(participant.job().maximum()));
        if (isUnknown(participant)) {
            participant.guarantee(new GuaranteeReason(participant.change(), new GuaranteeReason.MeasuredFirst()));
        }
    }

    private static boolean isUnknown(Participant participant) {
        return participant.job().speed().isEmpty();
    }

    private boolean hasLargerPriority(Participant participant) {
        return participant.job().priority() > smallestPriority;
    }

    /** A predicted end counts as far as it is trusted. */
    private boolean endsSoon(Participant participant) {
        JobSnapshot job = participant.job();
        return someAreUnknown
                && participant.runs()
                && participant.held().isWithin(job.maximum())
                && remainingSeconds(participant)
                        <= job.belief().remainingTrust() * job.state().resizeCostSeconds();
    }

    /** Seconds to its end on its present size; infinite if that is not known. */
    private static double remainingSeconds(Participant participant) {
        JobSnapshot job = participant.job();
        double stepsPerSecond = job.speed()
                .map(speed -> speed.stepsPerSecond(participant.held(), participant.workerNodes()))
                .orElse(0.0);
        return stepsPerSecond > 0
                ? job.remainingSteps().orElse(Double.POSITIVE_INFINITY) / stepsPerSecond
                : Double.POSITIVE_INFINITY;
    }

    private void giveBeforeWeighing(Participant participant) {
        JobSnapshot job = participant.job();
        if (endsSoon(participant)
                && division.raise(participant, participant.held()).isEmpty()) {
            Ground ground = new GuaranteeReason.EndsSoon(
                    remainingSeconds(participant), job.state().resizeCostSeconds());
            participant.guarantee(new GuaranteeReason(participant.change(), ground));
            return;
        }
        Ground ground = isUnknown(participant)
                ? new GuaranteeReason.MeasuredFirst()
                : new GuaranteeReason.LargerPriority(job.priority());
        giveMinimum(participant, ground)
                .ifPresent(shortage -> participant.explain(new Waits(job.trainsOn(), job.minimum(), shortage)));
    }

    private Optional<Shortage> giveMinimum(Participant participant, Ground ground) {
        Allocation minimum = participant.job().minimum();
        Optional<Shortage> shortage = division.raise(participant, minimum);
        if (shortage.isEmpty()) {
            participant.guarantee(new GuaranteeReason(participant.change(), ground));
        }
        return shortage;
    }

    private static Ground owed(JobSnapshot job) {
        return new GuaranteeReason.Owed(job.history().workerSeconds(), dueWorkerSeconds(job));
    }

    private static boolean isOwed(Participant participant) {
        JobSnapshot job = participant.job();
        double due = dueWorkerSeconds(job);
        double ahead = participant.runs() ? AHEAD_SECONDS * job.minimum().workers() : 0;
        return due > 0 && job.history().workerSeconds() < due + ahead;
    }

    /**
     * The part of the due service that is still owed, so that a large minimum counts no more than a small one. Past service
     * counts in turns of ten minutes: if more is owed than fits, no job is stopped before its turn ends.
     */
    private static double owedPart(JobSnapshot job) {
        double turn = AHEAD_SECONDS * job.minimum().workers();
        return 1 - Math.floor(job.history().workerSeconds() / turn) * turn / dueWorkerSeconds(job);
    }

    private static double dueWorkerSeconds(JobSnapshot job) {
        double age = Math.max(0, job.history().ageSeconds() - FIRST_SECONDS);
        return PART_OF_AGE * age * job.minimum().workers();
    }
}
