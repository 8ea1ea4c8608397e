package io.optimus.model.decision;

import io.optimus.model.Allocation;

/**
 * It waits for the size that its owner asked for, or for the most of that which there would ever be room for.
 *
 * @param held what it has now, and gives up
 * @param size that it waits for
 * @param asked the size that its owner asked for
 * @param cause why it does not get it
 */
public record WaitReason(Allocation held, Allocation size, Allocation asked, Cause cause) implements AllocationReason {
    @Override
    public String sentence() {
        String most = size.equals(asked) ? "" : size + ", the most that there ever is room for of ";
        return Words.waits(held) + " for " + most + "the " + asked + " it asked for: " + cause.words();
    }

    /** Why a job does not get the size that it asked for. */
    public sealed interface Cause {
        /** As the end of a sentence. */
        String words();
    }

    /** It has no room. */
    public record NoRoom(Shortage lack) implements Cause {
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
