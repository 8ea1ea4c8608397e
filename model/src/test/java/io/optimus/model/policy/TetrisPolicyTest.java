package io.optimus.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.BundleReason;
import java.util.List;
import org.junit.Test;

public class TetrisPolicyTest {
    private final TetrisPolicy policy = new TetrisPolicy();

    private AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs));
    }

    /** A job that differs from the others only in its workers' demand. No work is left, so only alignment decides. */
    private static Jobs asking(String id, Resources worker, int max) {
        return Jobs.resnet(id)
                .servers(Resources.NONE, 1, 1)
                .workers(worker, 1, max)
                .remaining(0);
    }

    @Test
    public void givesToTheJobThatFitsBest() {
        // Half of the cores are taken, all the memory is free.
        Resources capacity = Resources.of(100, 100, 0);
        ClusterSnapshot cluster =
                Clusters.of(List.of(new NodeSnapshot(Clusters.id(0), capacity, Resources.of(100, 50, 0))));

        AllocationDecision decision = allocate(
                cluster, asking("cores", Resources.of(10, 50, 0), 1), asking("memory", Resources.of(50, 10, 0), 1));
        // 0.10 + 0.25 against 0.50 + 0.05; the 50 cores do not suffice for both.
        assertThat(decision.job("memory").allocation().workers()).isEqualTo(1);
        assertThat(decision.job("cores").allocation()).isEqualTo(Allocation.NONE);
        assertThat(decision.job("memory").reason().sentence())
                .isEqualTo("starts with its minimum of 1 ps + 1 worker: it is at its maximum");
        assertThat(decision.job("memory").reason().figures())
                .hasEntrySatisfying("score", score -> assertThat(score).isCloseTo(0.55, within(1e-9)));
    }

    @Test
    public void prefersLittleRemainingWorkAmongJobsThatFitAlike() {
        Jobs lengthy = Jobs.small("lengthy").remaining(5000);
        Jobs nearlyDone = Jobs.small("nearly-done").submitted(9).remaining(100);

        AllocationDecision decision = allocate(Clusters.ofGpus(1, 6), lengthy, nearlyDone);

        assertThat(decision.job("nearly-done").allocation()).isEqualTo(new Allocation(4, 5));
        assertThat(decision.job("lengthy").allocation())
                .as("every minimum comes before second bundles")
                .isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void weighsAMeanAlignmentAsMuchAsMeanWork() {
        // Alignments 0.8 and 0.4, mean 0.6. Work (seconds times shares) 1 : 3, so that the penalties are 0.3 and 0.9.
        Jobs large = asking("large", Resources.of(80, 0, 0), 1).remaining(1000);
        Jobs small = asking("small", Resources.of(40, 0, 0), 1).remaining(6000);

        AllocationDecision decision = allocate(Clusters.of(1, Resources.of(100, 1, 0)), large, small);

        assertThat(decision.job("large").reason())
                .isInstanceOfSatisfying(BundleReason.class, reason -> assertThat(reason.rule())
                        .isInstanceOfSatisfying(BundleReason.BestPacked.class, packed -> {
                            assertThat(packed.alignment()).isEqualTo(0.8);
                            assertThat(packed.penalty()).isCloseTo(0.3, within(1e-12));
                        }));
    }

    /** Three of four jobs are considered: the job with the largest share gets nothing until another job has more. */
    @Test
    public void leavesOutTheQuarterWithTheLargestShares() {
        Jobs[] jobs = {
            Jobs.resnet("short").remaining(1),
            Jobs.resnet("b").remaining(5000),
            Jobs.resnet("c").remaining(6000),
            Jobs.resnet("d").remaining(7000)
        };
        AllocationDecision decision = allocate(Clusters.ofGpus(1, 8), jobs);

        // After the minimums: b (of equal shares, short comes last), short, b, short; c and d score less.
        assertThat(decision.job("short").allocation().workers()).isEqualTo(3);
        assertThat(decision.job("b").allocation().workers()).isEqualTo(3);
    }

    @Test
    public void countsUnknownSpeedAsTheMedianWork() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 2),
                Jobs.resnet("long").workers(Jobs.WORKER, 1, 1).remaining(9000),
                Jobs.resnet("unknown").submitted(7).workers(Jobs.WORKER, 1, 1).unknown(),
                Jobs.resnet("middle").submitted(8).workers(Jobs.WORKER, 1, 1).remaining(500),
                Jobs.resnet("short").submitted(9).workers(Jobs.WORKER, 1, 1).remaining(10));

        assertThat(decision.job("short").allocation().workers()).isEqualTo(1);
        assertThat(decision.job("unknown").allocation().workers()).isEqualTo(1);
        assertThat(decision.job("long").allocation()).isEqualTo(Allocation.NONE);
    }

    @Test
    public void leavesNoResourcesThatHoldAFurtherBundle() {
        WorkConservation.assertKeptBy(policy);
    }
}
