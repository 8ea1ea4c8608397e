package io.optimus.am.ps;

import io.optimus.am.wire.MembershipNumber;

/** Takes copies of a shard to the coordinator, in the background. */
@FunctionalInterface
interface ShardSaver {
    /** Saves {@code copy}, which nobody else has, as the state before {@code step}. */
    void save(Shard copy, MembershipNumber number, long step);

    /** Whether an earlier copy is not saved yet: one more would have to wait, and takes memory meanwhile. */
    default boolean isBusy() {
        return false;
    }
}
