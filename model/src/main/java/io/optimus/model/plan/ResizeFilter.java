package io.optimus.model.plan;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.ResizeReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.Precedence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Drops the resizes that are not worth their cost. A job keeps its old placement if that fits beside the new placements of the
 * other jobs and one of these rules holds:
 *
 * <ol>
 *   <li>growing saves it less time than the resize costs; or a size that is neither larger nor smaller saves it less than the
 *       cost of the resize and the error of predictions; or only its nodes would change;
 *   <li>it gains resources that another job loses, and the gain is less than the sum of the loss, both resizes and the errors
 *       of both predictions: then the other job keeps its old placement, too. All jobs do so if all changes together gain too
 *       little;
 *   <li>it would stop, or shrink without getting faster, and no other job takes the freed resources: a policy divides the sum
 *       of all nodes, but the resources that it gave to another job may be too scattered.
 * </ol>
 *
 * <p>So a job does not change back and forth between two sizes of nearly the same speed, and two jobs do not exchange the
 * same task again and again.
 *
 * <p>Example: 1,000 steps remain, with 10 steps/s now and 10.05 with one more worker: 100 s or 99.5 s. With resizes of 1 s, the
 * job stays as it is. With 12 steps/s it saves 16.7 s and grows into free room. If another job has to give up that worker and
 * then takes 110 s instead of 100 s, both keep what they have: 16.7 − 10 is not above 2 · 1 s + 3 % of 2 · 100 s.
 */
final class ResizeFilter {
    private final PlannedUse use;
    private final Map<String, Proposal> kept;
    private final List<PlacementChange> changes = new ArrayList<>();
    private final List<PlacementChange> stops = new ArrayList<>();

    private ResizeFilter(
            PlannedUse use, List<JobSnapshot> jobs, Map<String, Placement> old, Map<String, Proposal> proposed) {
        this.use = use;
        this.kept = new HashMap<>(proposed);
        // If not all jobs can stay as they are, those that were submitted first do.
        for (JobSnapshot job : jobs.stream().sorted(Precedence.BY_AGE).toList()) {
            Proposal proposal = proposed.get(job.id());
            if (proposal == null) {
                continue;
            }
            use.add(job, proposal.planned());
            PlacementChange change =
                    new PlacementChange(job, old.getOrDefault(job.id(), Placement.NONE), proposal.planned());
            if (change.isStop()) {
                stops.add(change);
            } else if (!proposal.exploring() && change.isOptional()) {
                changes.add(change);
            }
        }
    }

    /**
     * Returns the proposals without the resizes that the rules drop.
     *
     * @param use the queue's limits, with nothing used yet
     * @param old the placements in force, by job id
     */
    static Map<String, Proposal> withoutUnrepaid(
            PlannedUse use, List<JobSnapshot> jobs, Map<String, Placement> old, Map<String, Proposal> proposed) {
        ResizeFilter filter = new ResizeFilter(use, jobs, old, proposed);
        filter.dropAll(change -> !change.isShrink() && !repays(change), ResizeFilter::notRepaid);
        filter.dropTrades();
        filter.dropAllTogether();
        filter.dropShrinksInVain();
        return filter.kept;
    }

    /** The same by rule 3 only. */
    static Map<String, Proposal> withoutShrinksInVain(
            PlannedUse use, List<JobSnapshot> jobs, Map<String, Placement> old, Map<String, Proposal> proposed) {
        ResizeFilter filter = new ResizeFilter(use, jobs, old, proposed);
        filter.dropShrinksInVain();
        return filter.kept;
    }

    private void dropShrinksInVain() {
        changes.addAll(stops);
        dropAll(
                change -> change.isStop() || (change.isShrink() && !(change.isPredicted() && repays(change))),
                change -> new ResizeReason.NobodyElse(change.after().allocation()));
    }

    private static boolean repays(PlacementChange change) {
        if (change.isMove()) {
            return false;
        }
        if (!change.isPredicted()) {
            return true;
        }
        return change.secondsSaved() > change.worthSeconds();
    }

    private static ResizeReason.Cause notRepaid(PlacementChange change) {
        return change.isMove()
                ? new ResizeReason.OtherNodes()
                : new ResizeReason.NotRepaid(
                        change.after().allocation(), change.secondsSaved(), change.worthSeconds(), change.isGrowth());
    }

    private static ResizeReason.Cause notRepaidTogether(List<PlacementChange> together, PlacementChange change) {
        return new ResizeReason.NotRepaidTogether(
                change.after().allocation(),
                together.stream().mapToDouble(PlacementChange::secondsSaved).sum(),
                together.stream().mapToDouble(PlacementChange::marginSeconds).sum());
    }

    /** Repeats until nothing changes, because a resize that is dropped may leave the room in which another job can stay. */
    private void dropAll(Predicate<PlacementChange> which, Function<PlacementChange, ResizeReason.Cause> why) {
        boolean dropped = true;
        while (dropped) {
            InterruptedComputationException.check();
            dropped = false;
            for (PlacementChange change : List.copyOf(changes)) {
                if (which.test(change) && use.replace(change.job(), change.after(), change.before())) {
                    keep(change, () -> why.apply(change));
                    changes.remove(change);
                    dropped = true;
                }
            }
        }
    }

    private void dropTrades() {
        for (PlacementChange loser : List.copyOf(changes)) {
            if (!loser.isShrink() || !loser.isPredicted()) {
                continue;
            }
            for (PlacementChange winner : List.copyOf(changes)) {
                if (!winner.isShrink()
                        && winner.isPredicted()
                        && isNotWorth(List.of(loser, winner))
                        && drop(loser, winner)) {
                    break;
                }
            }
        }
    }

    private void dropAllTogether() {
        boolean comparable = changes.size() > 1 && changes.stream().allMatch(PlacementChange::isPredicted);
        if (comparable && isNotWorth(changes)) {
            drop(changes.toArray(PlacementChange[]::new));
        }
    }

    private static boolean isNotWorth(List<PlacementChange> together) {
        return together.stream()
                        .mapToDouble(change -> change.secondsSaved() - change.marginSeconds())
                        .sum()
                <= 0;
    }

    /** Drops all of these changes or none; returns whether it does. */
    private boolean drop(PlacementChange... together) {
        // Growth is undone first: the others then stay in the room that this frees.
        List<PlacementChange> order = new ArrayList<>(List.of(together));
        order.sort((a, b) -> Boolean.compare(a.isShrink(), b.isShrink()));
        List<PlacementChange> done = new ArrayList<>();
        for (PlacementChange change : order) {
            if (!use.replace(change.job(), change.after(), change.before())) {
                for (PlacementChange undone : done) {
                    use.remove(undone.job(), undone.before());
                    use.add(undone.job(), undone.after());
                }
                return false;
            }
            done.add(change);
        }
        done.forEach(change -> keep(change, () -> notRepaidTogether(done, change)));
        changes.removeAll(done);
        return true;
    }

    private void keep(PlacementChange change, Supplier<ResizeReason.Cause> why) {
        Supplier<Explanation> reason =
                () -> Explanation.of(new ResizeReason(change.before().allocation(), why.get()));
        kept.put(change.job().id(), new Proposal(change.before(), reason, false));
    }
}
