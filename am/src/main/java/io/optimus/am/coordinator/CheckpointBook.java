package io.optimus.am.coordinator;

import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which checkpoint can be resumed from, and which are on their way. The coordinator's thread alone; so the checkpoint
 * that servers are told to load is never one that is deleted meanwhile.
 */
final class CheckpointBook {
    private final CheckpointDesk desk;
    private final boolean synchronous;
    private final long everySteps;
    private @Nullable SavedState saved;
    private final TreeMap<Long, CheckpointDesk.Key> complete = new TreeMap<>();
    private final Set<CheckpointDesk.Key> committing = new HashSet<>();
    private long dueAt;

    CheckpointBook(CheckpointDesk desk, TrainingSettings settings) {
        this.desk = desk;
        this.synchronous = settings.mode() == TrainingMode.SYNCHRONOUS;
        this.everySteps = settings.checkpointEverySteps();
        this.dueAt = everySteps;
    }

    /** Looks for what an earlier attempt saved. */
    void resume(Consumer<String> damaged) throws IOException {
        saved = desk.newest(damaged).orElse(null);
    }

    /** What can be resumed from. */
    Optional<SavedState> newest() {
        return Optional.ofNullable(saved);
    }

    /** All parts have come. */
    void complete(CheckpointDesk.Key key) {
        CheckpointDesk.Key superseded = complete.put(key.step(), key);
        if (superseded != null && !superseded.equals(key)) {
            desk.forget(superseded);
        }
    }

    /** A checkpoint is committed when its parts and the losses before it have both come. */
    void commitWhatIsKnown(LossLedger losses) {
        while (!complete.isEmpty()) {
            CheckpointDesk.Key key = complete.firstEntry().getValue();
            Optional<LossLedger.State> before =
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
    boolean committed(CheckpointDesk.Key key, SavedState state) {
        if (!committing.remove(key)) {
            return false;
        }
        saved = state;
        desk.forgetBefore(key);
        desk.prune(state.name());
        return true;
    }

    /** Whether asynchronous servers, who do not count together, should be told to save. */
    boolean isDue(long step) {
        if (synchronous || step < dueAt) {
            return false;
        }
        dueAt = step + everySteps;
        return true;
    }

    /** The job went back. */
    void restoredTo(SavedState state) {
        desk.forgetAll();
        complete.clear();
        committing.clear();
        dueAt = state.step() + everySteps;
    }
}
