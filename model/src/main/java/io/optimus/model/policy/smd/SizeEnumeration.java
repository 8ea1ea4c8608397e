package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.InterruptedComputationException;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tries the sizes, for any speed function.
 *
 * <p>It tries every count up to {@value #EXACT} tasks of a role beyond the least. Larger counts grow by one part in {@value
 * #PARTS}, so that a role of 1,024 tasks takes some 150 counts and not a thousand: no speed function is known more
 * accurately.
 */
final class SizeEnumeration implements FastestSize {
    private static final int EXACT = 64;
    private static final int PARTS = 32;

    @Override
    public Optional<Allocation> within(SpeedFunction speed, Limits limits) {
        Optional<Allocation> best = Optional.empty();
        double highest = Double.NEGATIVE_INFINITY;
        List<Integer> workers = counts(limits.least().workers(), limits.most().workers());
        for (int servers :
                counts(limits.least().parameterServers(), limits.most().parameterServers())) {
            InterruptedComputationException.check();
            for (int count : workers) {
                Allocation size = new Allocation(servers, count);
                if (!limits.room().test(size)) {
                    break;
                }
                double steps = speed.stepsPerSecond(size);
                boolean smaller = best.isPresent() && size.tasks() < best.get().tasks();
                if (best.isEmpty() || steps > highest || (steps == highest && smaller)) {
                    best = Optional.of(size);
                    highest = steps;
                }
            }
        }
        return best;
    }

    /** The counts to try; the last one is always among them. */
    private static List<Integer> counts(int least, int most) {
        List<Integer> counts = new ArrayList<>();
        int count = least;
        while (count < most) {
            counts.add(count);
            count += count - least < EXACT ? 1 : Math.max(1, count / PARTS);
        }
        counts.add(most);
        return counts;
    }
}
