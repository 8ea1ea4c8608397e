package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what refreshes see between two rounds and what the next round should not wait for: room that jobs could use, and ordinary
 * applications that wait for what training holds beyond its budget.
 *
 * <p>Remembers what was seen before. Not thread-safe: the round owns it.
 */
final class RefreshTriggers {
    private final Set<String> queuesOverBudget = new HashSet<>();
    private Resources freeInRound = Resources.NONE;
    private Optional<ClusterView> seen = Optional.empty();

    /** A round takes {@code view} into account. */
    void inRound(ClusterView view) {
        freeInRound = free(view);
        seen = Optional.of(view);
    }

    /** The triggers that a refresh sees in {@code view} and that none before it saw; may be added to. */
    Set<RoundTrigger> inRefresh(ClusterView view, List<JobView> jobs, PublishedPlan plan) {
        Set<RoundTrigger> triggers = ordinaryDemand(view);
        if (hasNewRoom(view, jobs, plan)) {
            triggers.add(RoundTrigger.ROOM);
        }
        return triggers;
    }

    /** Whether more is free than in the last round and a job could have more tasks. */
    @SuppressWarnings("ReferenceEquality") // If nothing changed, the very same view is read again.
    private boolean hasNewRoom(ClusterView view, List<JobView> jobs, PublishedPlan plan) {
        if (seen.filter(before -> before == view).isPresent()) {
            return false;
        }
        seen = Optional.of(view);
        Resources free = free(view);
        if (free.fitsIn(freeInRound)) {
            return false;
        }
        freeInRound = freeInRound.max(free);
        return jobs.stream()
                .filter(job -> job.state() != JobView.State.FINISHED)
                .anyMatch(job -> !job.registration()
                        .demand()
                        .maximum()
                        .isWithin(plan.of(job.id())
                                .map(part -> part.planned().allocation())
                                .orElse(Allocation.NONE)));
    }

    private static Resources free(ClusterView view) {
        Resources sum = Resources.NONE;
        for (Resources room : view.free().values()) {
            sum = sum.plus(room.max(Resources.NONE));
        }
        return sum;
    }

    private Set<RoundTrigger> ordinaryDemand(ClusterView view) {
        Set<RoundTrigger> triggers = EnumSet.noneOf(RoundTrigger.class);
        Set<String> names = new HashSet<>();
        for (QueueView queue : view.queues()) {
            String name = queue.queue() + " " + queue.partition();
            names.add(name);
            Optional<RoundTrigger> demand = RoundTrigger.of(queue);
            if (demand.isEmpty()) {
                queuesOverBudget.remove(name);
            } else if (queuesOverBudget.add(name)) {
                triggers.add(demand.get());
            }
        }
        queuesOverBudget.retainAll(names);
        return triggers;
    }
}
