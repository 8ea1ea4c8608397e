package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.OptionalLong;

/** One container of the job and what runs in it. */
public final class JobTask {
    /** In this order; any may be skipped. Only a leaver whose leaving was not asked for yet may go back. */
    public enum Phase {
        /** The container is there, the process has not connected yet. */
        STARTING,
        /** The process could be a member, or is one. */
        READY,
        /** Given up: it hands over what it holds, then the container is released. */
        LEAVING,
        /** The training gave it up; the end of its container is awaited, which tells why. */
        SILENT,
        /** The container was given back; YARN has not confirmed its end yet. */
        RELEASED
    }

    private final TaskId id;
    private final int number;
    private final TaskContainer grant;
    private long sinceMillis;
    private Phase phase = Phase.STARTING;
    private boolean tooMany;
    private OptionalLong toldMillis = OptionalLong.empty();
    private String silence = "";

    JobTask(TaskId id, int number, TaskContainer grant, long nowMillis) {
        this.id = id;
        this.number = number;
        this.grant = grant;
        this.sinceMillis = nowMillis;
    }

    /** Unique within the job, never used again. */
    public TaskId id() {
        return id;
    }

    /** Rises with every task of the attempt. */
    int number() {
        return number;
    }

    public TaskContainer grant() {
        return grant;
    }

    Role role() {
        return grant.role();
    }

    Phase phase() {
        return phase;
    }

    /** When the phase began. */
    long sinceMillis() {
        return sinceMillis;
    }

    /** Whether its phase has lasted longer than {@code limit}. */
    boolean hasBeenLongerThan(Duration limit, long nowMillis) {
        return nowMillis - sinceMillis > limit.toMillis();
    }

    /** Whether the task is part of what the plan counts. */
    boolean stays() {
        return phase == Phase.STARTING || phase == Phase.READY;
    }

    /** Whether a plan gave it up: however it ends from then on, that is no failure. */
    boolean isTooMany() {
        return tooMany;
    }

    /** When a leaver's leaving was asked for; while it was not, when it was given up. */
    long toldMillis() {
        return toldMillis.orElse(sinceMillis);
    }

    /** The training was asked to go on without it; the first time counts. */
    void tellToLeave(long nowMillis) {
        if (toldMillis.isEmpty()) {
            toldMillis = OptionalLong.of(nowMillis);
        }
    }

    /** Why the training gave it up; empty unless it did. */
    String silence() {
        return silence;
    }

    void silence(String why, long nowMillis) {
        enter(Phase.SILENT, nowMillis);
        silence = why;
    }

    /** A newer plan wants it again, before anybody was told that it leaves. */
    void stayAfterAll(long nowMillis) {
        if (phase != Phase.LEAVING) {
            throw new IllegalStateException(id + " is " + phase + ", not leaving");
        }
        phase = Phase.READY;
        tooMany = false;
        sinceMillis = nowMillis;
    }

    public void enter(Phase next, long nowMillis) {
        if (next.compareTo(phase) <= 0) {
            throw new IllegalStateException(id + " cannot go from " + phase + " to " + next);
        }
        phase = next;
        tooMany |= next == Phase.LEAVING;
        sinceMillis = nowMillis;
    }
}
