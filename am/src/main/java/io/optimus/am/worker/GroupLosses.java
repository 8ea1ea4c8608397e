package io.optimus.am.worker;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.Applied;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The losses of a group's steps. All workers know them, and the first one tells the coordinator. If it is lost, the others
 * tell those that it may not have told.
 */
final class GroupLosses {
    /** At 1,000 steps/s the first worker tells all of these many times over before they are forgotten. */
    private static final int MOST = 8_192;

    private final Deque<Double> losses = new ArrayDeque<>();
    private long next;
    private long untold;

    /** Forgets the steps of the membership before. */
    void begin() {
        losses.clear();
    }

    void add(long step, double loss) {
        if (losses.isEmpty()) {
            untold = step;
        }
        losses.addLast(loss);
        next = step + 1;
        if (losses.size() > MOST) {
            losses.removeFirst();
            untold = Math.max(untold, next - MOST);
        }
    }

    /** Returns the losses that were not returned before; empty if there is none. */
    Optional<Applied> tell(MembershipNumber number) {
        int count = losses.isEmpty() ? 0 : (int) (next - untold);
        if (count == 0) {
            return Optional.empty();
        }
        double[] told = losses.stream()
                .skip(losses.size() - (long) count)
                .mapToDouble(Double::doubleValue)
                .toArray();
        Applied applied = new Applied(number, untold, told, System.nanoTime());
        untold = next;
        return Optional.of(applied);
    }
}
