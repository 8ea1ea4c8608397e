package io.optimus.sim.engine;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.JobSnapshot.State;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.QueuedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Queues as a round saw them. What a queue may use changes only when a job ends; what is free for it on a node changes with the
 * tasks of jobs in other queues.
 */
final class GivenQueues implements PlannedQueues {
    private final QueueSource source;
    private final double beganSeconds;
    private final Map<String, QueuedJob> starts = new TreeMap<>();
    private Set<String> ended = Set.of();
    /** On their nodes, what jobs of any queue hold counts as available. */
    private List<QueueSnapshot> withoutTasks;

    /** Queues of a simulation that begins at {@code beganSeconds}. */
    GivenQueues(QueueSource source, double beganSeconds) {
        this.source = source;
        this.beganSeconds = beganSeconds;
        List<QueueSnapshot> queues = source.without(ended);
        queues.forEach(queue -> queue.jobs().forEach(job -> starts.put(job.job().id(), job)));
        this.withoutTasks = withoutTasks(queues);
    }

    @Override
    public List<QueueSnapshot> now(SimulationState state, Function<String, LearningMode> learning) {
        Set<String> gone = new HashSet<>(starts.keySet());
        state.active().forEach(job -> gone.remove(job.job().id()));
        if (!gone.equals(ended)) {
            ended = gone;
            withoutTasks = withoutTasks(source.without(ended));
        }
        List<QueueSnapshot> now = new ArrayList<>();
        for (QueueSnapshot queue : withoutTasks) {
            SimulatedSnapshots snapshots = SimulatedSnapshots.of(state, learning.apply(queue.queue()));
            now.add(queue.with(queue.jobs().stream()
                    .flatMap(job -> state.active(job.job().id()).stream())
                    .map(job -> queued(job, snapshots.queued(job, Resources.NONE), state.nowSeconds()))
                    .toList()));
        }
        return lessOthers(now, 1);
    }

    /** The job in its simulated state, with everything that does not change as it was at the beginning. */
    private QueuedJob queued(ActiveJob active, QueuedJob simulated, double nowSeconds) {
        QueuedJob start = Objects.requireNonNull(starts.get(active.job().id()));
        State state = simulated.job().state();
        JobSnapshot job = new JobSnapshot(
                start.job().identity(),
                start.job().demand(),
                start.job().requested(),
                new State(
                        state.current(),
                        state.trainsOn(),
                        mayShrink(active, start.job(), nowSeconds),
                        state.resizeCostSeconds(),
                        state.history()),
                simulated.job().belief());
        return new QueuedJob(
                job, start.user(), simulated.inForce(), simulated.underWay(), start.avoidedNodes(), start.gpuTypes());
    }

    /** A job that could not shrink at the beginning can later, unless its owner ruled it out or it has just started. */
    private boolean mayShrink(ActiveJob active, JobSnapshot start, double nowSeconds) {
        return start.mayShrink() || (nowSeconds > beganSeconds && active.mayShrink(nowSeconds));
    }

    private static List<QueueSnapshot> withoutTasks(List<QueueSnapshot> queues) {
        return lessOthers(queues, -1);
    }

    /** Subtracts from the nodes of each queue what jobs of the other queues hold there, {@code times} that much. */
    private static List<QueueSnapshot> lessOthers(List<QueueSnapshot> queues, int times) {
        if (queues.size() < 2) {
            return queues;
        }
        List<Map<String, Resources>> held =
                queues.stream().map(GivenQueues::heldByNode).toList();
        Map<String, Resources> all = new HashMap<>();
        held.forEach(ofQueue -> ofQueue.forEach((node, resources) -> all.merge(node, resources, Resources::plus)));
        List<QueueSnapshot> less = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            Map<String, Resources> own = held.get(i);
            Map<String, Resources> others = new HashMap<>();
            all.forEach((node, resources) -> others.put(
                    node,
                    resources.minus(own.getOrDefault(node, Resources.NONE)).times(times)));
            QueueSnapshot queue = queues.get(i);
            less.add(queue.within(queue.cluster().less(others)));
        }
        return less;
    }

    private static Map<String, Resources> heldByNode(QueueSnapshot queue) {
        Map<String, Resources> held = new HashMap<>();
        for (QueuedJob job : queue.jobs()) {
            job.job()
                    .current()
                    .byNode()
                    .forEach((node, tasks) -> held.merge(node, job.job().resources(tasks), Resources::plus));
        }
        return held;
    }
}
