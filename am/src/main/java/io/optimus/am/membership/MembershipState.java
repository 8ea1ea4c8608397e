package io.optimus.am.membership;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A state of a {@link MembershipMachine}, with the data that it needs. A state is made for one visit, and passes on what
 * the next state needs. It ignores events whose methods it does not override.
 */
abstract class MembershipState {
    protected final MembershipMachine machine;
    protected final MembershipContext context;
    protected final MembershipTarget target;
    private long sinceNanos;
    private final SortedSet<TaskId> awaited = new TreeSet<>();
    private Membership current;
    /** Whether the store has failed at what the state waits for. */
    private boolean storeFails;

    /**
     * Makes a state; {@link MembershipMachine#enter} begins it.
     *
     * @param current the membership that steps, or that stepped last
     */
    MembershipState(MembershipMachine machine, Membership current) {
        this.machine = machine;
        this.context = machine.context();
        this.target = machine.target();
        this.current = current;
        this.sinceNanos = context.nanos();
    }

    abstract StateName name();

    /** Sends what the state begins with. The machine is in this state already. */
    abstract void begin();

    /** A task is lost. The target does not contain it any more, and this state does not wait for it any more. */
    abstract void lost(TaskId task, boolean wasAwaited);

    /** The target, the ready tasks or the end of training changed. */
    void changed() {}

    void received(TaskId task, FromTask message) {}

    /** A task could not do what it was told for membership {@code of}. Returns whether to give up {@code because}. */
    boolean notDone(TaskId task, MembershipNumber of, TaskId because) {
        return false;
    }

    /** A worker's step of membership {@code of} failed. Returns whether to give up the worker. */
    boolean interrupted(TaskId worker, MembershipNumber of) {
        return false;
    }

    /** Whether the job steps, and the next step has been {@code step} for longer than {@code nanos}. */
    boolean makesNoProgress(long step, long nanos) {
        return false;
    }

    /** Begins a membership of the same members. */
    void renew() {}

    /** Begins the step in flight anew, where there is one. */
    void restartStep() {}

    /** The initial parameters, or the parameters before {@code step}, are in a checkpoint. */
    void saved(long step) {}

    /** Whether the job cannot go on without this checkpoint. */
    boolean savesNow(CheckpointKey key) {
        return false;
    }

    /** Orders the awaited checkpoint again. Returns false if that has been done often enough. */
    boolean saveAgain() {
        return false;
    }

    /** Whether servers load the checkpoint of this name. */
    boolean loads(String checkpoint) {
        return false;
    }

    /** Does again what the store has failed at. */
    void repeat() {}

    /** The state waits until {@link #tryAgain}. No task is at fault that cannot do its part meanwhile. */
    final void storeFailed() {
        storeFails = true;
    }

    final boolean storeFails() {
        return storeFails;
    }

    /** The store may work again. */
    final void tryAgain() {
        if (storeFails) {
            storeFails = false;
            sinceNanos = context.nanos();
            repeat();
        }
    }

    /** Whether {@code task} trains in this state or soon will. */
    boolean isMember(TaskId task) {
        return current.has(task);
    }

    /** Whether the figures count that the program of {@code worker} reports. */
    boolean reports(TaskId worker) {
        return !current.workers().isEmpty() && current.workers().get(0).equals(worker);
    }

    /** Whether {@code task} may be told to end at once when it is released. */
    boolean canDoWithout(TaskId task) {
        return !isMember(task);
    }

    final Membership current() {
        return current;
    }

    final void setCurrent(Membership membership) {
        current = membership;
    }

    final long sinceNanos() {
        return sinceNanos;
    }

    // The tasks that the state waits for ------------------------------------------------------------------------------

    final void await(Collection<TaskId> tasks) {
        awaited.addAll(tasks);
    }

    /** The task answered. Returns whether the state waited for it, and waits for no other. */
    final boolean wasLastAwaited(TaskId task) {
        return awaited.remove(task) && awaited.isEmpty();
    }

    final boolean stopAwaiting(TaskId task) {
        return awaited.remove(task);
    }

    final boolean awaitsNone() {
        return awaited.isEmpty();
    }

    /** The awaited tasks, if the state has lasted longer than {@code nanos}. */
    final Set<TaskId> lateAfter(long nanos) {
        return !storeFails && context.nanos() - sinceNanos > nanos ? Set.copyOf(awaited) : Set.of();
    }

    // Transitions that several states share ---------------------------------------------------------------------------

    /** Begins the next membership. All {@code members} are ready. */
    final void place(Set<TaskId> members, @Nullable HeldParameters held, Pause pause) {
        HeldParameters left = left(held);
        machine.enter(new PlacingState(machine, current, machine.holders().members(members, left), left, pause));
    }

    private @Nullable HeldParameters left(@Nullable HeldParameters held) {
        return held == null ? null : machine.holders().left(held, current, target.ready());
    }

    /** Begins the next membership with the target or the members that are left, or waits if they are too few. */
    final void placeRemaining(@Nullable HeldParameters held, Pause pause) {
        SortedSet<TaskId> left = current.members();
        left.retainAll(target.ready());
        if (target.isReady()) {
            place(target.wanted(), held, pause);
        } else if (target.isEnough(left)) {
            place(left, held, pause);
        } else {
            machine.fence(Membership.servers(left));
            waitForTasks(left(held));
        }
    }

    final void waitForTasks(@Nullable HeldParameters held) {
        machine.enter(new WaitingState(machine, current, held));
        machine.changed();
    }

    /** Gives up the step in flight, because a member is lost or the step failed. */
    final void abortStep(Pause pause) {
        context.stepping(false);
        if (machine.synchronous() || pause.cause() == Cause.SERVER_LOST) {
            machine.enter(new FencingState(machine, current, pause));
        } else {
            placeRemaining(HeldParameters.before(context.knownStep(), current.workers()), pause);
        }
    }

    final void leave(String reason) {
        machine.enter(new LeavingState(machine, this, reason));
    }
}
