package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * Brings what the desk's threads say to the conductor's thread, and tells what ends the job from what it survives: it
 * cannot go on without the very checkpoint that its phase waits for.
 */
final class CheckpointCallbacks implements CheckpointService.Events {
    private final TrainingRun training;
    private final CoordinatorListener listener;
    private final Executor events;

    CheckpointCallbacks(TrainingRun training, CoordinatorListener listener, Executor events) {
        this.training = training;
        this.listener = listener;
        this.events = events;
    }

    @Override
    public void complete(CheckpointService.Key key) {
        events.execute(() -> {
            training.book().complete(key);
            training.ledgerMoved();
        });
    }

    @Override
    public void saved(CheckpointService.Key key, SavedCheckpoint state) {
        events.execute(() -> {
            if (training.book().committed(key, state, training.nanos())) {
                listener.checkpointed(state.step());
                training.machine().saved(state.step());
            }
        });
    }

    @Override
    public void warned(String what) {
        events.execute(() -> listener.warned(what));
    }

    @Override
    public void notSaved(CheckpointService.Key key, Throwable cause) {
        events.execute(() -> {
            String what = "Checkpoint before step " + key.step() + " is not saved: " + cause;
            if (training.machine().savesNow(key)) {
                training.fail(what + "; see whether the job's directory can be written");
            } else {
                listener.warned(what);
            }
        });
    }

    @Override
    public void brokenOff(CheckpointService.Key key, TaskId task, IOException cause) {
        events.execute(() -> {
            String what = "Checkpoint before step " + key.step() + " is not saved, for the transfer of " + task
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
                training.fail(what + "; see whether the job's directory can be read");
            } else {
                listener.warned(what);
            }
        });
    }
}
