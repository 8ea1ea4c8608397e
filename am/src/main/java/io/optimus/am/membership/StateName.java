package io.optimus.am.membership;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The states of a {@link MembershipMachine} and the transitions between them. The machine takes no other ones, and a
 * test takes all of them.
 *
 * <pre>
 * WAITING      → INITIALISING FENCING PLACING SAVING LEAVING
 * INITIALISING → WAITING LEAVING
 * STEPPING     → CONNECTING STOPPING FENCING PLACING WAITING LEAVING
 * CONNECTING   → CONNECTING STEPPING STOPPING FENCING PLACING WAITING LEAVING
 * STOPPING     → PLACING SAVING FENCING WAITING LEAVING
 * FENCING      → PLACING WAITING LEAVING
 * PLACING      → STARTING PLACING WAITING LEAVING
 * STARTING     → STEPPING FENCING PLACING WAITING LEAVING
 * SAVING       → EVALUATING FENCING WAITING LEAVING
 * EVALUATING   → EVALUATING LEAVING
 * LEAVING      → ENDED
 * ENDED        →
 * </pre>
 *
 * <p>A resize goes STEPPING, CONNECTING, STOPPING, PLACING, STARTING, STEPPING; a loss goes to FENCING in between. Where
 * the workers are asynchronous, the loss of one leads from any running state to PLACING, or to WAITING where too few
 * tasks are left. A coordinator that takes over goes from WAITING to FENCING, or to PLACING where the workers are asynchronous.
 * A failure of the job leads from every state to LEAVING.
 */
public enum StateName {
    /** Not enough tasks are ready. */
    WAITING,
    /** A worker saves the initial parameters. */
    INITIALISING,
    /** Workers step. */
    STEPPING,
    /** Workers step, and connect to the servers of the next membership. */
    CONNECTING,
    /** Workers finish their step. */
    STOPPING,
    /** A member was lost: servers refuse the current membership and say how many steps they have applied. */
    FENCING,
    /** Servers take their shards of the next membership. */
    PLACING,
    /** Workers begin their first step of the next membership. */
    STARTING,
    /** Servers save their shards, before the job ends or waits. */
    SAVING,
    /** A worker evaluates the final parameters. */
    EVALUATING,
    /** All tasks were told to end. */
    LEAVING,
    /** All tasks have ended. */
    ENDED;

    private static final Map<StateName, Set<StateName>> NEXT = new EnumMap<>(Map.ofEntries(
            WAITING.to(INITIALISING, FENCING, PLACING, SAVING, LEAVING),
            INITIALISING.to(WAITING, LEAVING),
            STEPPING.to(CONNECTING, STOPPING, FENCING, PLACING, WAITING, LEAVING),
            CONNECTING.to(CONNECTING, STEPPING, STOPPING, FENCING, PLACING, WAITING, LEAVING),
            STOPPING.to(PLACING, SAVING, FENCING, WAITING, LEAVING),
            FENCING.to(PLACING, WAITING, LEAVING),
            PLACING.to(STARTING, PLACING, WAITING, LEAVING),
            STARTING.to(STEPPING, FENCING, PLACING, WAITING, LEAVING),
            SAVING.to(EVALUATING, FENCING, WAITING, LEAVING),
            EVALUATING.to(EVALUATING, LEAVING),
            LEAVING.to(ENDED),
            ENDED.to()));

    private Map.Entry<StateName, Set<StateName>> to(StateName... next) {
        Set<StateName> set = EnumSet.noneOf(StateName.class);
        Collections.addAll(set, next);
        return Map.entry(this, Collections.unmodifiableSet(set));
    }

    /** The states that may follow this one. */
    Set<StateName> next() {
        return NEXT.getOrDefault(this, Set.of());
    }
}
