package io.optimus.am.membership;

import io.optimus.am.wire.TaskId;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The phase that a job is in, since when, and whom it waits for. Goes from phase to phase as this table allows:
 *
 * <pre>
 * WAITING    → SEEDING PLACING SAVING LEAVING
 * SEEDING    → WAITING LEAVING
 * STEPPING   → STEPPING CONNECTING STOPPING FENCING PLACING WAITING LEAVING
 * CONNECTING → STEPPING CONNECTING STOPPING FENCING PLACING WAITING LEAVING
 * STOPPING   → FENCING PLACING WAITING SAVING LEAVING
 * FENCING    → PLACING WAITING LEAVING
 * PLACING    → PLACING STARTING WAITING LEAVING
 * STARTING   → STEPPING FENCING PLACING WAITING LEAVING
 * SAVING     → FENCING WAITING EVALUATING LEAVING
 * EVALUATING → EVALUATING LEAVING
 * LEAVING    → ENDED
 * </pre>
 */
final class Stage {
    private static final Map<Phase, Set<Phase>> LEGAL = legal();

    private Phase phase = Phase.WAITING;
    private long sinceNanos;
    private final SortedSet<TaskId> awaiting = new TreeSet<>();

    private static Map<Phase, Set<Phase>> legal() {
        Set<Phase> brokenOff = EnumSet.of(Phase.FENCING, Phase.PLACING, Phase.WAITING, Phase.LEAVING);
        Map<Phase, Set<Phase>> legal = new EnumMap<>(Phase.class);
        legal.put(Phase.WAITING, EnumSet.of(Phase.SEEDING, Phase.PLACING, Phase.SAVING, Phase.LEAVING));
        legal.put(Phase.SEEDING, EnumSet.of(Phase.WAITING, Phase.LEAVING));
        legal.put(Phase.STEPPING, and(brokenOff, Phase.STEPPING, Phase.CONNECTING, Phase.STOPPING));
        legal.put(Phase.CONNECTING, and(brokenOff, Phase.STEPPING, Phase.CONNECTING, Phase.STOPPING));
        legal.put(Phase.STOPPING, and(brokenOff, Phase.SAVING));
        legal.put(Phase.FENCING, EnumSet.of(Phase.PLACING, Phase.WAITING, Phase.LEAVING));
        legal.put(Phase.PLACING, EnumSet.of(Phase.PLACING, Phase.STARTING, Phase.WAITING, Phase.LEAVING));
        legal.put(Phase.STARTING, and(brokenOff, Phase.STEPPING));
        legal.put(Phase.SAVING, EnumSet.of(Phase.FENCING, Phase.WAITING, Phase.EVALUATING, Phase.LEAVING));
        legal.put(Phase.EVALUATING, EnumSet.of(Phase.EVALUATING, Phase.LEAVING));
        legal.put(Phase.LEAVING, EnumSet.of(Phase.ENDED));
        legal.put(Phase.ENDED, EnumSet.noneOf(Phase.class));
        return legal;
    }

    private static Set<Phase> and(Set<Phase> some, Phase... more) {
        EnumSet<Phase> all = EnumSet.copyOf(some);
        Collections.addAll(all, more);
        return all;
    }

    static boolean allows(Phase from, Phase to) {
        return LEGAL.getOrDefault(from, Set.of()).contains(to);
    }

    Phase phase() {
        return phase;
    }

    boolean is(Phase one) {
        return phase == one;
    }

    boolean isOneOf(Phase one, Phase... others) {
        return EnumSet.of(one, others).contains(phase);
    }

    long sinceNanos() {
        return sinceNanos;
    }

    /** Begins a phase, waiting for {@code tasks}. */
    void enter(Phase to, Collection<TaskId> tasks, long nowNanos) {
        if (!allows(phase, to)) {
            throw new IllegalStateException("A job cannot go from " + phase + " to " + to);
        }
        phase = to;
        sinceNanos = nowNanos;
        awaiting.clear();
        awaiting.addAll(tasks);
    }

    /** The task did what it was awaited for; whether it was the last one. */
    boolean arrived(TaskId task) {
        return awaiting.remove(task) && awaiting.isEmpty();
    }

    /** Waits for the task no longer; whether it did. */
    boolean forget(TaskId task) {
        return awaiting.remove(task);
    }

    boolean awaitsNobody() {
        return awaiting.isEmpty();
    }

    /** Whom a phase that should be short waits for, when it has lasted longer than {@code nanos}. */
    Set<TaskId> lateAfter(long nanos, long nowNanos) {
        return phase.bounded() && nowNanos - sinceNanos > nanos ? Set.copyOf(awaiting) : Set.of();
    }
}
