package io.optimus.am.master;

import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.journal.ResizeRecord.ResizeReason;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.TaskId;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds the directive and reason of each resize, and checks that no resize restarts a task.
 *
 * <p>A resize belongs to the directive under which the coordinator was asked for it, unless a lost task caused it. Its
 * reason comes from the first of consecutive directives that plan the same allocation: later ones only say why the job
 * stays there. Example: plan 7 plans 1 ps + 2 workers because of a gain, plan 8 the same because nothing else is better,
 * and the coordinator is asked under plan 8. The resize belongs to plan 8, and its reason is the gain.
 *
 * <p>A task that is a member before and after a resize must be the same process in the same container. Example: the
 * coordinator was asked for workers 0 and 1, then for workers 1 and 2. If worker 1 was stopped before the resize is
 * done, one task was restarted. Ids are never used again. Tasks that were lost do not count.
 *
 * <p>Belongs to the owner thread.
 */
final class ResizeTracker {
    private Directive planner = Directive.NONE;
    private Directive requester = Directive.NONE;
    private SortedSet<TaskId> requested = new TreeSet<>();
    private SortedSet<TaskId> kept = new TreeSet<>();
    private int restartedTasks;

    /** The job follows {@code directive}. */
    void following(Directive directive) {
        if (!directive.planned().equals(planner.planned())) {
            planner = directive;
        }
    }

    /** The coordinator was asked for {@code members} under {@code directive}. */
    void requested(SortedSet<TaskId> members, Directive directive) {
        requester = directive.withReason(planner.reason());
        kept = new TreeSet<>(members);
        kept.retainAll(requested);
        requested = new TreeSet<>(members);
    }

    /**
     * A resize is done.
     *
     * @param nowMillis when the new membership began to step, Unix time
     * @param keeps whether the container of a task was kept
     */
    ResizeRecord resized(Resize resize, long nowMillis, Predicate<TaskId> keeps) {
        restartedTasks += (int) kept.stream().filter(keeps.negate()).count();
        kept = new TreeSet<>();
        return new ResizeRecord(
                nowMillis, resize.from(), resize.to(), resize.pauseMillis(), resize.step(), reason(resize.cause()));
    }

    /** A task ended by itself, or its node did. */
    void lost(TaskId task) {
        kept.remove(task);
    }

    /** Number of tasks that resizes restarted although they should have kept them. */
    int restartedTasks() {
        return restartedTasks;
    }

    private ResizeReason reason(Cause cause) {
        return switch (cause) {
            case STARTED, PLANNED, RENEWED -> new ResizeReason(
                    true, requester.schedulerPlan(), requester.exploring(), requester.reason());
            case TAKEN_OVER -> new ResizeReason(false, 0, false, "the ApplicationMaster was started again");
            case WORKER_LOST -> new ResizeReason(false, 0, false, "a worker was lost");
            case SERVER_LOST -> new ResizeReason(false, 0, false, "a parameter server was lost");
        };
    }
}
