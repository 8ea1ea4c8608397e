package io.optimus.am.checkpoint;

import io.optimus.am.coordinator.TrainingSettings;
import io.optimus.am.progress.StepLosses;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which checkpoint can be resumed from, and which are on their way. The coordinator's thread alone; so the checkpoint
 * that servers are told to load is never one that is deleted meanwhile.
 */
public final class CheckpointTracker {
    /** Servers report their steps each second; the rest is for the word to reach them. */
    private static final double SECONDS_AHEAD = 3;

    private static final long FEWEST_STEPS_AHEAD = 2;

    private final CheckpointService desk;
    private final boolean synchronous;
    private final long everySteps;
    private final long everyNanos;
    private @Nullable SavedCheckpoint saved;
    private final TreeMap<Long, CheckpointService.Key> complete = new TreeMap<>();
    private final Set<CheckpointService.Key> committing = new HashSet<>();
    private long dueAt;
    private long toldBefore;
    /** When the last one was made or asked for. */
    private long lastNanos;
    /** When the last one was made. */
    private long savedNanos;

    /** Of a job that begins at {@code nanos}. */
    public CheckpointTracker(CheckpointService desk, TrainingSettings settings, long nanos) {
        this.desk = desk;
        this.synchronous = settings.mode() == TrainingMode.SYNCHRONOUS;
        this.everySteps = settings.checkpoint().everySteps();
        this.everyNanos = TimeUnit.SECONDS.toNanos(settings.checkpoint().everySeconds());
        this.dueAt = everySteps;
        this.lastNanos = nanos;
        this.savedNanos = nanos;
    }

    /** Looks for what an earlier attempt saved. */
    public void resume(Consumer<String> damaged) throws IOException {
        saved = desk.newest(damaged).orElse(null);
    }

    /** What can be resumed from. */
    public Optional<SavedCheckpoint> newest() {
        return Optional.ofNullable(saved);
    }

    /** All parts have come. */
    public void complete(CheckpointService.Key key) {
        CheckpointService.Key superseded = complete.put(key.step(), key);
        if (superseded != null && !superseded.equals(key)) {
            desk.forget(superseded);
        }
    }

    /** A checkpoint is committed when its parts and the losses before it have both come. */
    public void commitWhatIsKnown(StepLosses losses) {
        while (!complete.isEmpty()) {
            CheckpointService.Key key = complete.firstEntry().getValue();
            Optional<StepLosses.State> before =
                    synchronous ? losses.before(key.step()) : Optional.of(losses.stateNow());
            if (before.isEmpty() && losses.step() <= key.step()) {
                return;
            }
            complete.pollFirstEntry();
            if (before.isEmpty()) {
                // It came so late that the losses before it are not kept any more.
                desk.forget(key);
                continue;
            }
            committing.add(key);
            desk.commit(key, before.get());
        }
    }

    /** It is committed; whether it can be resumed from: not if the job went back behind it meanwhile. */
    public boolean committed(CheckpointService.Key key, SavedCheckpoint state, long nanos) {
        if (!committing.remove(key)) {
            return false;
        }
        lastNanos = nanos;
        savedNanos = nanos;
        saved = state;
        desk.forgetBefore(key);
        desk.prune(state.name());
        return true;
    }

    /**
     * Before which step servers should be told to save; empty: they need not be told now. Asynchronous servers, who do not
     * count together, are told of each checkpoint; synchronous ones only where their own would come too late, and of a step
     * that is far enough ahead for all of them to hear of it before.
     *
     * @param step the next one
     */
    public OptionalLong due(long step, OptionalDouble stepsPerSecond, long nanos) {
        boolean late = nanos - lastNanos >= everyNanos && stepsPerSecond.isPresent() && step >= toldBefore;
        if (!late && (synchronous || step < dueAt)) {
            return OptionalLong.empty();
        }
        long ahead = synchronous ? FEWEST_STEPS_AHEAD + (long) (SECONDS_AHEAD * stepsPerSecond.orElseThrow()) : 0;
        lastNanos = nanos;
        dueAt = step + everySteps;
        toldBefore = step + ahead;
        return OptionalLong.of(toldBefore);
    }

    /** Servers stop before {@code step}, and go on in another membership: who was told to save later than that will not. */
    public void settledAt(long step) {
        if (toldBefore > step) {
            toldBefore = step;
            lastNanos = savedNanos;
        }
    }

    /** The job went back. */
    public void restoredTo(SavedCheckpoint state) {
        desk.forgetAll();
        complete.clear();
        committing.clear();
        dueAt = state.step() + everySteps;
        toldBefore = 0;
    }
}
