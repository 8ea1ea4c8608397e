package io.optimus.am.membership;

import io.optimus.am.coordinator.CoordinatorStatus.State;

/** Where a job is in its life; the transitions are in {@link MembershipMachine}. */
public enum Phase {
    /** Not enough tasks are ready. */
    WAITING(State.WAITING, false),
    /** A worker saves initial parameters. */
    SEEDING(State.WAITING, true),
    /** Steps. */
    STEPPING(State.STEPPING, false),
    /** Steps, while workers connect to the servers of the membership to come. */
    CONNECTING(State.STEPPING, true),
    /** Workers finish their step. */
    STOPPING(State.SWITCHING, true),
    /** A task was lost: servers refuse the broken step and say how far they are. */
    FENCING(State.SWITCHING, true),
    /** Servers take their shards of the next membership. */
    PLACING(State.SWITCHING, true),
    /** Workers take up the next membership. */
    STARTING(State.SWITCHING, true),
    /** Servers save their shards, before the job ends or waits. */
    SAVING(State.ENDING, true),
    /** A worker evaluates. */
    EVALUATING(State.ENDING, true),
    /** All tasks were told to end. */
    LEAVING(State.ENDING, true),
    /** All tasks are gone. */
    ENDED(State.ENDED, false);

    private final State state;
    private final boolean bounded;

    Phase(State state, boolean bounded) {
        this.state = state;
        this.bounded = bounded;
    }

    public State state() {
        return state;
    }

    /** Whether somebody is late who does not let the phase end. */
    boolean bounded() {
        return bounded;
    }
}
