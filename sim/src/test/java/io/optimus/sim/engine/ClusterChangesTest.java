package io.optimus.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.model.plan.Strategies;
import io.optimus.sim.engine.SimulatedJob.Pauses;
import io.optimus.sim.engine.SimulatedJob.Submission;
import io.optimus.sim.knowledge.RunOptions;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;

/** Clusters that change while jobs run: nodes come and go, others take room, queues have limits. */
public class ClusterChangesTest {
    private static final RunOptions EXACT = RunOptions.of(KnowledgeSource.EXACT, Batch.FIXED);

    private final RecordingListener listener = new RecordingListener();

    private static NodeSnapshot node(String id, int gpus, int free) {
        return new NodeSnapshot(id, Resources.of(0, 0, gpus), Resources.of(0, 0, free));
    }

    private static ClusterChange nodes(double seconds, NodeSnapshot... nodes) {
        return new ClusterChange(seconds, List.of(nodes), new TreeSet<>(), new TreeMap<>());
    }

    private static ClusterChange limits(double seconds, String queue, int gpus) {
        return new ClusterChange(
                seconds,
                List.of(),
                new TreeSet<>(),
                new TreeMap<>(Map.of(
                        queue,
                        new ClusterChange.QueueLimits(
                                Resources.of(0, 0, gpus), new TreeMap<String, Resources>(), 0, false))));
    }

    /** A job that trains at one step a second on each of 1 to 4 GPUs. */
    private static SimulatedJob in(String queue, String id, SchedulingTerms terms) {
        SimulatedJob any = AllReduceJobs.job(id, 0, 4, 400);
        return new SimulatedJob(
                id,
                any.model(),
                new Submission(0, queue, "ann", terms),
                any.demand(),
                new Allocation(0, 4),
                Pauses.UNKNOWN,
                any.script());
    }

    private void run(List<NodeSnapshot> nodes, List<ClusterChange> changes, SimulatedJob... jobs) {
        SimulationSetup setup =
                new SimulationSetup(nodes, GpuTypes.ALIKE, 10, false, ResizePause.of(0), Faults.NONE, changes);
        new Simulation(
                        new Workload("test", List.of(jobs)),
                        setup,
                        Strategies.named("optimus"),
                        EXACT,
                        1,
                        () -> 0,
                        listener)
                .run();
    }

    @Test
    public void shrinksJobsWhereOthersTakeRoom() {
        run(
                List.of(node("n", 4, 4)),
                List.of(nodes(45, node("n", 4, 2))),
                in(Submission.ONLY_QUEUE, "a", SchedulingTerms.DEFAULT));

        // 4 steps/s until the round at 50, then 2 steps/s.
        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(50 + 200 / 2.0);
    }

    @Test
    public void doesNotShrinkWhatItsOwnerDoesNotLetShrink() {
        SchedulingTerms fixed = new SchedulingTerms(0, false, 0, new TreeSet<>());

        run(
                List.of(node("n", 4, 4)),
                List.of(limits(0, Submission.ONLY_QUEUE, 4), nodes(45, node("n", 4, 2))),
                in(Submission.ONLY_QUEUE, "a", fixed));

        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(100);
    }

    @Test
    public void losesTheTasksOnANodeThatLeavesAndUsesOneThatComes() {
        ClusterChange leaves = new ClusterChange(45, List.of(), new TreeSet<>(List.of("n")), new TreeMap<>());

        run(
                List.of(node("n", 4, 4)),
                List.of(leaves, nodes(77, node("m", 4, 4))),
                in(Submission.ONLY_QUEUE, "a", SchedulingTerms.DEFAULT));

        // 180 steps until 45, no node until 77, and a round at once when there is one.
        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(77 + 220 / 4.0);
    }

    @Test
    public void keepsEachQueueWithinItsLimit() {
        run(
                List.of(node("n", 8, 8)),
                List.of(limits(0, "root.a", 1), limits(0, "root.b", 2)),
                in("root.a", "a", SchedulingTerms.DEFAULT),
                in("root.b", "b", SchedulingTerms.DEFAULT),
                in("root.c", "c", SchedulingTerms.DEFAULT));

        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(400);
        assertThat(listener.outcome("b").times().endSeconds()).isEqualTo(200);
        assertThat(listener.outcome("c").times().endSeconds()).isEqualTo(100);
    }

    @Test
    public void pausesAtTheStartForAsLongAsWasMeasured() {
        SimulatedJob job = in(Submission.ONLY_QUEUE, "a", SchedulingTerms.DEFAULT);
        SimulatedJob slow = new SimulatedJob(
                "a",
                job.model(),
                job.submission(),
                job.demand(),
                job.requested(),
                new Pauses(OptionalDouble.of(7), OptionalDouble.of(1)),
                job.script());
        SimulationSetup setup = new SimulationSetup(
                List.of(node("n", 4, 4)), 10, false, new ResizePause(3, 3, true, true), Faults.NONE);

        new Simulation(
                        new Workload("test", List.of(slow)),
                        setup,
                        Strategies.named("optimus"),
                        EXACT,
                        1,
                        () -> 0,
                        listener)
                .run();

        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(107);
    }
}
