package io.optimus.am.membership;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The memberships of a job, one after the other, and where the parameters are between two of them.
 *
 * <p>The servers of the current membership hold the parameters in memory from the end of its last step until the next
 * membership begins to step: {@link #held}. Whoever joins has copies only until then.
 */
final class Succession {
    private final boolean synchronous;
    private MembershipNumber number;
    private Membership current;
    private Membership next;
    private final SortedSet<TaskId> former = new TreeSet<>();

    private boolean held;
    private long step;
    private boolean workersInStep;
    private boolean uneven;

    Succession(TrainingMode mode, int attempt) {
        this.synchronous = mode == TrainingMode.SYNCHRONOUS;
        this.current = Membership.none(attempt);
        this.next = current;
        this.number = current.number();
    }

    boolean synchronous() {
        return synchronous;
    }

    /** The highest number so far, of a membership or a fence. */
    MembershipNumber number() {
        return number;
    }

    MembershipNumber advance() {
        number = number.next();
        return number;
    }

    /** What steps, or stepped last. */
    Membership current() {
        return current;
    }

    /** What shall step; the current one when that does. */
    Membership next() {
        return next;
    }

    boolean has(TaskId task) {
        return current.has(task) || next.has(task);
    }

    boolean serves(TaskId task) {
        return current.servers().containsKey(task);
    }

    /** Whether the current servers have the parameters, as of {@link #step}. */
    boolean held() {
        return held;
    }

    boolean holds(TaskId task) {
        return held && serves(task);
    }

    long step() {
        return step;
    }

    /** Whether current workers' parameters are as the servers' are. */
    boolean workersInStep() {
        return workersInStep;
    }

    /** Workers stop before {@code atStep}. */
    void stopsAt(long atStep) {
        step = atStep;
    }

    /** No step is in flight. */
    void hold(boolean workersToo) {
        held = true;
        workersInStep = workersToo;
        uneven = false;
    }

    /** No step is in flight, but some servers have applied one more than others. */
    void holdUnevenly() {
        hold(false);
        uneven = true;
    }

    /** Whether what the servers hold together is the state before one step. */
    boolean canBeSaved() {
        return held && !uneven;
    }

    /** Workers may have seen parameters that servers take back. */
    void distrustWorkers() {
        workersInStep = false;
    }

    /** Some parameters are on no server any more. */
    void lose() {
        held = false;
    }

    /** Parameters come from a checkpoint. */
    void restore(SavedCheckpoint saved) {
        step = saved.step();
        workersInStep = false;
    }

    void prepare(Membership successor) {
        next = successor;
        former.addAll(current.members());
    }

    /** The next membership begins to step. */
    void takeOver() {
        current = next;
        held = false;
    }

    /** The next membership's servers have the parameters, but only {@code workers} of its workers are left. */
    void takeOverWithout(Collection<TaskId> lost) {
        List<TaskId> workers =
                next.workers().stream().filter(worker -> !lost.contains(worker)).toList();
        current = new Membership(next.number(), workers, next.servers());
        hold(false);
    }

    /** There will be no next membership for now. */
    void pause() {
        next = current;
    }

    /** Nobody is a member, nothing is held; who was. */
    SortedSet<TaskId> dissolve() {
        SortedSet<TaskId> members = current.members();
        current = new Membership(current.number(), List.of(), new TreeMap<>());
        next = current;
        held = false;
        return members;
    }

    /** Members of earlier memberships that are neither members nor {@code wanted}; named once. */
    SortedSet<TaskId> dismiss(Set<TaskId> wanted) {
        SortedSet<TaskId> dismissed = new TreeSet<>(former);
        dismissed.removeIf(task -> current.has(task) || wanted.contains(task));
        former.clear();
        return dismissed;
    }

    /** Asynchronous workers that stay need not stop while others come and go. */
    boolean onlyWorkersChange(Collection<TaskId> members) {
        return !synchronous
                && Membership.ofRole(members, Role.PARAMETER_SERVER)
                        .equals(current.servers().keySet());
    }
}
