package io.optimus.am.ps;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.ps.UpdateRule.Update;
import io.optimus.am.ps.UpdateRule.Version;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.Updates;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that one server holds, with their optimizer state. There are two versions, before and after the last
 * synchronous step, so that a step which not every server has applied can be taken back. Not thread-safe.
 */
final class Shard {
    private final Ranges ranges;
    private final Updates updates;
    private final UpdateRule rule;
    private final List<Stretch> stretches;
    private Version current;
    /** The first {@link #apply} makes it, since asynchronous shards and copies for saving do not need it. */
    private @Nullable Version previous;

    /** Floats [from, to) of the local vector, all of one kind and one parameter group. */
    private record Stretch(int from, int to, Kind kind, int group) {
        int length() {
            return to - from;
        }
    }

    /** Makes a shard of zeros, to be filled. */
    Shard(Ranges ranges, Updates updates) {
        this.ranges = ranges;
        this.updates = updates;
        this.rule = UpdateRule.of(updates.optimizer());
        this.stretches = stretches(ranges, updates);
        this.current = Version.of(ranges.floats(), rule.stateSlots());
    }

    private static List<Stretch> stretches(Ranges ranges, Updates updates) {
        List<Stretch> stretches = new ArrayList<>();
        for (Updates.Part part : updates.parts()) {
            for (Range range : ranges.and(part.ranges()).list()) {
                int from = ranges.localOffset(range);
                stretches.add(new Stretch(from, from + range.length(), part.kind(), part.group()));
            }
        }
        stretches.sort(Comparator.comparingInt(Stretch::from));
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

    /**
     * Applies the mean of all workers' gradients as update number {@code number}, from 1. Statistics and state take the
     * values in {@code mean}.
     *
     * @param settings the learning rate and the weight decay of each parameter group; empty: the optimizer's own
     */
    void apply(float[] mean, long number, float[] settings) {
        Version updated = previous == null ? Version.of(ranges.floats(), rule.stateSlots()) : previous;
        for (Stretch stretch : stretches) {
            switch (stretch.kind) {
                case PARAMETER -> rule.apply(
                        current, updated, mean, stretch.from, stretch.to, update(stretch.group, number, settings));
                case STATISTIC, STATE, OPTIMIZER -> System.arraycopy(
                        mean, stretch.from, updated.values(), stretch.from, stretch.length());
            }
        }
        previous = current;
        current = updated;
    }

    /**
     * Applies one worker's gradient in place, without a version to go back to; moves statistics towards the worker's
     * by {@code statisticsWeight}, and takes its state.
     */
    void applyInPlace(float[] gradient, long number, float[] settings, float statisticsWeight) {
        float[] values = current.values();
        for (Stretch stretch : stretches) {
            switch (stretch.kind) {
                case PARAMETER -> rule.apply(
                        current, current, gradient, stretch.from, stretch.to, update(stretch.group, number, settings));
                case STATISTIC -> {
                    for (int i = stretch.from; i < stretch.to; i++) {
                        values[i] += statisticsWeight * (gradient[i] - values[i]);
                    }
                }
                case STATE, OPTIMIZER -> System.arraycopy(
                        gradient, stretch.from, values, stretch.from, stretch.length());
            }
        }
    }

    private Update update(int group, long number, float[] settings) {
        Optimizer optimizer = updates.optimizer();
        return settings.length == 0
                ? new Update(number, optimizer.learningRate(), optimizer.weightDecay())
                : new Update(number, settings[2 * group], settings[2 * group + 1]);
    }

    /** Copies the state in one worker's {@code push} into {@code mean}. */
    void takeState(FloatBuffer push, float[] mean) {
        for (Stretch stretch : stretches) {
            if (stretch.kind == Kind.STATE) {
                push.get(stretch.from, mean, stretch.from, stretch.length());
            }
        }
    }

    /** The number of parameter groups. */
    int groups() {
        return updates.groups();
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
        Shard copy = new Shard(ranges, updates);
        copy.copyFrom(this);
        return copy;
    }
}
