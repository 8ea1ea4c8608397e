package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.checkpoint.StoreOutage;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the events of checkpoints to a {@link TrainingRun}, on the coordinator's thread. A failure matters only if the job
 * waits for the checkpoint. Then it is tried again until the store has failed for too long; after that an older checkpoint
 * is loaded in place of one that cannot be read, and a job that cannot save fails.
 */
final class CheckpointEvents implements CheckpointService.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointEvents.class);
    private final TrainingRun training;
    private final CoordinatorListener listener;
    private final Executor events;
    private final StoreOutage outage;
    private final Map<Purpose, Repetition> repetitions = new EnumMap<>(Purpose.class);
    /** The checkpoint in whose place an older one is looked for; empty if there is none. Each server may report it. */
    private String replacing = "";

    /** What is done again at a time. */
    private record Repetition(long atNanos, Runnable action) {}

    /** What the store is used for. */
    enum Purpose {
        PARAMETERS,
        MODEL
    }

    /**
     * Calls {@code training} and {@code listener} only by way of {@code events}.
     *
     * @param patience how long the store may fail
     */
    CheckpointEvents(TrainingRun training, CoordinatorListener listener, Executor events, Duration patience) {
        this.training = training;
        this.listener = listener;
        this.events = events;
        this.outage = new StoreOutage(patience);
    }

    /** Looks at the clock. */
    void tick() {
        for (Purpose purpose : Purpose.values()) {
            Repetition next = repetitions.get(purpose);
            if (next != null && training.nanos() >= next.atNanos) {
                repetitions.remove(purpose);
                next.action.run();
            }
        }
    }

    /**
     * Does {@code action} again, after a while, because of a failure of the store. Of failures at the same time with the same purpose
     * only the first counts.
     *
     * @return false if the store has failed for too long
     */
    boolean again(Purpose purpose, String what, Runnable action) {
        if (repetitions.containsKey(purpose)) {
            return true;
        }
        OptionalLong delay = outage.failed(training.nanos());
        if (delay.isEmpty()) {
            return false;
        }
        listener.warned(what + "; trying again in " + StoreOutage.seconds(delay.getAsLong()));
        repetitions.put(purpose, new Repetition(training.nanos() + delay.getAsLong(), action));
        return true;
    }

    /** The store works. */
    void storeWorks() {
        outage.over();
    }

    @Override
    public void complete(CheckpointKey key) {
        events.execute(() -> training.checkpointArrived(key));
    }

    @Override
    public void saved(CheckpointKey key, SavedCheckpoint checkpoint) {
        events.execute(() -> {
            storeWorks();
            training.checkpointSaved(key, checkpoint);
        });
    }

    @Override
    public void warned(String what) {
        events.execute(() -> listener.warned(what));
    }

    @Override
    public void notSaved(CheckpointKey key, Throwable cause) {
        events.execute(() -> {
            String what = "Checkpoint before step " + key.step() + " is not saved: " + cause;
            if (!training.machine().savesNow(key)) {
                listener.warned(what);
            } else if (!(cause instanceof IOException) || !machineAgain(what)) {
                training.fail(what + "; check that the job's directory can be written");
            }
        });
    }

    private boolean machineAgain(String what) {
        training.machine().storeFailed();
        return again(Purpose.PARAMETERS, what, () -> training.machine().tryAgain());
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
    public void unreadable(String name, IOException cause, boolean damaged) {
        events.execute(() -> {
            String what = "Checkpoint " + name + " could not be read: " + cause.getMessage();
            if (!training.machine().loads(name)) {
                // A task asked for it that the job has given up; it may have been deleted since.
                LOG.info("{}, which nobody needs any more", what);
            } else if (!replacing.equals(name) && (damaged || !machineAgain(what))) {
                replacing = name;
                training.machine().storeFailed();
                training.checkpoints().findBefore(name, older -> events.execute(() -> fallBack(what, older)));
            }
        });
    }

    private void fallBack(String what, Optional<SavedCheckpoint> older) {
        replacing = "";
        older.ifPresentOrElse(
                found -> {
                    listener.warned(what + "; training goes on from " + found.name());
                    storeWorks();
                    training.fallBackTo(found);
                },
                () -> training.fail(what + ", nor could an older one; check that the job's directory can be read"));
    }
}
