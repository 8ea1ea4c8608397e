package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * Passes the events of checkpoints to a {@link TrainingRun}, on the coordinator's thread. A job fails only if it waits for
 * the checkpoint that failed.
 */
final class CheckpointEvents implements CheckpointService.Listener {
    private final TrainingRun training;
    private final CoordinatorListener listener;
    private final Executor events;

    /** Calls {@code training} and {@code listener} only by way of {@code events}. */
    CheckpointEvents(TrainingRun training, CoordinatorListener listener, Executor events) {
        this.training = training;
        this.listener = listener;
        this.events = events;
    }

    @Override
    public void complete(CheckpointKey key) {
        events.execute(() -> training.checkpointArrived(key));
    }

    @Override
    public void saved(CheckpointKey key, SavedCheckpoint checkpoint) {
        events.execute(() -> training.checkpointSaved(key, checkpoint));
    }

    @Override
    public void warned(String what) {
        events.execute(() -> listener.warned(what));
    }

    @Override
    public void notSaved(CheckpointKey key, Throwable cause) {
        events.execute(() -> {
            String what = "Checkpoint before step " + key.step() + " is not saved: " + cause;
            if (training.machine().savesNow(key)) {
                training.fail(what + "; check that the job's directory can be written");
            } else {
                listener.warned(what);
            }
        });
    }

    @Override
    public void transferFailed(CheckpointKey key, TaskId task, IOException cause) {
        events.execute(() -> {
            String what = "Checkpoint before step " + key.step() + " is not saved: the transfer from " + task
                    + " ended too early: " + cause.getMessage();
            listener.warned(what);
            if (training.machine().savesNow(key) && !training.machine().saveAgain()) {
                training.fail(what + ", again and again; see the log of " + task);
            }
        });
    }

    @Override
    public void unreadable(String name, IOException cause) {
        events.execute(() -> {
            String what = "Checkpoint " + name + " could not be read: " + cause.getMessage();
            if (training.machine().loads(name)) {
                training.fail(what + "; check that the job's directory can be read");
            } else {
                listener.warned(what);
            }
        });
    }
}
