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
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that one server holds, with their optimizer state. There are two versions, before and after the last
 * synchronous step, so that a step which not every server has applied can be taken back. Not thread-safe.
 */
final class Shard {
    /** Floats that are updated at a time: what an update reads and writes of them stays in the first-level cache. */
    private static final int PART = 2048;

    /** A thread has at least as many floats: their update takes ten times as long as waking the thread. */
    private static final int FLOATS_OF_A_THREAD = 1 << 19;

    private final Ranges ranges;
    private final Updates updates;
    private final UpdateRule rule;
    private final List<Stretch> stretches;
    private Version current;
    /** What {@link #undo} goes back to; null if there is no such version. */
    private @Nullable Version previous;
    /** The version that the next step makes. The first step allocates it: asynchronous shards and copies do not need it. */
    private @Nullable Version next;

    /** Floats [from, to) of the local vector, all of one kind and one parameter group. */
    private record Stretch(int from, int to, Kind kind, int group) {}

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

    /** Whether the shard has room for these floats and for the state of these updates. */
    boolean fits(Ranges otherRanges, Updates otherUpdates) {
        return ranges.equals(otherRanges) && updates.equals(otherUpdates);
    }

    int floats() {
        return current.values().length;
    }

    int stateSlots() {
        return rule.stateSlots();
    }

    /**
     * A step begins, which {@link #apply} makes part by part. The version before the last step is lost, so that the last step
     * cannot be taken back any more.
     *
     * @return a view of the parameters after the step, of those floats to which it is applied. It stays valid until the step
     *     after the next one is applied to them, or another one in the place of this one.
     */
    FloatBuffer begin() {
        if (next == null) {
            next = previous == null ? Version.of(ranges.floats(), rule.stateSlots()) : previous;
            previous = null;
        }
        return FloatBuffer.wrap(next.values()).asReadOnlyBuffer();
    }

    /**
     * Applies the mean of all workers' gradients to the floats in [from, to), as update number {@code number}, from 1. Statistics
     * take the mean, and state takes the first worker's. Threads may apply different parts at once.
     *
     * @param settings the learning rate and the weight decay of each parameter group; empty: the optimizer's own
     */
    void apply(StepGradient gradient, long number, float[] settings, int from, int to) {
        Version old = current;
        Version updated = Objects.requireNonNull(next, "no step was begun");
        inParts(
                gradient,
                (stretch, first, end, values) -> {
                    switch (stretch.kind) {
                        case PARAMETER -> rule.apply(
                                old, updated, values, first, end, update(stretch.group, number, settings));
                        case STATISTIC, STATE, OPTIMIZER -> System.arraycopy(
                                values, 0, updated.values(), first, end - first);
                    }
                },
                from,
                to);
    }

    /** All parts of the step are applied: its version is the current one. */
    void commit() {
        previous = current;
        current = Objects.requireNonNull(next, "no step was begun");
        next = null;
    }

    /**
     * Applies one worker's gradient in place, without a version to go back to; moves statistics towards the worker's
     * by {@code statisticsWeight}, and takes its state.
     */
    void applyInPlace(StepGradient gradient, long number, float[] settings, float statisticsWeight) {
        float[] held = current.values();
        inParts(gradient, (stretch, from, to, values) -> {
            switch (stretch.kind) {
                case PARAMETER -> rule.apply(
                        current, current, values, from, to, update(stretch.group, number, settings));
                case STATISTIC -> {
                    for (int i = from; i < to; i++) {
                        // An infinite value, of a mask for instance, stays what it is.
                        if (values[i - from] != held[i]) {
                            held[i] += statisticsWeight * (values[i - from] - held[i]);
                        }
                    }
                }
                case STATE, OPTIMIZER -> System.arraycopy(values, 0, held, from, to - from);
            }
        });
    }

    /** Does something with floats [from, to), which are within a stretch; {@code values} begins with their gradient. */
    private interface PartAction {
        void accept(Stretch stretch, int from, int to, float[] values);
    }

    /** Reads the gradient part by part, on several threads where the shard is large. */
    private void inParts(StepGradient gradient, PartAction action) {
        int threads = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), floats() / FLOATS_OF_A_THREAD));
        IntStream.range(0, threads).parallel().forEach(thread -> {
            int first = (int) ((long) floats() * thread / threads);
            int end = (int) ((long) floats() * (thread + 1) / threads);
            inParts(gradient, action, first, end);
        });
    }

    private void inParts(StepGradient gradient, PartAction action, int first, int end) {
        float[] values = new float[Math.min(PART, end - first)];
        float[] scratch = new float[values.length];
        for (Stretch stretch : stretches) {
            int last = Math.min(end, stretch.to);
            for (int from = Math.max(first, stretch.from); from < last; from += PART) {
                int length = Math.min(PART, last - from);
                switch (stretch.kind) {
                    case PARAMETER, STATISTIC -> gradient.mean(from, length, values, scratch);
                    case STATE, OPTIMIZER -> gradient.state(from, length, values);
                }
                action.accept(stretch, from, from + length, values);
            }
        }
    }

    private Update update(int group, long number, float[] settings) {
        Optimizer optimizer = updates.optimizer();
        return settings.length == 0
                ? new Update(number, optimizer.learningRate(), optimizer.weightDecay())
                : new Update(number, settings[2 * group], settings[2 * group + 1]);
    }

    /** Whether its floats are of no use after the step. */
    boolean onlyAverages() {
        return updates.onWorkers();
    }

    /** The number of parameter groups. */
    int groups() {
        return updates.groups();
    }

    /** Takes the last step back. No earlier one can be taken back, nor the last one once the next has begun. */
    void undo() {
        if (previous == null) {
            throw new IllegalStateException("No step was applied to this shard that could be taken back");
        }
        next = current;
        current = previous;
        previous = null;
    }

    /** A view of the parameters, which shows later updates only until {@link #commit}. */
    FloatBuffer parameters() {
        return FloatBuffer.wrap(current.values()).asReadOnlyBuffer();
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
