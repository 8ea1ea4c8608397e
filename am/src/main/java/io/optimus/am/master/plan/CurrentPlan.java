package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.RoleOnNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The plan that the job follows: its last directive, less the tasks that the scheduler preempted under it. Those are not
 * requested again before the next plan, which takes the preemption into account.
 *
 * <p>Example: plan 7 has 2 workers on node A, and YARN preempts one of them. The target is then 1 worker on A until plan
 * 8.
 */
final class CurrentPlan {
    private final Map<RoleOnNode, Integer> preempted = new TreeMap<>();
    private Directive directive = Directive.NONE;

    /**
     * Takes {@code next} unless its plan is not newer. Plans of a job that sizes itself have numbers of their own, which
     * are not compared with the scheduler's.
     *
     * @return whether it was taken
     */
    boolean take(Directive next) {
        boolean comparable = next.pinned() == directive.pinned();
        if (comparable && next.plan() <= directive.plan()) {
            return false;
        }
        directive = next;
        preempted.clear();
        return true;
    }

    /**
     * YARN preempted {@code task}. The next plan tells whether it is to be replaced. A job that sizes itself gets no other plan: it
     * asks YARN for another container at once.
     */
    void preempted(JobTask task) {
        if (directive.pinned()) {
            preempted.merge(directive.keyOf(task.container()), 1, Integer::sum);
        }
    }

    Directive directive() {
        return directive;
    }

    /** Number of tasks that the job may hold now by role and node, 0 or more. */
    SortedMap<RoleOnNode, Integer> target() {
        SortedMap<RoleOnNode, Integer> target = directive.tasks();
        preempted.forEach((key, count) -> target.computeIfPresent(key, (k, planned) -> Math.max(0, planned - count)));
        return target;
    }
}
