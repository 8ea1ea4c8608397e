package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Plans stop changing if each plan is carried out, nothing else happens, and jobs do not age. */
public final class SteadyPlansTest {
    /** The rounds for which jobs may grow whose speed is known only on the sizes that they ran on. */
    private static final int ROUNDS = 12;

    @Test
    @Category(Slow.class)
    public void everyPolicyReachesASteadyPlan() {
        for (NamedStrategy named : Strategies.all()) {
            if (!named.name().equals("pollux")) { // Its search draws new candidates in each round.
                assertThat(restless(named, LongStream.range(0, 200)))
                        .as(named.name())
                        .isEmpty();
            }
        }
    }

    /** Jobs of this queue were once started by stopping others, which were then started by stopping the first, without end. */
    @Test
    public void stopsNoJobForResourcesThatAreTooFragmentedForAnother() {
        assertThat(restless(
                        Strategies.named("marginal-goodput"),
                        LongStream.of(280, 330, 336, 752, 1099, 1416, 1656, 1753, 1762, 1768, 1772, 1829, 1980)))
                .isEmpty();
    }

    private static List<String> restless(NamedStrategy named, LongStream seeds) {
        List<String> restless = new ArrayList<>();
        seeds.forEach(seed -> {
            RandomRound round = RandomRound.of(seed);
            Planner planner = new Planner(queue -> named.bySeed().apply(1), GpuTypes.ALIKE);
            if (!comesToRest(planner, round, round.jobs())) {
                restless.add("seed " + seed);
            }
            List<JobSnapshot> allReduce =
                    round.jobs().stream().map(SteadyPlansTest::allReduce).toList();
            if (!comesToRest(planner, round, allReduce)) {
                restless.add("seed " + seed + ", workers only");
            }
        });
        return restless;
    }

    private static boolean comesToRest(Planner planner, RandomRound round, List<JobSnapshot> jobs) {
        List<JobSnapshot> now = jobs;
        for (int i = 0; i < ROUNDS; i++) {
            List<JobSnapshot> next = afterPlan(planner, round, now);
            if (next.equals(now)) {
                return true;
            }
            now = next;
        }
        return false;
    }

    private static List<JobSnapshot> afterPlan(Planner planner, RandomRound round, List<JobSnapshot> jobs) {
        List<QueuedJob> queued =
                jobs.stream().map(job -> QueuedJob.of(job, "ann")).toList();
        SortedMap<String, Placement> planned = new TreeMap<>();
        planner.plan(List.of(new QueueSnapshot("root.a", round.cluster(), new TreeMap<>(), queued)))
                .forEach((id, proposal) -> planned.put(id, proposal.planned()));
        return jobs.stream()
                .map(job -> carriedOut(job, planned.getOrDefault(job.id(), Placement.NONE)))
                .toList();
    }

    private static JobSnapshot carriedOut(JobSnapshot job, Placement planned) {
        JobHistory before = job.history();
        Allocation largest = before.largest().max(planned.allocation());
        return new Jobs(job)
                .on(planned)
                .history(new JobHistory(before.ageSeconds(), before.workerSeconds(), before.resizes(), largest))
                .snapshot();
    }

    /** Returns the speed with one parameter server. */
    private static JobSnapshot allReduce(JobSnapshot job) {
        SortedMap<String, Allocation> workers = new TreeMap<>();
        job.current().byNode().forEach((node, tasks) -> workers.put(node, new Allocation(0, tasks.workers())));
        Jobs without = new Jobs(job)
                .withoutServers()
                .requested(0, job.requested().workers())
                .on(Placement.of(workers));
        if (job.belief().exploration().isPresent()) {
            without = without.alsoExploring(0, job.belief().exploration().get().workers());
        }
        if (job.speed().isPresent()) {
            SpeedFunction speed = job.speed().get();
            without = without.speed(size -> speed.stepsPerSecond(new Allocation(1, size.workers())));
        }
        return without.snapshot();
    }
}
