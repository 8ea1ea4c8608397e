package io.optimus.model.policy.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;

public class PolluxPolicyTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    private static PolluxPolicy policy() {
        return new PolluxPolicy(new Random(1));
    }

    private static AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy().allocate(cluster, Jobs.snapshots(jobs));
    }

    private static Allocation workers(int count) {
        return new Allocation(0, count);
    }

    private static SearchProblem problem(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        ResourceAxes axes = ResourceAxes.of(cluster, jobs.stream().map(job -> job.resources(workers(1))));
        NodeRoom nodeRoom = new NodeRoom(cluster);
        List<SearchedJob> searched = jobs.stream()
                .map(job -> new SearchedJob(
                        job, axes, nodeRoom.of(job.demand().workers().task()), jobs.size(), cluster.nodes()))
                .toList();
        return new SearchProblem(cluster, axes, searched);
    }

    /** The figures are those of the worked example of {@link SearchProblem}. */
    @Test
    public void comparesByThePowerMeanOfSpeedUps() {
        SpeedFunction speed = size -> new double[] {0, 1, 1.2, 1.6, 2, 2.2, 2.5, 2.8, 3}[size.workers()];
        List<JobSnapshot> jobs = Jobs.snapshots(
                Jobs.allReduce("a").speed(speed).resizeCost(0),
                Jobs.allReduce("b").speed(speed).resizeCost(0));
        SearchProblem problem = problem(Clusters.ofGpus(2, 4), jobs);

        assertThat(problem.judged(new short[] {4, 0, 0, 4}).fitness()).isCloseTo(0.251, within(1e-9));
        assertThat(problem.judged(new short[] {4, 3, 0, 1}).fitness())
                .isCloseTo(2 / (1 / 0.351 + 1 / 0.126), within(1e-9));
        assertThat(problem.judged(new short[] {4, 0, 0, 0}).utility()).isEqualTo(1 / 4.0);
        assertThat(problem.judged(new short[] {2, 0, 0, 0}).utility()).isEqualTo(0.6 / 4);
    }

    @Test
    public void countsARestartOnlyWhereTheRowChanges() {
        Jobs running = Jobs.allReduce("a")
                .on(Clusters.on(0, 0, 2))
                .resizeCost(100)
                .history(new JobHistory(1000, 0, 2, workers(64)));
        SearchProblem problem = problem(Clusters.ofGpus(2, 4), Jobs.snapshots(running));

        double stays = problem.judged(new short[] {2, 0}).fitness() - 1e-3;
        double moves = problem.judged(new short[] {0, 2}).fitness() - 1e-3;
        assertThat(moves / stays).isCloseTo(800 / 1100.0, within(1e-9));
    }

    @Test
    public void aKeptJobCountsWithTheTasksThatItKeeps() {
        Jobs kept = Jobs.allReduce("a")
                .on(Clusters.on(0, 0, 2))
                .mayNotShrink()
                .resizeCost(0)
                .speed(size -> Math.sqrt(size.workers()));
        SearchProblem problem = problem(Clusters.ofGpus(2, 4), Jobs.snapshots(kept));

        double two = problem.judged(new short[] {0, 0}).fitness() - 1e-3;
        double eight = problem.judged(new short[] {2, 4}).fitness() - 1e-3;
        assertThat(problem.current()).containsOnly((short) 0);
        assertThat(eight / two).isCloseTo(2, within(1e-9));
    }

    @Test
    public void refusesMoreJobsAndNodesThanItCanSearch() {
        Jobs[] jobs = new Jobs[501];
        Arrays.setAll(jobs, job -> Jobs.allReduce("job" + job).workers(Jobs.WORKER, 1, 2));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> allocate(Clusters.ofGpus(10_000, 1), jobs))
                .withMessageContaining("501 jobs on 10000 nodes: choose another policy");
    }

    /** Compares with every division of two nodes among three jobs. */
    @Test
    public void findsTheBestDivisionOfSmallClusters() {
        for (int seed = 0; seed < 5; seed++) {
            Random random = new Random(seed);
            Jobs[] jobs = new Jobs[3];
            for (int job = 0; job < jobs.length; job++) {
                double exponent = 0.4 + 0.5 * random.nextDouble();
                jobs[job] =
                        Jobs.allReduce("job" + job).submitted(job).speed(size -> Math.pow(size.workers(), exponent));
            }
            ClusterSnapshot cluster = Clusters.ofGpus(2, 4);
            SearchProblem problem = problem(cluster, Jobs.snapshots(jobs));
            Evolution evolution = new Evolution(problem, new Random(seed));

            double found =
                    evolution.best(List.of(problem.current().clone())).get(0).fitness();

            assertThat(found).isCloseTo(best(problem, new short[6], 0), within(1e-9));
        }
    }

    private static double best(SearchProblem problem, short[] division, int cell) {
        if (cell == division.length) {
            short[] repaired = division.clone();
            new Repair(problem, new Random(0)).repair(repaired);
            return Arrays.equals(repaired, division) ? problem.judged(repaired).fitness() : 0;
        }
        double best = 0;
        for (short count = 0; count <= 4; count++) {
            division[cell] = count;
            best = Math.max(best, best(problem, division, cell + 1));
        }
        division[cell] = 0;
        return best;
    }

    @Test
    public void growsToAtMostTwiceTheLargestSizeThatItRanOn() {
        Jobs tried = Jobs.allReduce("a").history(new JobHistory(1000, 0, 0, workers(3)));

        assertThat(allocate(Clusters.ofGpus(4, 4), tried).job("a").allocation()).isEqualTo(workers(6));
        assertThat(allocate(Clusters.ofGpus(4, 4), tried.history(JobHistory.NEW))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(1));
    }

    @Test
    public void keepsDistributedJobsApart() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(4, 4),
                Jobs.allReduce("a"),
                Jobs.allReduce("b").submitted(1),
                Jobs.allReduce("c").submitted(2));

        Map<String, Integer> distributed = new HashMap<>();
        decision.byJob().values().forEach(decided -> {
            Placement where = decided.placement().orElseThrow();
            if (where.byNode().size() > 1) {
                where.byNode().keySet().forEach(node -> distributed.merge(node, 1, Integer::sum));
            }
        });
        assertThat(distributed.values()).allMatch(jobs -> jobs == 1);
    }

    @Test
    public void repairsEveryMatrix() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<JobSnapshot> jobs = new ArrayList<>();
            for (int job = random.nextInt(6); job >= 0; job--) {
                int min = 1 + random.nextInt(3);
                jobs.add(Jobs.allReduce("job" + job)
                        .workers(Resources.of(1, 1, 1 + random.nextInt(2)), min, min + random.nextInt(8))
                        .snapshot());
            }
            ClusterSnapshot cluster = Clusters.withBudgetOfGpus(Clusters.ofGpus(3, 4), random.nextInt(14));
            SearchProblem problem = problem(cluster, jobs);
            short[] replicas = new short[jobs.size() * 3];
            for (int cell = 0; cell < replicas.length; cell++) {
                replicas[cell] = (short) random.nextInt(6);
            }

            new Repair(problem, random).repair(replicas);

            long inAll = 0;
            for (int job = 0; job < jobs.size(); job++) {
                int count = replicas[3 * job] + replicas[3 * job + 1] + replicas[3 * job + 2];
                assertThat(count == 0
                                || count >= jobs.get(job).demand().workers().min())
                        .as("seed " + seed)
                        .isTrue();
                assertThat(count)
                        .as("seed " + seed)
                        .isLessThanOrEqualTo(problem.searched(job).cap());
                inAll += count * jobs.get(job).demand().workers().task().amount(Resources.GPUS);
            }
            assertThat(inAll)
                    .as("seed " + seed)
                    .isLessThanOrEqualTo(cluster.available().amount(Resources.GPUS));
            short[] again = replicas.clone();
            new Repair(problem, random).repair(again);
            assertThat(again).as("a valid matrix stays unchanged, seed " + seed).isEqualTo(replicas);
        }
    }

    @Test
    public void decidesTheSameInAnyOrderOfJobsWithTheSameSeed() {
        PolluxPolicy one = policy();
        PolluxPolicy other = policy();
        for (long seed = 0; seed < 5; seed++) {
            RandomRound round = RandomRound.of(seed);
            List<JobSnapshot> shuffled = new ArrayList<>(round.jobs());
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(one.allocate(round.cluster(), round.jobs()))
                    .isEqualTo(other.allocate(round.cluster(), shuffled));
        }
    }

    /** The cluster is as large as the published one; jobs arrive one after the other, up to as many as ran there at once. */
    @Test
    @Category(Slow.class)
    public void continuesFromItsLastSearch() {
        PolluxPolicy policy = policy();
        List<Jobs> jobs = new ArrayList<>();
        AllocationDecision decision = AllocationDecision.of(Map.of());
        for (int job = 0; job < 48; job++) {
            double exponent = 0.3 + 0.6 * job / 48;
            jobs.add(Jobs.allReduce(String.format("job%02d", job))
                    .submitted(job)
                    .history(new JobHistory(1000, 100 - job, 0, workers(4)))
                    .speed(size -> Math.pow(size.workers(), exponent)));
            decision = policy.allocate(Clusters.ofGpus(16, 4), Jobs.snapshots(jobs.toArray(Jobs[]::new)));
            AllocationDecision carriedOut = decision;
            jobs.replaceAll(each ->
                    each.on(carriedOut.job(each.snapshot().id()).placement().orElseThrow()));
        }
        List<Integer> given = decision.byJob().values().stream()
                .map(decided -> decided.allocation().workers())
                .toList();
        assertThat(given).allMatch(workers -> workers > 0);
        assertThat(given.stream().mapToInt(Integer::intValue).sum()).isEqualTo(64);
        assertThat(decision.job("job47").reason().sentence())
                .endsWith(": that is the best found for all jobs together");
    }
}
