package io.optimus.model.policy;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class DrfPolicyTest {
    private final DrfPolicy policy = new DrfPolicy();

    private AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs));
    }

    /** The example is from Ghodsi et al., NSDI 2011, section 4.1: A gets three tasks, B gets two. */
    @Test
    public void dividesAsInThePapersExample() {
        Jobs a = Jobs.resnet("a").withoutServers().workers(Resources.of(4, 1, 0), 1, 9);
        Jobs b = Jobs.resnet("b").withoutServers().workers(Resources.of(1, 3, 0), 1, 9);

        AllocationDecision decision = allocate(Clusters.of(1, Resources.of(18, 9, 0)), a, b);

        assertThat(decision.job("a").allocation()).isEqualTo(new Allocation(0, 3));
        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(0, 2));
        assertThat(decision.job("a").reason().sentence())
                .isEqualTo("starts with 3 workers, and one more worker has no room: no vcore is free, 1 is needed");
    }

    @Test
    public void givesOneServerPerWorker() {
        assertThat(allocate(Clusters.ofGpus(1, 5), Jobs.resnet("a")).job("a").allocation())
                .isEqualTo(new Allocation(5, 5));
    }

    @Test
    public void comesAsNearToOneServerPerWorkerAsLimitsAllow() {
        ClusterSnapshot cluster = Clusters.ofGpus(1, 6);

        assertThat(allocate(cluster, Jobs.resnet("a").servers(Jobs.SERVER, 1, 2))
                        .job("a")
                        .allocation())
                .isEqualTo(new Allocation(2, 6));
        assertThat(allocate(cluster, Jobs.resnet("a").workers(Jobs.WORKER, 3, 16))
                        .job("a")
                        .allocation())
                .isEqualTo(new Allocation(6, 6));
        assertThat(allocate(Clusters.ofGpus(1, 3), Jobs.resnet("a").workers(Jobs.WORKER, 3, 16))
                        .job("a")
                        .allocation())
                .as("the servers catch up first")
                .isEqualTo(new Allocation(3, 3));
    }

    @Test
    public void givesGuaranteedMinimumsBeforeSecondBundles() {
        Jobs running = Jobs.small("running").submitted(9).on(on(0, 1, 1));
        Jobs older = Jobs.small("older").submitted(1);
        Jobs important = Jobs.small("important").submitted(5).priority(3);

        AllocationDecision decision = allocate(Clusters.ofGpus(1, 2), running, older, important);

        assertThat(decision.job("important").allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(decision.job("running").allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(decision.job("older").reason().sentence())
                .isEqualTo("waits for its minimum of 1 ps + 1 worker: no GPU is free, 1 is needed");
    }

    @Test
    public void countsTasksThatMayNotShrinkAsTheJobsShare() {
        Jobs kept = Jobs.small("kept").on(on(0, 4, 4)).mayNotShrink();

        AllocationDecision decision = allocate(Clusters.ofGpus(1, 8), kept, Jobs.small("b"), Jobs.small("c"));

        assertThat(decision.job("kept").allocation()).isEqualTo(new Allocation(4, 4));
        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(2, 2));
        assertThat(decision.job("c").allocation()).isEqualTo(new Allocation(2, 2));
    }

    /** With equal tasks, two shares differ by at most a bundle while neither job is at a limit. */
    @Test
    public void keepsSharesOfEqualJobsWithinABundle() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<JobSnapshot> jobs = new ArrayList<>();
            for (int job = random.nextInt(6); job >= 0; job--) {
                jobs.add(Jobs.resnet("job" + job)
                        .workers(Jobs.WORKER, 1, 1 + random.nextInt(16))
                        .snapshot());
            }
            AllocationDecision decision = policy.allocate(Clusters.ofGpus(4, 1 + random.nextInt(16)), jobs);
            for (JobSnapshot smaller : jobs) {
                int workers = decision.job(smaller.id()).allocation().workers();
                for (JobSnapshot larger : jobs) {
                    assertThat(workers == smaller.demand().workers().max()
                                    || decision.job(larger.id()).allocation().workers() <= workers + 1)
                            .as("seed %d: %s beside %s", seed, smaller.id(), larger.id())
                            .isTrue();
                }
            }
        }
    }

    /** This holds for equal bundles only; otherwise a larger bundle may replace two small ones. */
    @Test
    public void givesNoJobLessOnALargerCluster() {
        for (int gpus = 1; gpus < 60; gpus++) {
            AllocationDecision less =
                    allocate(Clusters.ofGpus(1, gpus), Jobs.resnet("a"), Jobs.small("b"), Jobs.small("c"));
            AllocationDecision more =
                    allocate(Clusters.ofGpus(1, gpus + 1), Jobs.resnet("a"), Jobs.small("b"), Jobs.small("c"));
            for (String job : less.byJob().keySet()) {
                assertThat(less.job(job).allocation().isWithin(more.job(job).allocation()))
                        .as("%s on %d and one more", job, gpus)
                        .isTrue();
            }
        }
    }

    @Test
    public void leavesNoResourcesThatHoldAFurtherBundle() {
        WorkConservation.assertKeptBy(policy);
    }
}
