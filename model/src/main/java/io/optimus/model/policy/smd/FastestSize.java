package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.function.Predicate;

/** A search for the size on which one job makes the most steps per second. */
interface FastestSize {
    /** The fastest size within {@code limits}; of equally fast ones, that with the fewest tasks; empty if none has room. */
    Optional<Allocation> within(SpeedFunction speed, Limits limits);

    /**
     * Sizes that a job may have.
     *
     * @param least fewest tasks of each role, at least one worker
     * @param most most tasks of each role, {@code least} or more
     * @param room whether a size has room; if it has, every size within it has too
     */
    record Limits(Allocation least, Allocation most, Predicate<Allocation> room) {
        /** Throws if the range is empty. */
        public Limits {
            if (!least.isWithin(most) || least.workers() < 1) {
                throw new IllegalArgumentException(
                        "Sizes must range from 1 worker or more to at least as many, got " + least + " to " + most);
            }
        }

        boolean allow(Allocation size) {
            return least.isWithin(size) && size.isWithin(most) && room.test(size);
        }
    }
}
