package io.optimus.am.master;

import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.journal.ResizeRecord.ResizeReason;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.Test;

public class ResizeTrackerTest {
    private static final Allocation ONE = new Allocation(1, 1);
    private static final Allocation TWO = new Allocation(1, 2);

    private final ResizeTracker tracker = new ResizeTracker();

    @Test
    public void aResizeBelongsToThePlanUnderWhichItWasAskedFor() {
        request(plan(7, ONE, "starts"));
        follow(plan(8, TWO, "grows"));

        assertThat(record(Cause.STARTED))
                .isEqualTo(new ResizeRecord(
                        5_000, Allocation.NONE, ONE, 40, 3, new ResizeReason(true, 7, false, "starts")));
    }

    @Test
    public void itsReasonIsThatOfTheFirstPlanWithItsAllocation() {
        follow(plan(7, ONE, "grows"));
        request(plan(8, ONE, "stays"));

        ResizeRecord resize = record(Cause.PLANNED);

        assertThat(resize.reason().plan()).isEqualTo(8);
        assertThat(resize.reason().text()).isEqualTo("grows");
    }

    @Test
    public void anAllocationThatIsPlannedAgainHasItsLaterReason() {
        follow(plan(7, ONE, "grows"));
        follow(plan(8, TWO, "grows more"));
        request(plan(9, ONE, "shrinks"));

        assertThat(record(Cause.PLANNED).reason().text()).isEqualTo("shrinks");
    }

    @Test
    public void aLostTasksResizeBelongsToNoPlan() {
        request(exploring(plan(7, ONE, "tries")));

        ResizeRecord resize = record(Cause.WORKER_LOST);

        assertThat(resize.reason().planned()).isFalse();
        assertThat(resize.reason().plan()).isZero();
        assertThat(resize.reason().text()).isEqualTo("a worker was lost");
        assertThat(resize.reason().exploring()).isFalse();
        assertThat(record(Cause.SERVER_LOST).reason().text()).isEqualTo("a parameter server was lost");
    }

    @Test
    public void aResizeToAnExploredAllocationIsExploring() {
        request(exploring(plan(7, ONE, "tries")));

        assertThat(record(Cause.PLANNED).reason().exploring()).isTrue();
    }

    @Test
    public void aJobThatSizesItselfHasAReasonAndNoPlan() {
        request(Directive.onAnyNode(4, ONE, "fixed size"));

        ResizeRecord resize = record(Cause.STARTED);

        assertThat(resize.reason().planned()).isTrue();
        assertThat(resize.reason().plan()).isZero();
        assertThat(resize.reason().text()).isEqualTo("fixed size");
    }

    @Test
    public void joiningAndLeavingTasksNeedNotRun() {
        request(tasks(server(0), worker(0), worker(1)));
        request(tasks(server(0), worker(1), worker(2)));

        assertThat(restarted(tasks(server(0), worker(1)))).isZero();
    }

    @Test
    public void aKeptTaskThatDoesNotRunWasRestarted() {
        request(tasks(server(0), worker(0), worker(1)));
        request(tasks(server(0), worker(0), worker(1), worker(2)));

        assertThat(restarted(tasks(worker(0), worker(2)))).isEqualTo(2);
    }

    @Test
    public void aLostTaskWasNotRestarted() {
        request(tasks(server(0), worker(0), worker(1)));
        request(tasks(server(0), worker(0), worker(1), worker(2)));

        tracker.lost(worker(0));

        assertThat(restarted(tasks(server(0), worker(1), worker(2)))).isZero();
    }

    @Test
    public void eachTaskIsCountedForOneResizeOnly() {
        request(tasks(server(0), worker(0)));
        request(tasks(server(0), worker(0), worker(1)));

        assertThat(restarted(tasks(server(0)))).isEqualTo(1);
        assertThat(restarted(tasks(server(0))))
                .as("a resize that was not requested")
                .isEqualTo(1);
    }

    @Test
    public void ofSeveralRequestsBeforeAResizeTheLastCounts() {
        request(tasks(server(0), worker(0)));
        request(tasks(server(0), worker(1)));
        request(tasks(server(0), worker(1), worker(2)));

        assertThat(restarted(tasks(server(0)))).isEqualTo(1);
    }

    private void follow(Directive directive) {
        tracker.following(directive);
    }

    private void request(Directive directive) {
        follow(directive);
        tracker.requested(new TreeSet<>(), directive);
    }

    private ResizeRecord record(Cause cause) {
        return tracker.resized(new Resize(Allocation.NONE, ONE, 40, 3, cause), 5_000, task -> true);
    }

    private static Directive plan(long number, Allocation size, String reason) {
        return PlanFollowerFixture.plan(number, size, Allocation.NONE).withReason(reason);
    }

    private static Directive exploring(Directive of) {
        return new Directive(of.plan(), of.target(), of.planned(), of.reason(), true, of.graceMillis(), of.remaining());
    }

    private void request(SortedSet<TaskId> members) {
        tracker.requested(members, Directive.NONE);
    }

    /** A resize is done; returns how many tasks all resizes have restarted. */
    private int restarted(Set<TaskId> running) {
        tracker.resized(new Resize(Allocation.NONE, ONE, 40, 3, Cause.PLANNED), 5_000, running::contains);
        return tracker.restartedTasks();
    }
}
