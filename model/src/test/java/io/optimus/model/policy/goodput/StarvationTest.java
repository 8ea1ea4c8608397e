package io.optimus.model.policy.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.placement.PlacementDecision;
import io.optimus.model.placement.WholeNodesPlacer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Tests the bound of {@link Guarantees}, hour after hour, against jobs that are always shorter. */
public class StarvationTest {
    private static final int ROUND_SECONDS = 60;
    private static final int HOURS = 8;
    private static final int LONG_JOBS = 8;
    private static final int SHORT_JOBS = 6;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final ClusterSnapshot cluster = Clusters.ofGpus(2, 4);
    private final MarginalGoodputPolicy policy = new MarginalGoodputPolicy();
    private final WholeNodesPlacer placer = new WholeNodesPlacer();

    @Test
    public void givesEveryJobATenthOfItsAgeOnItsMinimum() {
        SortedMap<String, Jobs> jobs = new TreeMap<>();
        Random random = new Random(3);
        for (int job = 0; job < LONG_JOBS; job++) {
            int min = 1 + random.nextInt(3);
            jobs.put(
                    "long" + job,
                    Jobs.allReduce("long" + job)
                            .remaining(1e8)
                            .workers(Jobs.WORKER, min, 8)
                            .history(JobHistory.NEW));
        }
        double largestDeficit = 0;
        for (int second = 0; second < HOURS * 3600; second += ROUND_SECONDS) {
            renewShortJobs(jobs, second);
            largestDeficit = Math.max(largestDeficit, runRoundAndFindDeficit(jobs));
        }
        // All jobs get ten minutes each, one after the other, and a turn begins a round late.
        assertThat(largestDeficit).isBetween(0.0, 0.1 * (LONG_JOBS + SHORT_JOBS) * 600 + ROUND_SECONDS);
        assertThat(jobs.values().stream().map(Jobs::snapshot).filter(job -> job.id()
                        .startsWith("long")))
                .allSatisfy(job -> assertThat(job.history().workerSeconds()).isPositive());
    }

    /** Each of thirty jobs is guaranteed a tenth of two GPUs: each gets its turn after the one before, and starts once. */
    @Test
    public void stopsNoJobBeforeItsTenMinutesEndIfGuaranteesExceedTheCluster() {
        ClusterSnapshot twoGpus = Clusters.ofGpus(1, 2);
        SortedMap<String, Jobs> jobs = new TreeMap<>();
        SortedMap<String, Integer> starts = new TreeMap<>();
        for (int job = 10; job < 40; job++) {
            jobs.put("job" + job, Jobs.allReduce("job" + job).remaining(1e8).workers(Jobs.WORKER, 1, 1));
        }
        for (int second = 4 * 3600; second < 8 * 3600; second += ROUND_SECONDS) {
            List<JobSnapshot> snapshots = new ArrayList<>();
            jobs.values().forEach(job -> snapshots.add(job.snapshot()));
            PlacementDecision placed = placer.place(twoGpus, snapshots, policy.allocate(twoGpus, snapshots));
            for (JobSnapshot before : snapshots) {
                Jobs after = new Jobs(before).on(placed.job(before.id()).placement());
                boolean runs = after.snapshot().isRunning();
                starts.merge(before.id(), runs && !before.isRunning() ? 1 : 0, Integer::sum);
                double had = before.history().workerSeconds() + (runs ? ROUND_SECONDS : 0);
                jobs.put(before.id(), after.history(new JobHistory(second, had, 0, new Allocation(0, 1))));
            }
        }
        // 2 GPUs for 4 hours are 48 turns of ten minutes.
        assertThat(starts.values().stream().mapToInt(Integer::intValue).sum()).isBetween(30, 48);
        assertThat(jobs.values())
                .allSatisfy(job ->
                        assertThat(job.snapshot().history().workerSeconds()).isBetween(600.0, 1_800.0));
    }

    /** Each short job runs for half an hour, takes the whole cluster or nothing, and has the least work left of all jobs. */
    private static void renewShortJobs(SortedMap<String, Jobs> jobs, int second) {
        for (int job = 0; job < SHORT_JOBS; job++) {
            if ((second / 300) % SHORT_JOBS == job && second % 300 == 0) {
                String id = "short" + job;
                jobs.put(
                        id,
                        Jobs.allReduce(id)
                                .remaining(100)
                                .workers(Jobs.WORKER, 8, 8)
                                .submitted(second));
            }
        }
    }

    /** Runs one round and returns the largest deficit of a long job, in seconds on its minimum. */
    private double runRoundAndFindDeficit(SortedMap<String, Jobs> jobs) {
        List<JobSnapshot> snapshots = new ArrayList<>();
        jobs.values().forEach(job -> snapshots.add(job.snapshot()));
        AllocationDecision decision = policy.allocate(cluster, snapshots);
        PlacementDecision placed = placer.place(cluster, snapshots, decision);
        double worst = 0;
        for (Map.Entry<String, Jobs> entry : jobs.entrySet()) {
            Jobs after = entry.getValue().on(placed.job(entry.getKey()).placement());
            JobSnapshot job = after.snapshot();
            double workerSeconds = job.history().workerSeconds()
                    + ROUND_SECONDS * (double) job.current().allocation().workers();
            double age = job.history().ageSeconds() + ROUND_SECONDS;
            entry.setValue(after.history(new JobHistory(age, workerSeconds, 0, new Allocation(0, 8))));
            if (entry.getKey().startsWith("long")) {
                worst = Math.max(
                        worst,
                        0.1 * (age - 3600) - workerSeconds / job.minimum().workers());
            }
        }
        return worst;
    }
}
