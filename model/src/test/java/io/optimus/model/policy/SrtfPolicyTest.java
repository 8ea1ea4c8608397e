package io.optimus.model.policy;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.speed.SynchronousSpeed;
import org.junit.Test;

public class SrtfPolicyTest {
    /** A speed of ten steps a second on every allocation. */
    private static final SynchronousSpeed TEN = new SynchronousSpeed(1, 0, .1, 0, 0, 0);

    private final SrtfPolicy policy = new SrtfPolicy();

    private AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs));
    }

    private static Jobs endingIn(String id, double seconds, int workers) {
        return Jobs.resnet(id).speed(TEN).remaining(seconds * 10).requested(1, workers);
    }

    @Test
    public void servesTheJobNearestToItsEnd() {
        Jobs[] jobs = {endingIn("a", 300, 2), endingIn("b", 100, 2), endingIn("c", 200, 3), endingIn("d", 400, 1)};
        AllocationDecision decision = allocate(Clusters.ofGpus(1, 4), jobs);

        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(1, 2));
        assertThat(decision.job("c").allocation()).isEqualTo(Allocation.NONE);
        assertThat(decision.job("a").allocation()).isEqualTo(new Allocation(1, 2));
        assertThat(decision.job("d").allocation()).isEqualTo(Allocation.NONE);
        assertThat(decision.job("a").reason().sentence())
                .isEqualTo("starts with 1 ps + 2 workers: that is the size it asked for");
        assertThat(decision.job("a").reason().figures())
                .containsEntry("secondsToEnd", 301.0)
                .containsEntry("jobsBefore", 2.0);
        assertThat(decision.job("c").reason().sentence())
                .isEqualTo("waits for the 1 ps + 3 workers it asked for: 2 GPUs are free, 3 are needed");
    }

    @Test
    public void displacesARunningJobOnlyForOneThatEndsSoonerIncludingItsStart() {
        Jobs running = endingIn("running", 100, 2).on(on(0, 1, 2));
        Jobs nearer = endingIn("nearer", 60, 1);
        ClusterSnapshot cluster = Clusters.ofGpus(1, 2);

        assertThat(allocate(cluster, running, nearer.resizeCost(50))
                        .job("running")
                        .allocation())
                .isEqualTo(new Allocation(1, 2));
        AllocationDecision displaced = allocate(cluster, running, nearer.resizeCost(30));
        assertThat(displaced.job("nearer").allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(displaced.job("running").reason().sentence())
                .isEqualTo("gives up 1 ps + 2 workers and waits for the 1 ps + 2 workers it asked for: 1 GPU is"
                        + " free, 2 are needed");
    }

    @Test
    public void servesLargerPriorityFirst() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 1),
                endingIn("near", 1, 1),
                endingIn("important", 1000, 1).priority(1));

        assertThat(decision.job("important").allocation()).isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void takesTheMedianForUnknownJobs() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 3),
                endingIn("far", 900, 1),
                endingIn("middling", 500, 1),
                endingIn("near", 100, 1),
                endingIn("unknown", 1, 1).unknown().submitted(9));

        assertThat(decision.job("unknown").allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(decision.job("far").allocation()).isEqualTo(Allocation.NONE);
    }
}
