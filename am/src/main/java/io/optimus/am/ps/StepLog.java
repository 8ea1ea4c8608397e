package io.optimus.am.ps;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.Applied;
import java.util.Arrays;
import java.util.Optional;

/** Applied steps that the coordinator has not heard of yet. Guarded by the desk that owns it. */
final class StepLog {
    private double[] losses = new double[64];
    private int count;
    private long first;
    private long nanos;

    void add(long step, double loss) {
        if (count == 0) {
            first = step;
        }
        if (count == losses.length) {
            losses = Arrays.copyOf(losses, 2 * count);
        }
        losses[count++] = loss;
        nanos = System.nanoTime();
    }

    Optional<Applied> drain(MembershipNumber number) {
        if (count == 0) {
            return Optional.empty();
        }
        Applied applied = new Applied(number, first, Arrays.copyOf(losses, count), nanos);
        count = 0;
        return Optional.of(applied);
    }
}
