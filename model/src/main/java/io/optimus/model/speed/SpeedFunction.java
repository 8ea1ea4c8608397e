package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.SortedMap;

/** Steps per second of a job by its allocation: f(p, w) (Optimus, section 3.2). */
@FunctionalInterface
public interface SpeedFunction {
    /**
     * Steps of the whole job per second on {@code allocation}, on as few nodes as hold it.
     *
     * @param allocation at least one task of each role that the job has
     * @return above 0 and finite; 0 if a double cannot tell it from standing still
     */
    double stepsPerSecond(Allocation allocation);

    /**
     * Steps of the whole job per second on {@code allocation}, spread over {@code nodes}.
     *
     * @param nodes that the tasks are on, from 1 to the number of tasks; without effect if a function knows nothing of
     *     placement
     */
    default double stepsPerSecond(Allocation allocation, int nodes) {
        return stepsPerSecond(allocation);
    }

    /** The parameters of the function by their names, for REST; empty if it has none. */
    default SortedMap<String, Double> parameters() {
        return Collections.emptySortedMap();
    }

    /** Seconds that {@code steps} take on {@code allocation}: infinite if the job does not step, 0 for no steps. */
    default double seconds(double steps, Allocation allocation) {
        double speed = stepsPerSecond(allocation);
        if (steps == 0) {
            return 0;
        }
        // Written so that a speed that is NaN, negative or infinite counts as none.
        return speed > 0 && speed < Double.POSITIVE_INFINITY ? steps / speed : Double.POSITIVE_INFINITY;
    }

    /**
     * The same function times {@code factor}: the speed on GPUs that are {@code factor} times as fast.
     *
     * @param factor above 0 and finite
     */
    default SpeedFunction times(double factor) {
        return factor == 1 ? this : new Scaled(this, factor);
    }

    /**
     * A function times a factor.
     *
     * @param function the function that is multiplied
     * @param factor above 0 and finite
     */
    record Scaled(SpeedFunction function, double factor) implements SpeedFunction {
        @Override
        public double stepsPerSecond(Allocation allocation) {
            return factor * function.stepsPerSecond(allocation);
        }

        @Override
        public double stepsPerSecond(Allocation allocation, int nodes) {
            return factor * function.stepsPerSecond(allocation, nodes);
        }
    }
}
