package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import java.util.function.ToDoubleFunction;

/**
 * The search for a job's next growth step: a worker, a parameter server, or one of each.
 *
 * <p>One task alone can be worth nothing although one of each role is worth much. If no step gains, 2, 4, 8 … tasks at a time
 * are tried: a job that outgrows its nodes is slower at first.
 */
public final class GrowthSteps {
    private static final Allocation WORKER = new Allocation(0, 1);
    private static final Allocation SERVER = new Allocation(1, 0);
    private static final Allocation BOTH = new Allocation(1, 1);

    private GrowthSteps() {}

    /**
     * The step with the largest gain, with the smallest number of tasks at a time that gains; no tasks if no step gains.
     *
     * @param room tasks of each role that may be added, 0 or more
     * @param most tasks of a role in one step, 1 or more
     * @param bothOnlyAlone true: a step adds a task of each role only if no step of one role has a gain
     * @param gain the gain of a step's tasks; 0 or less means no gain
     */
    public static Allocation best(Allocation room, int most, boolean bothOnlyAlone, ToDoubleFunction<Allocation> gain) {
        int furthest = Math.min(most, Math.max(room.parameterServers(), room.workers()));
        for (int atATime = 1; atATime <= furthest; atATime *= 2) {
            Allocation best = Allocation.NONE;
            double largest = 0;
            for (Allocation tasks : new Allocation[] {WORKER, SERVER, BOTH}) {
                Allocation step = tasks.times(atATime);
                boolean open = !tasks.equals(BOTH) || !bothOnlyAlone || largest == 0;
                double gained = open && step.isWithin(room) ? gain.applyAsDouble(step) : 0;
                if (gained > largest) {
                    best = step;
                    largest = gained;
                }
            }
            if (largest > 0) {
                return best;
            }
        }
        return Allocation.NONE;
    }
}
