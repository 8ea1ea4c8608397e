package io.optimus.model.speed;

import io.optimus.model.Allocation;

/** Steps per second of a job by its allocation: f(p, w) (Optimus, section 3.2). */
public sealed interface SpeedFunction
        permits AsynchronousSpeed,
                GivenSpeed,
                Goodput,
                LayeredSpeed,
                MeasuredSpeed,
                PlacedSpeed,
                ScaledSpeed,
                SynchronousSpeed {
    /**
     * Steps of the whole job per second on {@code allocation}, on as few nodes as hold it.
     *
     * @param allocation at least one task of each role that the job has
     * @return above 0 and finite, but for the limits of numbers: 0 where it is too slow to tell from standing still
     */
    double stepsPerSecond(Allocation allocation);

    /**
     * The same, spread over {@code nodes}.
     *
     * @param nodes that the tasks are on, from 1 to the number of tasks; of no effect where a function knows nothing of
     *     placement
     */
    default double stepsPerSecond(Allocation allocation, int nodes) {
        return stepsPerSecond(allocation);
    }

    /** Seconds that {@code steps} take on {@code allocation}: infinite where it does not step, 0 for no steps. */
    default double seconds(double steps, Allocation allocation) {
        double speed = stepsPerSecond(allocation);
        if (steps == 0) {
            return 0;
        }
        // Written so that a speed that is no number, or none of this world, counts as none.
        return speed > 0 && speed < Double.POSITIVE_INFINITY ? steps / speed : Double.POSITIVE_INFINITY;
    }
}
