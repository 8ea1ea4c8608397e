package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The tasks that jobs lost with nodes, for their reasons: until a job has as many tasks again as before, or for ten minutes.
 *
 * <p>Not thread-safe: the round owns it.
 */
final class LostTasks {
    private static final long KEPT_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private Map<ApplicationId, Placement> heldBefore = Map.of();
    private final Map<ApplicationId, Loss> losses = new HashMap<>();

    /** The last loss of a job, and what it held before. */
    private record Loss(SchedulerReason.NodeLost reason, Allocation before, long millis) {}

    /** Compares what jobs hold with what they held when this was last called, and the nodes of {@code inForce}. */
    void observe(ClusterView view, PublishedPlan inForce, long nowMillis) {
        Map<ApplicationId, ApplicationUsage> usages = view.usages();
        losses.keySet().retainAll(usages.keySet());
        Map<ApplicationId, Placement> held = new HashMap<>();
        usages.forEach((id, usage) -> {
            held.put(id, usage.live());
            Placement before = heldBefore.getOrDefault(id, Placement.NONE);
            Placement planned = inForce.of(id).map(part -> part.planned()).orElse(Placement.NONE);
            before.byNode().forEach((node, tasks) -> {
                boolean left = !view.free().containsKey(node)
                        && usage.live().on(node).isNone()
                        && !planned.on(node).isNone();
                if (left) {
                    losses.put(id, new Loss(new SchedulerReason.NodeLost(node, tasks), before.allocation(), nowMillis));
                }
            });
        });
        losses.entrySet().removeIf(entry -> {
            Placement live = held.getOrDefault(entry.getKey(), Placement.NONE);
            return entry.getValue().before().isWithin(live.allocation())
                    || nowMillis - entry.getValue().millis() > KEPT_MILLIS;
        });
        heldBefore = held;
    }

    /** What {@code job} lost and has not got back; empty if nothing. */
    Optional<SchedulerReason.NodeLost> of(ApplicationId job) {
        return Optional.ofNullable(losses.get(job)).map(Loss::reason);
    }
}
