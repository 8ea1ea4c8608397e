package io.optimus.model.policy;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.DominantShare;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.BundleReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.policy.division.BundleGrowth;
import io.optimus.model.policy.division.Division;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Dominant resource fairness (DRF, NSDI 2011): the job with the least dominant share gets the next bundle of tasks, until
 * no job's next bundle fits.
 *
 * <p>A job's dominant share is the largest of its shares of the cluster's resources. A bundle is one parameter server and one
 * worker, as in Optimus's comparison; a job without parameter servers gets a worker. The first bundle is the job's minimum,
 * whole or not at all: all minimums come before any second bundle, larger priority first, then jobs that run already, then
 * submit time, then id. A job whose bundle has no room is dropped, and the loop goes on. Speeds and remaining work do not
 * matter.
 *
 * <p>Example: 9 cores and 18 GB; A's bundle takes 1 core and 4 GB, B's 3 cores and 1 GB. After one bundle A has 4/18 and B 3/9.
 * The order is A, B, A, B (6/9), A (12/18): three bundles of A and two of B, two thirds of the dominant resource for each.
 */
public final class DrfPolicy implements AllocationPolicy {
    private static final Comparator<Claim> LEAST_SHARE_FIRST = Comparator.comparingDouble(
                    (Claim claim) -> claim.share().part())
            .thenComparing(claim -> claim.taker().job(), Precedence.BY_RIGHT);

    /** A job that may take another bundle, with its current share. */
    private record Claim(BundleGrowth taker, DominantShare share) {
        static Claim of(BundleGrowth taker, Resources capacity) {
            return new Claim(taker, taker.job().resources(taker.given()).dominant(capacity));
        }
    }

    @Override
    public String name() {
        return "drf";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byRight(cluster, jobs);
        division.keepWhatMayNotShrink();
        List<BundleGrowth> takers =
                division.participants().stream().map(BundleGrowth::new).toList();
        Resources capacity = cluster.capacity();
        PriorityQueue<Claim> queue = new PriorityQueue<>(LEAST_SHARE_FIRST);
        takers.stream()
                .filter(BundleGrowth::canGrow)
                .map(taker -> Claim.of(taker, capacity))
                .forEach(queue::add);
        while (!queue.isEmpty()) {
            InterruptedComputationException.check();
            BundleGrowth least = queue.remove().taker();
            if (least.take(division)) {
                queue.add(Claim.of(least, capacity));
            }
        }
        takers.forEach(taker -> taker.explain(
                new BundleReason.LeastShare(Claim.of(taker, capacity).share())));
        return division.decision();
    }
}
