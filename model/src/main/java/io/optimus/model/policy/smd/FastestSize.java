package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;

/** A search for the size on which one job makes the most steps per second. */
public interface FastestSize {
    /** The fastest size within {@code limits}, of equal ones that with the fewest tasks; empty where none has room. */
    Optional<Allocation> within(SpeedFunction speed, SizeLimits limits);
}
