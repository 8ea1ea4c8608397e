package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that jobs lost with nodes, for their reasons: until a job has as many tasks again as before, or for ten minutes.
 *
 * <p>Not thread-safe: the round owns it.
 */
final class LostTasks {
    private static final long KEPT_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final Map<ApplicationId, Loss> losses = new HashMap<>();
    private Optional<ClusterView> before = Optional.empty();
    /** Nodes that take no tasks any more, such as decommissioning ones, while some still run there. */
    private final Set<String> leaving = new HashSet<>();

    /** The last loss of a job, and what it held before. */
    private record Loss(SchedulerReason.NodeLost reason, Allocation before, long millis) {}

    /**
     * Compares the nodes with those of the last call. Nearly always they are the same, and then no job is looked at: there may be
     * thousands.
     *
     * @param inForce tells which nodes a job was to use: tasks that the plan moved away are not lost
     */
    void observe(ClusterView view, PublishedPlan inForce, long nowMillis) {
        before.ifPresent(last -> compare(last, view, inForce, nowMillis));
        before = Optional.of(view);
        if (!losses.isEmpty()) {
            Map<ApplicationId, ApplicationUsage> usages = view.usages();
            losses.entrySet().removeIf(entry -> isOver(entry.getValue(), usages.get(entry.getKey()), nowMillis));
        }
    }

    private void compare(ClusterView last, ClusterView view, PublishedPlan inForce, long nowMillis) {
        if (!sameNodes(last, view)) {
            leaving.addAll(last.free().keySet());
            leaving.removeAll(view.free().keySet());
        }
        if (!leaving.isEmpty()) {
            note(last, view, inForce, nowMillis);
            Set<String> used = new HashSet<>();
            view.usages()
                    .values()
                    .forEach(usage -> used.addAll(usage.live().byNode().keySet()));
            leaving.retainAll(used);
        }
    }

    private static boolean sameNodes(ClusterView last, ClusterView view) {
        return last.free().size() == view.free().size()
                && List.copyOf(last.free().keySet())
                        .equals(List.copyOf(view.free().keySet()));
    }

    private void note(ClusterView last, ClusterView view, PublishedPlan inForce, long nowMillis) {
        Map<ApplicationId, ApplicationUsage> usages = view.usages();
        last.usages().forEach((id, usage) -> {
            ApplicationUsage now = usages.get(id);
            Placement live = now == null ? usage.live() : now.live();
            Placement planned = inForce.of(id).map(JobPlan::planned).orElse(Placement.NONE);
            usage.live().byNode().forEach((node, tasks) -> {
                boolean left = leaving.contains(node)
                        && live.on(node).isNone()
                        && !planned.on(node).isNone();
                if (left) {
                    losses.put(
                            id,
                            new Loss(
                                    new SchedulerReason.NodeLost(node, tasks),
                                    usage.live().allocation(),
                                    nowMillis));
                }
            });
        });
    }

    private static boolean isOver(Loss loss, @Nullable ApplicationUsage usage, long nowMillis) {
        return usage == null
                || loss.before().isWithin(usage.live().allocation())
                || nowMillis - loss.millis() > KEPT_MILLIS;
    }

    /** What {@code job} lost and has not got back; empty if nothing. */
    Optional<SchedulerReason.NodeLost> of(ApplicationId job) {
        return Optional.ofNullable(losses.get(job)).map(Loss::reason);
    }
}
