package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.decision.AllocationReason.Waits;
import io.optimus.model.decision.GuaranteeReason;
import io.optimus.model.decision.GuaranteeReason.Ground;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What jobs get before their worth is weighed.
 *
 * <ol>
 *   <li>What may not shrink stays, even where limits were lowered below it.
 *   <li>The bound on starvation: beyond its first hour, every job is owed a tenth of its age on its minimum. Who ran less,
 *       and waits, gets its minimum, most owed first; and who runs keeps it until it is ten minutes ahead, so that it is
 *       not stopped again at once. Where more is owed than fits, they take turns of ten minutes.
 *   <li>Jobs whose speed is not known get their minimum, to be measured on it; and so do jobs of a larger priority than others,
 *       whatever their worth. Nobody is stopped for another to be measured who ends sooner than a resize would take: in all,
 *       it would hold its tasks for longer, and idle. Larger priority first, then those that run.
 * </ol>
 *
 * <p>The bound: while what is owed fits (the minimums of all jobs together take less than ten times the cluster), no job
 * of age a has run less than (a − 1 h)/10 on its minimum, but for the time that it takes the others that are owed as much
 * to get ten minutes each.
 *
 * <p>Example: a job of 1 to 8 workers that waits for three hours is owed 720 s of a worker. With 700 s of it, it gets its
 * minimum now, and keeps it until it had 1,320 s.
 */
final class Guarantees {
    private static final double PART_OF_AGE = 0.1;

    private static final double FIRST_SECONDS = 3600;

    private static final double AHEAD_SECONDS = 600;

    private static final Comparator<Claimant> LARGEST_PRIORITY = Comparator.comparingInt(
                    (Claimant claimant) -> claimant.job().priority())
            .reversed();

    private final Room room;
    private final List<Claimant> claimants;
    private final int smallestPriority;
    private final boolean someAreUnknown;

    /** Among these, the oldest first. */
    Guarantees(Room room, List<Claimant> claimants) {
        this.room = room;
        this.claimants = claimants;
        this.smallestPriority = claimants.stream()
                .mapToInt(claimant -> claimant.job().priority())
                .min()
                .orElse(0);
        this.someAreUnknown = claimants.stream().anyMatch(Guarantees::isUnknown);
    }

    void give() {
        claimants.stream()
                .filter(claimant -> !claimant.job().mayShrink() && claimant.runs())
                .forEach(this::keep);
        claimants.stream()
                .filter(claimant -> claimant.given().isNone() && isOwed(claimant))
                .sorted(LARGEST_PRIORITY
                        .thenComparingDouble(claimant -> -lacksPart(claimant.job()))
                        .thenComparing(claimant -> !claimant.runs()))
                .forEach(claimant -> giveMinimum(claimant, owed(claimant.job())));
        claimants.stream()
                .filter(claimant -> claimant.given().isNone()
                        && (isUnknown(claimant) || isPreferred(claimant) || isSpared(claimant)))
                .sorted(LARGEST_PRIORITY.thenComparing(claimant -> !claimant.runs()))
                .forEach(this::giveBeforeWeighing);
    }

    private void keep(Claimant claimant) {
        Allocation held = claimant.held().min(claimant.job().maximum());
        room.takeAnyway(claimant, held);
        claimant.give(held, guaranteed(claimant, held, new GuaranteeReason.MeasuredFirst()));
    }

    private static boolean isUnknown(Claimant claimant) {
        return claimant.job().speed().isEmpty();
    }

    private boolean isPreferred(Claimant claimant) {
        return claimant.job().priority() > smallestPriority;
    }

    /** What is predicted counts as far as it is believed. */
    private boolean isSpared(Claimant claimant) {
        JobSnapshot job = claimant.job();
        return someAreUnknown
                && claimant.runs()
                && claimant.held().isWithin(job.maximum())
                && restSeconds(claimant)
                        <= job.belief().remainingTrust() * job.state().resizeCostSeconds();
    }

    /** On what it runs on; infinite where that is not known. */
    private static double restSeconds(Claimant claimant) {
        JobSnapshot job = claimant.job();
        double stepsPerSecond = job.speed()
                .map(speed -> speed.stepsPerSecond(claimant.held(), claimant.heldNodes()))
                .orElse(0.0);
        return stepsPerSecond > 0
                ? job.remainingSteps().orElse(Double.POSITIVE_INFINITY) / stepsPerSecond
                : Double.POSITIVE_INFINITY;
    }

    private void giveBeforeWeighing(Claimant claimant) {
        JobSnapshot job = claimant.job();
        if (isSpared(claimant) && room.take(claimant, claimant.held()).isEmpty()) {
            Ground ground = new GuaranteeReason.SoonEnds(
                    restSeconds(claimant), job.state().resizeCostSeconds());
            claimant.give(claimant.held(), guaranteed(claimant, claimant.held(), ground));
            return;
        }
        Ground ground = isUnknown(claimant)
                ? new GuaranteeReason.MeasuredFirst()
                : new GuaranteeReason.Preferred(job.priority());
        giveMinimum(claimant, ground)
                .ifPresent(lack -> claimant.give(Allocation.NONE, new Waits(job.trainsOn(), job.minimum(), lack)));
    }

    private Optional<Shortage> giveMinimum(Claimant claimant, Ground ground) {
        Allocation minimum = claimant.job().minimum();
        Optional<Shortage> lack = room.take(claimant, minimum);
        if (lack.isEmpty()) {
            claimant.give(minimum, guaranteed(claimant, minimum, ground));
        }
        return lack;
    }

    private static GuaranteeReason guaranteed(Claimant claimant, Allocation size, Ground ground) {
        return new GuaranteeReason(claimant.sizing(size, OptionalDouble.empty()), ground);
    }

    private static Ground owed(JobSnapshot job) {
        return new GuaranteeReason.Owed(job.history().workerSeconds(), dueWorkerSeconds(job));
    }

    private static boolean isOwed(Claimant claimant) {
        JobSnapshot job = claimant.job();
        double due = dueWorkerSeconds(job);
        double ahead = claimant.runs() ? AHEAD_SECONDS * job.minimum().workers() : 0;
        return due > 0 && job.history().workerSeconds() < due + ahead;
    }

    /**
     * Of what is due, so that a large minimum counts no more than a small one. What it had counts when its ten minutes are over:
     * where more is owed than fits, nobody is stopped before.
     */
    private static double lacksPart(JobSnapshot job) {
        double turn = AHEAD_SECONDS * job.minimum().workers();
        return 1 - Math.floor(job.history().workerSeconds() / turn) * turn / dueWorkerSeconds(job);
    }

    private static double dueWorkerSeconds(JobSnapshot job) {
        double age = Math.max(0, job.history().ageSeconds() - FIRST_SECONDS);
        return PART_OF_AGE * age * job.minimum().workers();
    }
}
