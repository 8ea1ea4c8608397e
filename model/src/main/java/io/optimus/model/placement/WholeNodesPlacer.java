package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Jobs that are unchanged stay; all-reduce jobs of several nodes own whole nodes, so that they do not share a network with
 * each other; all others go where they fit best.
 *
 * <ol>
 *   <li>A job that runs on just the size decided stays where it is.
 *   <li>The others, those with most tasks first. With parameter servers, as {@link OptimusPlacer} has it. Workers alone:
 *       on one node if it holds them all, their own or the one that this leaves least room on; else split evenly over the
 *       fewest nodes that are empty, their own first, in the fewest racks.
 *   <li>Where that has no room, smaller jobs of one node are moved out of the way, those that lose least training by it:
 *       only if the whole placement is better for it, with fewer jobs waiting, then fewer tasks left out, then fewer jobs
 *       spread.
 *   <li>Where still nothing fits, tasks go where there is room, as {@link OptimusPlacer} has it.
 *   <li>Where a running job would have to stop for want of room, all is placed anew, the running jobs first.
 *   <li>Where a job would have to wait for room that others take beyond their minimum, {@link OptimusPlacer} places them
 *       all: it sees to everybody's minimum first. Jobs that run on just the size decided give no room for that, unless to
 *       one whose part is guaranteed.
 * </ol>
 *
 * <p>Example: nodes of 4 GPUs, a job of 1 worker on each of two. A new job of 2 workers goes to the first; a new one of 4
 * workers has no node: the job on the second moves to the first, beside the others.
 */
public final class WholeNodesPlacer implements Placer {
    private static final Comparator<WholeNodesPass> BETTER = Comparator.comparingLong(WholeNodesPass::stopped)
            .thenComparingLong(WholeNodesPass::waiting)
            .thenComparingLong(WholeNodesPass::leftOut)
            .thenComparingLong(WholeNodesPass::spread);

    /** For how many jobs of a round others are moved out of the way: what bounds its time where a large cluster is full. */
    private static final int MOST_MOVES = 64;

    private final Placer otherwise = new OptimusPlacer();

    @Override
    public String name() {
        return "whole-nodes";
    }

    @Override
    public PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        WholeNodesPass best = new WholeNodesPass(cluster, jobs, decision, WholeNodesPass.LARGEST_FIRST, 0);
        best.place();
        if (best.waiting() + best.leftOut() + best.spread() > 0) {
            best = better(best, new WholeNodesPass(cluster, jobs, decision, WholeNodesPass.LARGEST_FIRST, MOST_MOVES));
        }
        if (best.stopped() > 0) {
            best = better(best, new WholeNodesPass(cluster, jobs, decision, WholeNodesPass.RUNNING_FIRST, 0));
        }
        return best.waiting() > 0 ? orMinimumsFirst(best.decision(), cluster, jobs, decision) : best.decision();
    }

    /** What one job takes from another that would run on, the other would take back in the next round. */
    private PlacementDecision orMinimumsFirst(
            PlacementDecision placed, ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        PlacementDecision minimumsFirst = otherwise.place(cluster, jobs, decision);
        boolean fewerWait = waiting(minimumsFirst, job -> true) < waiting(placed, job -> true);
        Predicate<String> guaranteed = job -> decision.job(job).guaranteed();
        boolean forGood = waiting(minimumsFirst, guaranteed) < waiting(placed, guaranteed)
                || keepsTheUnchanged(minimumsFirst, jobs, decision);
        return fewerWait && forGood ? minimumsFirst : placed;
    }

    private static long waiting(PlacementDecision decision, Predicate<String> which) {
        return decision.byJob().entrySet().stream()
                .filter(job -> job.getValue().reason() instanceof PlacementReason.Waits && which.test(job.getKey()))
                .count();
    }

    /** Whether every job that runs on just the size decided has that. */
    private static boolean keepsTheUnchanged(
            PlacementDecision placed, List<JobSnapshot> jobs, AllocationDecision decision) {
        return jobs.stream()
                .filter(job -> job.current().allocation().equals(PlacementPass.wanted(job, decision)))
                .allMatch(job -> placed.job(job.id())
                        .placement()
                        .allocation()
                        .equals(job.current().allocation()));
    }

    private static WholeNodesPass better(WholeNodesPass first, WholeNodesPass other) {
        other.place();
        return BETTER.compare(other, first) < 0 ? other : first;
    }
}
