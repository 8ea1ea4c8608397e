package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps unchanged jobs where they are, and gives whole nodes to all-reduce jobs that need several, so that they do not share a
 * network with each other. All other jobs go where they fit best.
 *
 * <ol>
 *   <li>A running job whose size does not change stays where it is.
 *   <li>The others are placed in descending order of tasks. Jobs with parameter servers are placed as by {@link OptimusPlacer}:
 *       the running tasks of all of them stay before one of them grows. A job without them goes to one node if one holds it:
 *       its own, or the one that is left with least room. Otherwise it is split evenly over the fewest empty nodes, its own
 *       first, in the fewest racks.
 *   <li>If there is no room, smaller jobs of one node are moved out of the way, those that lose least training first. This is
 *       done only if the whole placement gets better: fewer jobs wait, then fewer tasks are left out, then fewer jobs are
 *       spread.
 *   <li>If still nothing fits, tasks go where there is room, as with {@link OptimusPlacer}.
 *   <li>If a running job would have to stop for lack of room, all jobs are placed again, the running jobs first.
 *   <li>If a job would have to wait for room that others hold beyond their minimum, {@link OptimusPlacer} places all jobs,
 *       because it places all minimums first. Running jobs whose size does not change give up room only for a job whose share
 *       is guaranteed.
 * </ol>
 *
 * <p>Example: two nodes of 4 GPUs with a job of 1 worker each. A new job of 2 workers goes to the first node. A new job of 4
 * workers fits on no node, so that the job on the second node moves to the first, beside the others.
 */
public final class WholeNodesPlacer implements Placer {
    private static final Comparator<WholeNodesPass> BETTER = Comparator.comparingLong(WholeNodesPass::stopped)
            .thenComparingLong(WholeNodesPass::waiting)
            .thenComparingLong(WholeNodesPass::leftOut)
            .thenComparingLong(WholeNodesPass::spread);

    /** Other jobs are moved out of the way for at most this many jobs, which bounds the time on a large, full cluster. */
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

    /** Room is not taken from a job that keeps running: it would take it back in the next round. */
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
                .filter(job -> job.getValue().reason().waits() && which.test(job.getKey()))
                .count();
    }

    /** Whether every running job whose size should not change keeps it. */
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
