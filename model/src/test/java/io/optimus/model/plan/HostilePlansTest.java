package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.HostileRound;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Every policy plans any queue within its limits, and makes the same plan again from the same snapshot. */
@RunWith(Parameterized.class)
@Category(Slow.class)
public class HostilePlansTest {
    private static final int ROUNDS = Integer.getInteger("optimus.hostileRounds", 200);

    /** The number of rounds for a policy whose search takes long; it is smaller than that of the others. */
    private static final int PART_OF_A_SEARCH = 25;

    private static final GpuTypes GPU_TYPES = new GpuTypes(new TreeMap<>(Map.of("a100", 2.5)));

    @Parameters(name = "{0}")
    public static List<String> names() {
        return Strategies.names();
    }

    @Rule
    public final Timeout timeout = Timeout.seconds(60 + ROUNDS / 10);

    private final String name;

    public HostilePlansTest(String name) {
        this.name = name;
    }

    private SortedMap<String, Proposal> plan(QueueSnapshot queue) {
        return new Planner(path -> Strategies.named(name).bySeed().apply(1), GPU_TYPES).plan(List.of(queue));
    }

    @Test
    public void plansEveryQueueWithinItsLimits() {
        int rounds = name.equals("pollux") ? ROUNDS / PART_OF_A_SEARCH : ROUNDS;
        List<String> faults = LongStream.range(0, rounds)
                .boxed()
                .flatMap(seed -> fault(seed).stream())
                .toList();
        assertThat(faults).as(name).isEmpty();
    }

    private Optional<String> fault(long seed) {
        try {
            QueueSnapshot queue = HostileRound.of(seed);
            SortedMap<String, Proposal> plan = plan(queue);
            assertThat(plan).hasSameSizeAs(queue.jobs());
            givesMinimumToMaximum(queue, plan);
            overfillsNothing(queue, plan);
            assertThat(placements(plan(shuffled(queue, seed)))).isEqualTo(placements(plan));
            plan.values().forEach(proposal -> assertThat(proposal.reason()).doesNotContain("NaN", "Infinity"));
            return Optional.empty();
        } catch (AssertionError | RuntimeException fault) {
            return Optional.of("seed " + seed + ": " + fault + " at " + fault.getStackTrace()[0]);
        }
    }

    private static Map<String, Placement> placements(SortedMap<String, Proposal> plan) {
        Map<String, Placement> placements = new TreeMap<>();
        plan.forEach((id, proposal) -> placements.put(id, proposal.planned()));
        return placements;
    }

    private static void givesMinimumToMaximum(QueueSnapshot queue, SortedMap<String, Proposal> plan) {
        for (JobSnapshot job : queue.snapshots()) {
            Allocation size = planned(plan, job).allocation();
            boolean keeps = !job.mayShrink() && size.isWithin(job.current().allocation());
            assertThat(size.isNone() || keeps || (job.minimum().isWithin(size) && size.isWithin(job.maximum())))
                    .as(
                            "%s: %s to %s, held %s, planned %s",
                            job.id(), job.minimum(), job.maximum(), job.current(), size)
                    .isTrue();
        }
    }

    private static Placement planned(SortedMap<String, Proposal> plan, JobSnapshot job) {
        return Optional.ofNullable(plan.get(job.id()))
                .map(Proposal::planned)
                .orElseThrow(() -> new AssertionError(job.id() + " was left out"));
    }

    /** Jobs that may not shrink are excepted on the nodes where their tasks run, or where the last plan put them. */
    private static void overfillsNothing(QueueSnapshot queue, SortedMap<String, Proposal> plan) {
        Map<String, Resources> taken = new HashMap<>();
        Map<String, Resources> kept = new HashMap<>();
        Resources keptInAll = Resources.NONE;
        for (QueuedJob queued : queue.jobs()) {
            JobSnapshot job = queued.job();
            Placement planned = planned(plan, job);
            planned.byNode().forEach((node, tasks) -> {
                taken.merge(node, job.resources(tasks), Resources::plus);
                if (!job.mayShrink()) {
                    Allocation there = job.current()
                            .on(node)
                            .max(queued.inForce().planned().on(node));
                    kept.merge(node, job.resources(tasks.min(there)), Resources::plus);
                }
            });
            Allocation held =
                    job.current().allocation().max(queued.inForce().planned().allocation());
            Allocation keeps =
                    job.mayShrink() ? Allocation.NONE : planned.allocation().min(held);
            keptInAll = keptInAll.plus(job.resources(keeps));
        }
        Map<String, Resources> room = new HashMap<>();
        queue.cluster().nodes().forEach(node -> room.put(node.id(), node.available()));
        taken.forEach((node, amount) ->
                fits(node, amount, kept.getOrDefault(node, Resources.NONE), room.getOrDefault(node, Resources.NONE)));
        Resources all = taken.values().stream().reduce(Resources.NONE, Resources::plus);
        fits("budget", all, keptInAll, queue.cluster().budget());
    }

    private static void fits(String what, Resources taken, Resources kept, Resources room) {
        assertThat(taken.minus(kept).fitsIn(room.minus(kept).max(Resources.NONE)))
                .as("%s: %s taken of %s, of which %s may not shrink", what, taken, room, kept)
                .isTrue();
    }

    private static QueueSnapshot shuffled(QueueSnapshot queue, long seed) {
        Random random = new Random(seed);
        List<NodeSnapshot> nodes = new ArrayList<>(queue.cluster().nodes());
        Collections.shuffle(nodes, random);
        List<QueuedJob> jobs = new ArrayList<>(queue.jobs());
        Collections.shuffle(jobs, random);
        return new QueueSnapshot(
                queue.queue(), new ClusterSnapshot(nodes, queue.cluster().budget()), queue.userLimits(), jobs);
    }
}
