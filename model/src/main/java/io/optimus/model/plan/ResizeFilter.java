package io.optimus.model.plan;

import io.optimus.model.decision.Words;
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
 * Drops the resizes that do not repay what they cost: a job keeps its old placement where that is still within all limits
 * beside everybody else's new one, and
 *
 * <ol>
 *   <li>growing saves it less time than the resize costs; or going to a size that is neither larger nor smaller saves it
 *       less than the resize and the noise of predictions; or only its nodes would change;
 *   <li>what it gains is another's loss, and the loss, both resizes and the noise of both predictions are the larger part
 *       (then that other job keeps its old placement too; so do all jobs, if all changes together gain so little);
 *   <li>it would shrink without being faster for it, or stop, and nobody takes what that frees: a policy divides the sum
 *       of all nodes, and what it meant for another job may be too scattered for that.
 * </ol>
 *
 * <p>So a job does not bounce between two sizes of nearly the same speed, and two jobs do not pass a task to and fro.
 *
 * <p>Example: 1,000 steps remain, 10 steps/s now and 10.05 with one more worker: 100 s against 99.5 s. With resizes of 1
 * s, the job stays as it is. With 12 steps/s it saves 16.7 s, and grows into free room; but if another job has to give
 * that worker and takes 10 s longer for it, of 100 s, then 16.7 − 10 is not above 2 · 1 s + 3 % of 2 · 100 s.
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
        // Where not all can stay as they are, those who came first do.
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
     * The proposals, without such resizes.
     *
     * @param use nothing yet, with the queue's limits
     * @param old placements that are in force, by job id
     */
    static Map<String, Proposal> keepOldWhere(
            PlannedUse use, List<JobSnapshot> jobs, Map<String, Placement> old, Map<String, Proposal> proposed) {
        ResizeFilter worth = new ResizeFilter(use, jobs, old, proposed);
        worth.dropAll(change -> !change.isShrink() && !repays(change), ResizeFilter::notRepaid);
        worth.dropTrades();
        worth.dropAllTogether();
        worth.dropShrinksInVain();
        return worth.kept;
    }

    /** As {@link #keepOldWhere}, but by the last rule only. */
    static Map<String, Proposal> dropInVain(
            PlannedUse use, List<JobSnapshot> jobs, Map<String, Placement> old, Map<String, Proposal> proposed) {
        ResizeFilter worth = new ResizeFilter(use, jobs, old, proposed);
        worth.dropShrinksInVain();
        return worth.kept;
    }

    private void dropShrinksInVain() {
        changes.addAll(stops);
        dropAll(
                change -> change.isStop() || (change.isShrink() && !(change.isPredicted() && repays(change))),
                change -> "nobody needs what "
                        + (change.isStop()
                                ? "stopping"
                                : "going to " + change.after().allocation()) + " would free");
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

    private static String notRepaid(PlacementChange change) {
        if (change.isMove()) {
            return "other nodes would not make it faster";
        }
        return "going to " + change.after().allocation() + " would " + saved(change.secondsSaved())
                + ", too little against " + Words.seconds(change.worthSeconds()) + " for the resize"
                + (change.isGrowth() ? "" : " and the noise of predictions");
    }

    private static String notRepaidTogether(List<PlacementChange> together, PlacementChange change) {
        double saved =
                together.stream().mapToDouble(PlacementChange::secondsSaved).sum();
        double margin =
                together.stream().mapToDouble(PlacementChange::marginSeconds).sum();
        return "going to " + change.after().allocation() + ", and what others change with it, would " + saved(saved)
                + " in all, too little against " + Words.seconds(margin)
                + " for the resizes and the noise of predictions";
    }

    private static String saved(double seconds) {
        return (seconds < 0 ? "lose " : "save ") + Words.seconds(Math.abs(seconds));
    }

    /** Until nothing changes: what one job does not take may be what another one needs to stay. */
    private void dropAll(Predicate<PlacementChange> which, Function<PlacementChange, String> why) {
        boolean dropped = true;
        while (dropped) {
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

    /** All of them or none. */
    private boolean drop(PlacementChange... together) {
        // Taken out first, those that take more: the others stay in what they leave.
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

    private void keep(PlacementChange change, Supplier<String> why) {
        Supplier<String> reason = () -> "stays at " + change.before().allocation() + ": " + why.get();
        kept.put(change.job().id(), new Proposal(change.before(), reason, false));
    }
}
