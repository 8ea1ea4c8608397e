package io.optimus.model.policy;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.Placement;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.Test;

public class FifoPolicyTest {
    private final FifoPolicy policy = new FifoPolicy();

    private Map<String, Integer> workers(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs)).byJob().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().allocation().workers(),
                        (a, b) -> a,
                        TreeMap::new));
    }

    private String sentence(ClusterSnapshot cluster, String job, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs)).job(job).reason().sentence();
    }

    private static Jobs asking(String id, int submitted, int workers) {
        return Jobs.resnet(id).submitted(submitted).requested(1, workers);
    }

    @Test
    public void letsNoJobOvertake() {
        Jobs[] jobs = {asking("a", 1, 2), asking("b", 2, 3), asking("c", 3, 1)};
        ClusterSnapshot cluster = Clusters.ofGpus(1, 4);

        assertThat(workers(cluster, jobs)).isEqualTo(Map.of("a", 2, "b", 0, "c", 0));
        assertThat(sentence(cluster, "a", jobs))
                .isEqualTo("starts with 1 ps + 2 workers: that is the size it asked for");
        assertThat(sentence(cluster, "b", jobs))
                .isEqualTo("waits for the 1 ps + 3 workers it asked for: 2 GPUs are free, 3 are needed");
        assertThat(sentence(cluster, "c", jobs))
                .isEqualTo("waits for the 1 ps + 1 worker it asked for: job b comes first and has no room yet");
    }

    @Test
    public void stopsNoJobForALargerPriority() {
        assertThat(workers(
                        Clusters.ofGpus(1, 4),
                        asking("running", 1, 3).on(on(0, 1, 3)),
                        asking("important", 2, 2).priority(9)))
                .isEqualTo(Map.of("running", 3, "important", 0));
    }

    @Test
    public void servesLargerPriorityFirst() {
        assertThat(workers(
                        Clusters.ofGpus(1, 4),
                        asking("early", 1, 3),
                        asking("important", 2, 2).priority(9)))
                .isEqualTo(Map.of("early", 0, "important", 2));
    }

    @Test
    public void doesNotWaitForAJobThatNeverFits() {
        assertThat(workers(
                        Clusters.ofGpus(1, 4), asking("endless", 1, 9).workers(Jobs.WORKER, 9, 9), asking("b", 2, 4)))
                .isEqualTo(Map.of("endless", 0, "b", 4));
    }

    @Test
    public void givesAJobTheMostThatFitsIfItAskedForMore() {
        Jobs large = asking("a", 1, 9).workers(Jobs.WORKER, 1, 9);

        assertThat(workers(Clusters.ofGpus(1, 4), large)).isEqualTo(Map.of("a", 4));
        assertThat(sentence(Clusters.ofGpus(1, 4), "a", large))
                .isEqualTo("starts with 1 ps + 4 workers: it asked for 1 ps + 9 workers, and more than this has"
                        + " no room now");
        assertThat(sentence(Clusters.ofGpus(1, 4), "a", large, asking("b", 0, 2)))
                .isEqualTo("waits for 1 ps + 4 workers (it asked for 1 ps + 9 workers, and more than this has no"
                        + " room now): 2 GPUs are free, 4 are needed");
    }

    @Test
    public void keepsTheRatioOfServersOfAJobThatAskedForTooMuch() {
        Jobs large = Jobs.resnet("a")
                .servers(Jobs.SERVER, 2, 8)
                .workers(Jobs.WORKER, 1, 16)
                .requested(8, 16);

        assertThat(policy.allocate(Clusters.ofGpus(3, 2), Jobs.snapshots(large))
                        .job("a")
                        .allocation())
                .isEqualTo(new Allocation(3, 6));
    }

    @Test
    public void letsARunningJobContinueOnItsTasks() {
        Jobs running = asking("running", 2, 4).on(on(0, 1, 2)).mayNotShrink();
        Jobs other = asking("other", 1, 2).on(on(0, 1, 2));

        assertThat(workers(Clusters.ofGpus(1, 4), running, other)).isEqualTo(Map.of("running", 2, "other", 2));
        assertThat(sentence(Clusters.ofGpus(1, 4), "running", running, other))
                .isEqualTo("stays at 1 ps + 2 workers, because it may not shrink: it gets 1 ps + 4 workers when there"
                        + " is room");
    }

    /** On a larger cluster, every job that was served is still served, and no job behind a waiting one is. */
    @Test
    public void servesNoFewerJobsOnALargerCluster() {
        for (long seed = 0; seed < 500; seed++) {
            RandomRound round = RandomRound.of(seed);
            ClusterSnapshot half =
                    new ClusterSnapshot(round.cluster().nodes(), Resources.of(64_000, 40, 3 + seed % 10));
            ClusterSnapshot whole =
                    new ClusterSnapshot(round.cluster().nodes(), Resources.of(64_000, 40, 6 + seed % 10));
            var waitingJobs = round.jobs().stream()
                    .map(job -> new Jobs(job)
                            .on(Placement.NONE)
                            .workers(Jobs.WORKER, 1, 3)
                            .requested(1, 1 + (int) (job.submitMillis() % 3))
                            .snapshot())
                    .toList();
            var served = policy.allocate(half, waitingJobs);
            var servedOfMore = policy.allocate(whole, waitingJobs);
            served.byJob().forEach((job, decided) -> assertThat(
                            decided.allocation().isWithin(servedOfMore.job(job).allocation()))
                    .as("%s: %s, then %s", job, decided, servedOfMore.job(job))
                    .isTrue());
        }
    }

    @Test
    public void givesTheRequestedSizeOrNothing() {
        AllocationDecision decision = policy.allocate(
                Clusters.ofGpus(2, 4), Jobs.snapshots(asking("a", 1, 5), asking("b", 2, 2), asking("c", 3, 2)));

        assertThat(decision.byJob().values().stream().map(AllocationDecision.Decided::allocation))
                .containsExactly(new Allocation(1, 5), new Allocation(1, 2), Allocation.NONE);
    }
}
