package io.optimus.model.speed;

import io.optimus.model.Allocation;

/** Steps per second of a job by its allocation: f(p, w) (Optimus, section 3.2). */
public sealed interface SpeedFunction permits SynchronousSpeed, AsynchronousSpeed, MeasuredSpeed {
    /**
     * Steps of the whole job per second on {@code allocation}.
     *
     * @param allocation at least one task of each role
     * @return above 0 and finite
     */
    double stepsPerSecond(Allocation allocation);
}
