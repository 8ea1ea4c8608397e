package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.function.LongSupplier;

/** One container of the job and the process in it. */
final class JobTask {
    /** Phases follow in this order and may be skipped. Only {@link #keep} goes back, from LEAVING to READY. */
    enum Phase {
        /** The container is allocated, its process has not connected yet. */
        STARTING,
        /** The process could be a member, or is one. */
        READY,
        /** The plan does not want the task: it hands over what it holds, then its container is released. */
        LEAVING,
        /** The coordinator lost the task. Its container's exit, which tells why, is awaited. */
        SILENT,
        /** The container was given back; YARN has not confirmed its end yet. */
        RELEASED
    }

    private final TaskId id;
    private final int number;
    private final TaskContainer container;
    private final LongSupplier clock;
    private Phase phase = Phase.STARTING;
    private long sinceMillis;
    private boolean requestedAsMember;
    private long askedToLeaveMillis;
    private boolean surplus;
    private boolean wasReady;
    private boolean replaced;
    private String lossReason = "";

    JobTask(TaskId id, int number, TaskContainer container, LongSupplier clock) {
        this.id = id;
        this.number = number;
        this.container = container;
        this.clock = clock;
        this.sinceMillis = clock.getAsLong();
    }

    /** The task's name, which is unique within the job and never used again. */
    TaskId id() {
        return id;
    }

    /** The task's number, which rises with every task of the attempt. */
    int number() {
        return number;
    }

    TaskContainer container() {
        return container;
    }

    Role role() {
        return container.role();
    }

    Phase phase() {
        return phase;
    }

    /** Whether its phase has lasted longer than {@code limit}. */
    boolean isOlderThan(Duration limit) {
        return clock.getAsLong() - sinceMillis > limit.toMillis();
    }

    /** Whether the task counts towards the plan. */
    boolean stays() {
        return phase == Phase.STARTING || phase == Phase.READY;
    }

    /** Whether a plan did not want it any more. Its end is no failure then, whatever the cause. */
    boolean isSurplus() {
        return surplus;
    }

    /** Whether its process had connected and could be a member. */
    boolean wasReady() {
        return wasReady;
    }

    /** Its process had reached an earlier attempt. */
    void wasReadyBefore() {
        wasReady = true;
    }

    /** Whether the last membership that the coordinator was asked for has this task. */
    boolean isRequestedAsMember() {
        return requestedAsMember;
    }

    /** The coordinator was asked for a membership with this task, or without it. */
    void requestAsMember(boolean member) {
        if (requestedAsMember && !member) {
            askedToLeaveMillis = clock.getAsLong();
        }
        requestedAsMember = member;
    }

    /** Whether the plan does not want it and the coordinator knows. */
    boolean wasAskedToLeave() {
        return phase == Phase.LEAVING && !requestedAsMember;
    }

    /** When the coordinator was asked for a membership without this task, by the job's clock. */
    long askedToLeaveMillis() {
        return askedToLeaveMillis;
    }

    /** Why the coordinator lost it; empty unless it did. */
    String lossReason() {
        return lossReason;
    }

    void fallSilent(String why) {
        requestedAsMember = false;
        lossReason = why;
        enter(Phase.SILENT);
    }

    /** Another task takes its place: it leaves in any case. */
    void replace() {
        replaced = true;
        enter(Phase.LEAVING);
    }

    /** Whether it is leaving, and a plan that wants as many tasks as before may keep it. */
    boolean mayBeKept() {
        return phase == Phase.LEAVING && requestedAsMember && !replaced;
    }

    /** Keeps a leaving task that was not asked to leave yet. */
    void keep() {
        if (!mayBeKept()) {
            throw new IllegalStateException(id + " is " + phase + " and cannot be kept");
        }
        phase = Phase.READY;
        surplus = false;
        sinceMillis = clock.getAsLong();
    }

    void enter(Phase next) {
        if (next.compareTo(phase) <= 0) {
            throw new IllegalStateException(id + " cannot go from " + phase + " to " + next);
        }
        phase = next;
        surplus |= next == Phase.LEAVING;
        wasReady |= next == Phase.READY;
        sinceMillis = clock.getAsLong();
    }
}
