package io.optimus.am.checkpoint;

import io.optimus.am.job.JobSpec.Checkpoint;
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
 * Knows the checkpoint that the job can resume from, and those that servers are saving; decides when they save. Only
 * the coordinator's thread uses it, so the checkpoint that servers are told to load is never deleted meanwhile.
 */
public final class CheckpointTracker {
    /** Servers report their steps every second; the rest of this time lets the order reach them. */
    private static final double SECONDS_AHEAD = 3;

    private static final long FEWEST_STEPS_AHEAD = 2;

    private final CheckpointService service;
    private final boolean synchronous;
    private final long everySteps;
    private final long everyNanos;
    private final TreeMap<Long, CheckpointKey> complete = new TreeMap<>();
    private final Set<CheckpointKey> committing = new HashSet<>();
    private @Nullable SavedCheckpoint newest;
    /** The next step before which asynchronous servers save. */
    private long dueAt;
    /** The last step before which servers were told to save. */
    private long orderedBefore;
    /** The time when the last checkpoint was committed or ordered. */
    private long lastNanos;
    /** The time when the last checkpoint was committed. */
    private long savedNanos;

    /** Tracks the checkpoints of a job that begins at {@code nanos}. */
    public CheckpointTracker(CheckpointService service, TrainingMode mode, Checkpoint interval, long nanos) {
        this.service = service;
        this.synchronous = mode == TrainingMode.SYNCHRONOUS;
        this.everySteps = interval.everySteps();
        this.everyNanos = TimeUnit.SECONDS.toNanos(interval.everySeconds());
        this.dueAt = everySteps;
        this.lastNanos = nanos;
        this.savedNanos = nanos;
    }

    /**
     * Finds the checkpoint that an earlier attempt saved. A store that fails is tried again; after that, the newest checkpoint
     * that can be read counts.
     *
     * @param warned is told of checkpoints that are skipped, and of failures
     * @throws UnusableException if all are damaged, or the newest is of another version
     * @throws IOException if there are checkpoints, and none can be read
     */
    public void resume(StoreOutage outage, Consumer<String> warned) throws IOException {
        try {
            newest = outage.call(() -> service.newest(warned), warned).orElse(null);
        } catch (UnusableException e) {
            throw e;
        } catch (IOException e) {
            newest = service.newestReadable(warned).orElseThrow(() -> e);
        }
    }

    /** The newest checkpoint cannot be read: the job resumes from {@code older}. */
    public void fallBackTo(SavedCheckpoint older) {
        newest = older;
    }

    /** The checkpoint that the job can resume from. */
    public Optional<SavedCheckpoint> newest() {
        return Optional.ofNullable(newest);
    }

    /** All shards of a checkpoint have arrived. */
    public void complete(CheckpointKey key) {
        CheckpointKey superseded = complete.put(key.step(), key);
        if (superseded != null && !superseded.equals(key)) {
            service.discard(superseded);
        }
    }

    /** Commits the checkpoints for which both all shards and all losses before them have arrived. */
    public void commitComplete(StepLosses losses) {
        while (!complete.isEmpty()) {
            CheckpointKey key = complete.firstEntry().getValue();
            Optional<StepLosses.State> before =
                    synchronous ? losses.before(key.step()) : Optional.of(losses.stateNow());
            if (before.isEmpty() && losses.step() <= key.step()) {
                return;
            }
            complete.pollFirstEntry();
            if (before.isEmpty()) {
                // The shards arrived so late that the losses before them are not kept any more.
                service.discard(key);
                continue;
            }
            committing.add(key);
            service.commit(key, before.get());
        }
    }

    /** A checkpoint is committed. Returns whether to resume from it: not if the job went back meanwhile. */
    public boolean committed(CheckpointKey key, SavedCheckpoint saved, long nanos) {
        if (!committing.remove(key)) {
            return false;
        }
        lastNanos = nanos;
        savedNanos = nanos;
        newest = saved;
        service.discardBefore(key);
        service.prune(saved.name());
        return true;
    }

    /**
     * Returns the step before which servers must be told to save, or empty if they need not be told now. Asynchronous
     * servers do not count steps together, so they are told of each checkpoint. Synchronous servers save at fixed steps
     * by themselves, and are told only where the next of those would come too late. Then the step is so far ahead that
     * all of them hear of it in time.
     *
     * @param step the next step
     */
    public OptionalLong due(long step, OptionalDouble stepsPerSecond, long nanos) {
        boolean late = nanos - lastNanos >= everyNanos && stepsPerSecond.isPresent() && step >= orderedBefore;
        if (!late && (synchronous || step < dueAt)) {
            return OptionalLong.empty();
        }
        long ahead = synchronous ? FEWEST_STEPS_AHEAD + (long) (SECONDS_AHEAD * stepsPerSecond.orElseThrow()) : 0;
        lastNanos = nanos;
        dueAt = step + everySteps;
        orderedBefore = step + ahead;
        return OptionalLong.of(orderedBefore);
    }

    /** The membership ends before {@code step}: its servers will not carry out orders to save later. */
    public void settledAt(long step) {
        if (orderedBefore > step) {
            orderedBefore = step;
            lastNanos = savedNanos;
        }
    }

    /** The job went back to {@code checkpoint}. */
    public void restoredTo(SavedCheckpoint checkpoint) {
        service.discardAll();
        complete.clear();
        committing.clear();
        dueAt = checkpoint.step() + everySteps;
        orderedBefore = 0;
    }
}
