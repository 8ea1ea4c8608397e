package io.optimus.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeFalse;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision;
import io.optimus.model.plan.Strategies;
import io.optimus.model.plan.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Every policy keeps these promises on every cluster, before and after its tasks are placed. */
@RunWith(Parameterized.class)
public class EveryPolicyTest {
    private static final int ROUNDS = 300;

    /** The seeds for a policy whose search takes long. */
    private static final int FEW_ROUNDS = 21;

    /** The rounds of each seed by strategy, which most tests check. */
    private static final Map<String, List<AllocationDecision>> DECIDED = new HashMap<>();

    @Parameters(name = "{0}")
    public static List<String> names() {
        return Strategies.names();
    }

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    private final String name;
    private final Strategy strategy;

    public EveryPolicyTest(String name) {
        this.name = name;
        strategy = Strategies.named(name).bySeed().apply(1);
    }

    /** The decision of a policy that remembers no other rounds. */
    private AllocationDecision allocate(RandomRound round) {
        return allocate(round.cluster(), round.jobs());
    }

    private AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        return Strategies.named(name).bySeed().apply(1).policy().allocate(cluster, jobs);
    }

    /** The last third of the rounds has GPUs of several types. */
    private RandomRound round(long seed) {
        return seed < rounds() * 2 / 3 ? RandomRound.of(seed) : RandomRound.ofTypes(seed);
    }

    private int rounds() {
        return name.equals("pollux") ? FEW_ROUNDS : ROUNDS;
    }

    private PlacementDecision place(RandomRound round, AllocationDecision decision) {
        return strategy.placer().place(round.cluster(), round.jobs(), decision);
    }

    private void inRandomRounds(BiConsumer<RandomRound, AllocationDecision> check) {
        List<AllocationDecision> decided = DECIDED.computeIfAbsent(name, key -> LongStream.range(0, rounds())
                .mapToObj(seed -> allocate(round(seed)))
                .toList());
        for (int seed = 0; seed < rounds(); seed++) {
            try {
                check.accept(round(seed), decided.get(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    public void givesMinimumOrNothingAndNoMoreThanMaximum() {
        inRandomRounds((round, decision) -> {
            for (JobSnapshot job : round.jobs()) {
                Allocation given = decision.job(job.id()).allocation();
                assertThat(given.isNone() || job.minimum().isWithin(given))
                        .as("%s: minimum %s, given %s", job.id(), job.minimum(), given)
                        .isTrue();
                assertThat(given.isWithin(job.maximum()))
                        .as("%s: maximum %s, given %s", job.id(), job.maximum(), given)
                        .isTrue();
            }
        });
    }

    @Test
    public void givesNoMoreThanTheClusterHas() {
        inRandomRounds((round, decision) -> assertThat(
                        total(round.jobs(), decision).fitsIn(round.cluster().available()))
                .as("%s of %s", total(round.jobs(), decision), round.cluster())
                .isTrue());
    }

    /** The budget is smaller than the available resources of the nodes, and may be below what jobs hold. */
    @Test
    public void staysWithinABudgetExceptForTasksThatMayNotShrink() {
        inRandomRounds((round, ignored) -> {
            Resources budget = halved(round.cluster().available());
            ClusterSnapshot cluster = new ClusterSnapshot(round.cluster().nodes(), budget);
            AllocationDecision decision = allocate(cluster, round.jobs());
            Resources kept = round.jobs().stream()
                    .filter(job -> !job.mayShrink())
                    .map(job -> job.resources(job.current().allocation()))
                    .reduce(Resources.NONE, Resources::plus);
            assertThat(total(round.jobs(), decision).fitsIn(budget.max(kept)) || !kept.fitsIn(budget))
                    .as("%s within %s, of which %s may not shrink", total(round.jobs(), decision), budget, kept)
                    .isTrue();
        });
    }

    @Test
    public void takesNothingFromJobsThatMayNotShrink() {
        inRandomRounds((round, decision) -> {
            for (JobSnapshot job : round.jobs()) {
                Allocation given = decision.job(job.id()).allocation();
                assertThat(job.mayShrink() || job.current().allocation().isWithin(given))
                        .as("%s: held %s, given %s", job.id(), job.current().allocation(), given)
                        .isTrue();
            }
        });
    }

    /** It would stay small on an idle cluster for good. */
    @Test
    public void letsAJobThatMayNotShrinkGrow() {
        assumeFalse(
                "gives the size that was asked for",
                List.of("fifo", "srtf", "tiresias").contains(name));
        Jobs small = Jobs.allReduce("a")
                .on(Clusters.on(0, 0, 2))
                .mayNotShrink()
                .resizeCost(1)
                .workers(Jobs.WORKER, 1, 8)
                .history(new JobHistory(1000, 2000, 0, new Allocation(0, 2)));
        Placement held = small.snapshot().current();

        ClusterSnapshot cluster = Clusters.ofGpus(2, 4);
        List<JobSnapshot> jobs = Jobs.snapshots(small);
        AllocationDecision decision = allocate(cluster, jobs);
        PlacementDecision placement = strategy.placer().place(cluster, jobs, decision);
        Placement placed = placement.job("a").placement();

        assertThat(placed.allocation().workers()).isGreaterThan(2);
        held.byNode().forEach((node, tasks) -> assertThat(tasks.isWithin(placed.on(node)))
                .isTrue());
    }

    @Test
    public void decidesTheSameInAnyOrderOfJobsAndNodes() {
        inRandomRounds((round, decision) -> {
            Random random = new Random(round.jobs().size());
            List<JobSnapshot> jobs = new ArrayList<>(round.jobs());
            Collections.shuffle(jobs, random);
            List<NodeSnapshot> nodes = new ArrayList<>(round.cluster().nodes());
            Collections.shuffle(nodes, random);
            ClusterSnapshot cluster = new ClusterSnapshot(nodes, round.cluster().budget());
            assertThat(allocate(cluster, jobs)).isEqualTo(decision);
        });
    }

    @Test
    public void givesEveryJobAReason() {
        inRandomRounds((round, decision) -> {
            assertThat(decision.byJob()).hasSameSizeAs(round.jobs());
            decision.byJob().values().forEach(decided -> assertThat(
                            decided.reason().sentence())
                    .isNotBlank()
                    .doesNotContain("NaN", "Optional", "Infinity"));
        });
    }

    @Test
    public void decidesOnEmptyClustersAndQueues() {
        RandomRound round = RandomRound.of(8);
        ClusterSnapshot nothing = new ClusterSnapshot(List.of(), Resources.NONE);
        List<JobSnapshot> waiting = round.jobs().stream()
                .filter(job -> job.current().equals(Placement.NONE))
                .toList();

        assertThat(allocate(round.cluster(), List.of()).byJob()).isEmpty();
        assertThat(waiting).isNotEmpty();
        assertThat(allocate(nothing, waiting).byJob().values())
                .allMatch(decided -> decided.allocation().isNone());
    }

    @Test
    public void placesTheGivenTasksOrGivesAReason() {
        inRandomRounds((round, decision) -> {
            PlacementDecision placed = place(round, decision);
            for (JobSnapshot job : round.jobs()) {
                Allocation given = decision.job(job.id()).allocation();
                Allocation there = placed.job(job.id()).placement().allocation();
                PlacementReason reason = placed.job(job.id()).reason();
                assertThat(there.isWithin(given)).isTrue();
                assertThat(there.isNone() || job.minimum().isWithin(there)).isTrue();
                assertThat(there.equals(given)
                                || reason instanceof PlacementReason.Shrunk
                                || reason instanceof PlacementReason.Waits)
                        .as("%s: given %s, placed %s: %s", job.id(), given, there, reason)
                        .isTrue();
            }
        });
    }

    @Test
    public void fillsNoNodeBeyondItsAvailableResources() {
        inRandomRounds((round, decision) -> {
            Map<String, Resources> taken = new HashMap<>();
            PlacementDecision placed = place(round, decision);
            for (JobSnapshot job : round.jobs()) {
                placed.job(job.id())
                        .placement()
                        .byNode()
                        .forEach((node, tasks) -> taken.merge(node, job.resources(tasks), Resources::plus));
            }
            for (NodeSnapshot node : round.cluster().nodes()) {
                Resources here = taken.getOrDefault(node.id(), Resources.NONE);
                assertThat(here.fitsIn(node.available()))
                        .as("%s on %s", here, node)
                        .isTrue();
            }
        });
    }

    /** Otherwise jobs would be resized forever. */
    @Test
    public void reachesASteadyDecisionIfNothingElseChanges() {
        assumeFalse("A random search may find something better in any round", name.equals("pollux"));
        assumeFalse("Where all jobs weigh the same, who waits hangs by a hair", name.equals("pollux-exact"));
        inRandomRounds((round, ignored) -> {
            RandomRound now = round;
            for (int times = 0; times < 10; times++) {
                RandomRound next = carriedOut(now);
                if (next.equals(now)) {
                    return;
                }
                now = next;
            }
            assertThat(carriedOut(now).jobs()).isEqualTo(now.jobs());
        });
    }

    private RandomRound carriedOut(RandomRound round) {
        PlacementDecision placed = place(round, allocate(round));
        List<JobSnapshot> jobs = round.jobs().stream()
                .map(job -> new Jobs(job).on(placed.job(job.id()).placement()).snapshot())
                .toList();
        return new RandomRound(round.cluster(), jobs);
    }

    private static Resources total(List<JobSnapshot> jobs, AllocationDecision decision) {
        return jobs.stream()
                .map(job -> job.resources(decision.job(job.id()).allocation()))
                .reduce(Resources.NONE, Resources::plus);
    }

    private static Resources halved(Resources resources) {
        Map<String, Long> amounts = new HashMap<>();
        resources.amounts().forEach((name, amount) -> amounts.put(name, amount / 2));
        return Resources.of(amounts);
    }
}
