package io.optimus.am.ps;

import io.optimus.am.ps.UpdateRule.Version;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that one server holds, with their optimizer state. There are two versions, before and after the last
 * synchronous step, so that a step which not every server has applied can be taken back. Not thread-safe.
 */
final class Shard {
    private final Ranges ranges;
    private final UpdateRule rule;
    private final List<Stretch> stretches;
    private Version current;
    /** The first {@link #apply} makes it, since asynchronous shards and copies for saving do not need it. */
    private @Nullable Version previous;

    /** Floats [from, to) of the local vector, all trained or all statistics. */
    private record Stretch(int from, int to, boolean statistic) {}

    /** Makes a shard of zeros, to be filled. */
    Shard(Ranges ranges, Ranges statistics, UpdateRule rule) {
        this.ranges = ranges;
        this.rule = rule;
        this.stretches = stretches(ranges, statistics);
        this.current = Version.of(ranges.floats(), rule.stateSlots());
    }

    private static List<Stretch> stretches(Ranges ranges, Ranges statistics) {
        List<Stretch> stretches = new ArrayList<>();
        int trainedFrom = 0;
        for (Range statistic : ranges.and(statistics).list()) {
            // The intersection has split ranges that hold both statistics and trained floats.
            int from = ranges.localOffset(statistic);
            if (trainedFrom < from) {
                stretches.add(new Stretch(trainedFrom, from, false));
            }
            stretches.add(new Stretch(from, from + statistic.length(), true));
            trainedFrom = from + statistic.length();
        }
        if (trainedFrom < ranges.floats()) {
            stretches.add(new Stretch(trainedFrom, ranges.floats(), false));
        }
        return stretches;
    }

    Ranges ranges() {
        return ranges;
    }

    int floats() {
        return current.values().length;
    }

    int stateSlots() {
        return rule.stateSlots();
    }

    /** Applies the mean of all workers' gradients as update number {@code update}, from 1. Statistics become their mean. */
    void apply(float[] mean, long update) {
        Version updated = previous == null ? Version.of(ranges.floats(), rule.stateSlots()) : previous;
        for (Stretch stretch : stretches) {
            if (stretch.statistic) {
                System.arraycopy(mean, stretch.from, updated.values(), stretch.from, stretch.to - stretch.from);
            } else {
                rule.apply(current, updated, mean, stretch.from, stretch.to, update);
            }
        }
        previous = current;
        current = updated;
    }

    /**
     * Applies one worker's gradient in place, without a version to go back to; moves statistics towards the worker's
     * by {@code statisticsWeight}.
     */
    void applyInPlace(float[] gradient, long update, float statisticsWeight) {
        for (Stretch stretch : stretches) {
            if (stretch.statistic) {
                float[] values = current.values();
                for (int i = stretch.from; i < stretch.to; i++) {
                    values[i] += statisticsWeight * (gradient[i] - values[i]);
                }
            } else {
                rule.apply(current, current, gradient, stretch.from, stretch.to, update);
            }
        }
    }

    /** Takes the last {@link #apply} back. No earlier one can be taken back. */
    void undo() {
        if (previous == null) {
            throw new IllegalStateException("No step was applied to this shard that could be taken back");
        }
        Version undone = current;
        current = previous;
        previous = undone;
    }

    /** Writes all parameters. */
    void parametersInto(FloatBuffer out) {
        out.put(current.values());
    }

    /** Writes parameters and state of {@code range}: (1 + slots) · length floats. */
    void write(Range range, FloatBuffer out) {
        int from = ranges.localOffset(range);
        out.put(current.values(), from, range.length());
        for (float[] slot : current.state()) {
            out.put(slot, from, range.length());
        }
    }

    /** Reads what {@link #write} wrote; parameters alone (initial ones) leave the state at zero. */
    void read(Range range, FloatBuffer in) {
        int from = ranges.localOffset(range);
        in.get(current.values(), from, range.length());
        for (float[] slot : current.state()) {
            if (in.hasRemaining()) {
                in.get(slot, from, range.length());
            }
        }
    }

    /** Copies the floats that both shards hold. */
    void copyFrom(Shard other) {
        for (Range range : ranges.and(other.ranges).list()) {
            int to = ranges.localOffset(range);
            int from = other.ranges.localOffset(range);
            System.arraycopy(other.current.values(), from, current.values(), to, range.length());
            for (int slot = 0; slot < rule.stateSlots(); slot++) {
                System.arraycopy(other.current.state()[slot], from, current.state()[slot], to, range.length());
            }
        }
    }

    /** Returns a copy of the current version, to save while training goes on. */
    Shard frozen() {
        Shard copy = new Shard(ranges, Ranges.NONE, rule);
        copy.copyFrom(this);
        return copy;
    }
}
