package io.optimus.model.policy.sia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class SiaPolicyTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final SiaPolicy policy = new SiaPolicy();

    private AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs));
    }

    private static Allocation workers(int count) {
        return new Allocation(0, count);
    }

    private static SpeedFunction speeds(double one, double two, double four) {
        return size -> size.workers() >= 4 ? four : size.workers() >= 2 ? two : one;
    }

    @Test
    public void choosesAsInTheWorkedExample() {
        Jobs a = Jobs.allReduce("a").speed(speeds(1, 1.8, 3));

        AllocationDecision decision =
                allocate(Clusters.ofGpus(1, 4), a, Jobs.allReduce("b").speed(speeds(1, 1.8, 3)));

        assertThat(decision.job("a").allocation()).isEqualTo(workers(2));
        assertThat(decision.job("b").allocation()).isEqualTo(workers(2));
        assertThat(decision.job("a").reason().sentence())
                .isEqualTo("starts with 2 workers: that is best for all jobs together");
        assertThat(decision.job("a").reason().figures()).containsEntry("timesSpeedOnMinimum", 1.8);
    }

    @Test
    public void atMostDoublesInARound() {
        Jobs tried = Jobs.allReduce("a").history(new JobHistory(1000, 0, 0, workers(2)));

        assertThat(allocate(Clusters.ofGpus(4, 4), tried).job("a").allocation()).isEqualTo(workers(4));
        assertThat(allocate(Clusters.ofGpus(4, 4), tried.unknown()).job("a").allocation())
                .isEqualTo(workers(1));
    }

    @Test
    public void leavesARunningJobUnchangedIfARestartCostsMoreThanItGains() {
        Jobs running = Jobs.allReduce("a").on(Clusters.on(0, 0, 2)).speed(speeds(1, 1.8, 2.2));

        assertThat(allocate(Clusters.ofGpus(1, 4), running.resizeCost(300))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(2));
        assertThat(allocate(Clusters.ofGpus(1, 4), running.resizeCost(0))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(4));
    }

    @Test
    public void shrinksARunningJobRatherThanStoppingItWhateverARestartCosts() {
        Jobs running = Jobs.allReduce("a").on(Clusters.on(0, 0, 4)).speed(speeds(1, 1.8, 2.2));

        assertThat(allocate(Clusters.ofGpus(1, 2), running.resizeCost(1_000_000))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(2));
    }

    @Test
    public void namesTheShortageThatAJobWaitsFor() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 1), Jobs.allReduce("a"), Jobs.allReduce("b").submitted(1));

        assertThat(decision.job("b").reason().sentence())
                .isEqualTo("waits for its minimum of 1 worker: that is best for all jobs together");
    }

    /** Compares with every choice of configurations. */
    @Test
    public void minimisesTheObjective() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            List<JobSnapshot> jobs = new ArrayList<>();
            for (int job = seed % 4; job >= 0; job--) {
                double two = 1 + random.nextDouble();
                double four = two * (1 + random.nextDouble());
                jobs.add(Jobs.allReduce("job" + job)
                        .speed(speeds(1, two, four))
                        .workers(Jobs.WORKER, 1, 4)
                        .snapshot());
            }
            int gpus = 1 + random.nextInt(8);

            AllocationDecision decision = policy.allocate(Clusters.ofGpus(2, (gpus + 1) / 2), jobs);

            int available = 2 * ((gpus + 1) / 2);
            double cost = jobs.stream()
                    .mapToDouble(
                            job -> cost(job, decision.job(job.id()).allocation().workers()))
                    .sum();
            int onOne = available / 2;
            assertThat(cost).as("seed " + seed).isCloseTo(least(jobs, 0, available, onOne), within(1e-9));
        }
    }

    private static double least(List<JobSnapshot> jobs, int from, int left, int onOneNode) {
        if (from == jobs.size()) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int workers : new int[] {0, 1, 2, 3, 4}) {
            boolean isConfiguration = workers <= onOneNode
                    ? Integer.bitCount(workers) <= 1 || workers == onOneNode
                    : workers % onOneNode == 0;
            if (workers <= left && isConfiguration) {
                least = Math.min(
                        least, cost(jobs.get(from), workers) + least(jobs, from + 1, left - workers, onOneNode));
            }
        }
        return least;
    }

    private static double cost(JobSnapshot job, int workers) {
        return workers == 0 ? 1.1 : Math.pow(job.speed().orElseThrow().stepsPerSecond(workers(workers)), -0.5);
    }
}
