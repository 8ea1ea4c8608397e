package io.optimus.model.policy;

import io.optimus.model.Allocation;

/**
 * It waits for the size that its owner asked for.
 *
 * @param held what it has now, and gives up
 * @param size that it asked for
 * @param cause why it does not get it
 */
public record WaitsForTurn(Allocation held, Allocation size, Cause cause) implements AllocationReason {
    @Override
    public String sentence() {
        return (held.isNone() ? "waits" : "gives up " + held + " and waits") + " for the " + size + " it asked for: "
                + cause.words();
    }

    /** Why a job does not get the size that it asked for. */
    public sealed interface Cause {
        /** As the end of a sentence. */
        String words();
    }

    /** It has no room. */
    public record NoRoom(AllocationReason.Lack lack) implements Cause {
        @Override
        public String words() {
            return lack.words("");
        }
    }

    /** Another job comes first, and has no room yet. */
    public record Behind(String job) implements Cause {
        @Override
        public String words() {
            return job + " comes first, and has no room yet";
        }
    }
}
