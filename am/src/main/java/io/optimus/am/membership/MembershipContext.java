package io.optimus.am.membership;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/** What a {@link MembershipMachine} can do and ask: its only door to sockets, clock and files. */
public interface MembershipContext {
    /** Monotonic clock. */
    long nanos();

    /** Sends to a connected task. */
    void send(TaskId task, ToTask message);

    /** Where a ready server listens. */
    ServerAddress address(TaskId server);

    /** Which floats of the flat vector are statistics. */
    Ranges statistics();

    /** Who shall hold what; moves as little as it must from {@code held}, which is empty after a loss. */
    SortedMap<TaskId, Ranges> assign(SortedMap<TaskId, Ranges> held, SortedSet<TaskId> servers);

    /** Steps that are known to be applied. */
    long knownStep();

    /** The newest checkpoint, or empty before the initial parameters are saved. */
    Optional<SavedCheckpoint> saved();

    /** No step is in flight: the next one is {@code step}, and everything before it counts. */
    void settledAt(long step);

    /** Parameters are those of {@code state} again. */
    void restoredTo(SavedCheckpoint state);

    /** Training is not complete after all: parameters of its last steps are lost. */
    void stopUndone();

    /** Stepping has begun or ended. */
    void stepping(boolean yes);

    /** A new membership steps. */
    void resized(Resize resize);

    /** Training is complete and its last state is saved. */
    void keepModel();

    /** All tasks are gone. */
    void ended();
}
