package io.optimus.model.policy.smd;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class SmdPolicyTest {
    /** A step takes 40 / workers seconds. */
    private static final SynchronousSpeed SCALES = new SynchronousSpeed(1, 40, 0, 0, 0, 0);

    private final SmdPolicy policy = new SmdPolicy();

    private AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs));
    }

    /** Returns a job that is fastest on {@code workers}, where it takes {@code seconds}. */
    private static Jobs fastestOn(String id, int workers, double seconds) {
        return Jobs.resnet(id)
                .servers(Resources.NONE, 1, 1)
                .workers(Jobs.WORKER, workers, workers)
                .speed(SCALES)
                .remaining(seconds * workers / 40)
                .resizeCost(0)
                .history(JobHistory.NEW);
    }

    @Test
    public void choosesTheJobsOfTheLargestTotalUtility() {
        ClusterSnapshot cluster = Clusters.ofGpus(1, 8);
        Jobs a = fastestOn("a", 6, 50);
        Jobs b = fastestOn("b", 4, 100);
        Jobs c = fastestOn("c", 4, 100);

        AllocationDecision decision = allocate(cluster, a, b, c);

        // Utilities: 1/(1 + e^(4·(50−100)/100)) = 0.88 against 0.5 + 0.5.
        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(1, 4));
        assertThat(decision.job("c").allocation()).isEqualTo(new Allocation(1, 4));
        assertThat(decision.job("a").reason().sentence())
                .isEqualTo("waits for its minimum of 1 ps + 6 workers: no GPU is free, 6 are needed");
        assertThat(decision.job("b").reason().sentence())
                .isEqualTo(
                        "starts with its minimum of 1 ps + 4 workers: it would end no sooner on any other size within an"
                                + " equal share");
        assertThat(decision.job("b").reason().figures())
                .containsEntry("secondsToEndOnBestSize", 100.0)
                .containsEntry("utility", 0.5);
    }

    @Test
    public void givesOthersTheirMinimumFromTheRemainingResources() {
        // An equal share is 4 GPUs.
        Jobs large = Jobs.resnet("large")
                .servers(Resources.NONE, 1, 1)
                .workers(Jobs.WORKER, 5, 6)
                .speed(SCALES)
                .remaining(300);
        Jobs larger = Jobs.resnet("larger")
                .servers(Resources.NONE, 1, 1)
                .workers(Jobs.WORKER, 1, 7)
                .speed(SCALES)
                .remaining(900);

        AllocationDecision decision = allocate(Clusters.ofGpus(1, 8), large, larger);

        assertThat(decision.job("large").allocation()).isEqualTo(new Allocation(1, 5));
        assertThat(decision.job("larger").allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(decision.job("larger").reason().sentence())
                .isEqualTo(
                        "starts with its minimum of 1 ps + 1 worker: it would end sooner on 1 ps + 4 workers, but other"
                                + " jobs gain more from the same resources");
    }

    @Test
    public void looksForTheFastestSizeWithinAnEqualShare() {
        Jobs a = Jobs.resnet("a").servers(Resources.NONE, 1, 1).speed(SCALES);

        assertThat(allocate(Clusters.ofGpus(1, 8), a).job("a").allocation().workers())
                .isEqualTo(8);
        assertThat(allocate(Clusters.ofGpus(1, 8), a, fastestOn("b", 2, 100))
                        .job("a")
                        .allocation()
                        .workers())
                .isEqualTo(4);
    }

    @Test
    public void staysIfAResizeDoesNotRepayItsCost() {
        // 400 s on four workers, 200 s on eight.
        Jobs job = Jobs.resnet("a")
                .servers(Resources.NONE, 1, 1)
                .workers(Jobs.WORKER, 1, 8)
                .speed(SCALES)
                .remaining(40)
                .on(on(0, 1, 4));
        ClusterSnapshot cluster = Clusters.ofGpus(1, 8);

        assertThat(allocate(cluster, job.resizeCost(199)).job("a").allocation().workers())
                .isEqualTo(8);
        assertThat(allocate(cluster, job.resizeCost(201)).job("a").allocation().workers())
                .isEqualTo(4);
    }

    @Test
    public void valuesPriorityAndAge() {
        ClusterSnapshot cluster = Clusters.ofGpus(1, 4);
        Jobs[] alike = {fastestOn("a", 4, 100), fastestOn("b", 4, 100)};

        assertThat(allocate(cluster, alike[0], alike[1].priority(1))
                        .job("b")
                        .allocation()
                        .workers())
                .isEqualTo(4);
        assertThat(allocate(cluster, alike[0], alike[1].history(new JobHistory(60, 0, 0, Allocation.NONE)))
                        .job("b")
                        .allocation()
                        .workers())
                .isEqualTo(4);
        assertThat(allocate(cluster, alike).job("a").allocation().workers())
                .as("the first of equal utility")
                .isEqualTo(4);
    }

    @Test
    public void neverLetsALongJobWaitForever() {
        ClusterSnapshot cluster = Clusters.ofGpus(1, 4);
        Jobs lengthy = fastestOn("lengthy", 4, 1000).history(new JobHistory(1200, 0, 0, Allocation.NONE));
        Jobs[] jobs = {lengthy, fastestOn("b", 4, 100), fastestOn("c", 4, 100), fastestOn("d", 4, 100)};

        assertThat(allocate(cluster, jobs).job("lengthy").allocation().workers())
                .isEqualTo(4);
    }

    @Test
    public void decidesOnEqualTimesWithTheSumOfRatios() {
        SmdPolicy enumerating = new SmdPolicy(new SizeEnumeration());
        SmdPolicy searching = new SmdPolicy(new SumOfRatios(0.001));
        for (long seed = 0; seed < 200; seed++) {
            RandomRound round = RandomRound.of(seed);
            AllocationDecision exact = enumerating.allocate(round.cluster(), round.jobs());
            AllocationDecision near = searching.allocate(round.cluster(), round.jobs());
            for (JobSnapshot job : round.jobs()) {
                assertThat(near.job(job.id()).allocation())
                        .as("seed %d, %s", seed, job.id())
                        .isEqualTo(exact.job(job.id()).allocation());
            }
        }
    }

    @Test
    public void choosesAmongManyJobsGreedily() {
        List<JobSnapshot> jobs = new ArrayList<>();
        for (int job = 0; job < 500; job++) {
            jobs.add(fastestOn("job" + job, 1 + job % 8, 50 + job).snapshot());
        }
        AllocationDecision decision = policy.allocate(Clusters.ofGpus(10, 8), jobs);

        int given = decision.byJob().values().stream()
                .mapToInt(decided -> decided.allocation().workers())
                .sum();
        assertThat(given).isEqualTo(80);
    }
}
