package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.RoleOnNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the job may hold: the seats of the plan that it follows, less those that the scheduler took back under it. These
 * are not asked for again before the next plan, which knows why.
 *
 * <p>Example: plan 7 has 2 workers on node A, and YARN preempts one of them. From then on there is one seat on A, until
 * plan 8 says how many there are.
 *
 * <p>Belongs to the owner thread.
 */
final class CurrentPlan {
    private final Map<RoleOnNode, Integer> forgone = new TreeMap<>();
    private Directive directive = Directive.NONE;

    /**
     * Takes up {@code next}, unless it is of an older plan; one of the same plan brings news of its prediction only. A
     * job that sizes itself numbers its own plans, beside those of the scheduler.
     *
     * @return whether it was taken up
     */
    boolean takeUp(Directive next) {
        boolean sameKind = next.pinned() == directive.pinned();
        if (sameKind && next.plan() <= directive.plan()) {
            return false;
        }
        directive = next;
        forgone.clear();
        return true;
    }

    /** The scheduler took {@code task} back. */
    void forgo(JobTask task) {
        forgone.merge(JobTasks.seat(directive, task), 1, Integer::sum);
    }

    /** What is followed. */
    Directive directive() {
        return directive;
    }

    /** How many tasks each seat of the plan may have now, 0 or more. */
    SortedMap<RoleOnNode, Integer> seats() {
        SortedMap<RoleOnNode, Integer> seats = new TreeMap<>(directive.seats());
        forgone.forEach((seat, count) -> seats.computeIfPresent(seat, (s, planned) -> Math.max(0, planned - count)));
        return seats;
    }
}
