package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.CheckpointTransfer;
import io.optimus.am.wire.TaskId;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One checkpoint in the making: parts that the transfers of several servers bring at once go into one draft. Every
 * method may wait for the store, except {@link #forget}.
 */
final class PartialCheckpoint {
    private final CheckpointStore store;
    private final String name;
    private final @Nullable PartialCheckpoint former;
    private final Set<TaskId> contributors = new HashSet<>();
    private @Nullable Draft draft;
    private CheckpointFile.@Nullable Writer writer;
    private long floats;
    private volatile boolean forgotten;

    /** The store, not the task, is at fault. */
    static final class StoreException extends IOException {
        private static final long serialVersionUID = 1;

        StoreException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private interface Storing {
        void run() throws IOException;
    }

    /**
     * Of nothing yet.
     *
     * @param former another of this name that was forgotten and may not be closed yet
     */
    PartialCheckpoint(CheckpointStore store, String name, @Nullable PartialCheckpoint former) {
        this.store = store;
        this.name = name;
        this.former = former;
    }

    /**
     * Takes all that {@code task} sends. What a forgotten checkpoint is sent goes nowhere, and so does what a task
     * sends a second time.
     *
     * @return floats gathered so far; 0 when these are not among them
     * @throws StoreException if they could not be stored; any other exception is the transfer's
     */
    long take(DataInputStream in, int slots, TaskId task) throws IOException {
        boolean wanted = begin(slots, task);
        long[] taken = new long[1];
        CheckpointTransfer.readParts(in, slots, (part, s) -> {
            if (wanted) {
                add(part);
                taken[0] += part.range().length();
            }
        });
        return wanted ? counted(taken[0]) : 0;
    }

    private synchronized boolean begin(int slots, TaskId task) throws IOException {
        if (writer == null && !forgotten) {
            storing(() -> {
                if (former != null) {
                    former.close();
                }
                Draft created = store.create(name);
                draft = created;
                writer = new CheckpointFile.Writer(created.out(), slots);
            });
        }
        return contributors.add(task);
    }

    private synchronized void add(CheckpointTransfer.Part part) throws IOException {
        CheckpointFile.Writer into = writer;
        if (into != null && !forgotten) {
            storing(() -> into.add(part));
        }
    }

    private synchronized long counted(long taken) {
        floats += taken;
        return forgotten ? 0 : floats;
    }

    private static void storing(Storing step) throws StoreException {
        try {
            step.run();
        } catch (IOException e) {
            throw new StoreException(e);
        }
    }

    /** Commits what was gathered, which is all; empty-handed when it was forgotten. */
    synchronized @Nullable SavedCheckpoint commit(long step, StepLosses.State ledger) throws IOException {
        Draft whole = draft;
        CheckpointFile.Writer into = writer;
        if (forgotten || whole == null || into == null) {
            return null;
        }
        try (whole) {
            draft = null;
            into.finish(new CheckpointFile.Meta(step, (int) floats, ledger));
            whole.commit();
            return new SavedCheckpoint(name, step, (int) floats, ledger);
        }
    }

    /** It will not be completed; never waits. To be closed by a thread that may. */
    void forget() {
        forgotten = true;
    }

    /** Leaves nothing behind, unless it was committed. */
    synchronized void close() throws IOException {
        Draft ended = draft;
        // Once only: the next one of this name has its draft in the same place.
        draft = null;
        writer = null;
        if (ended != null) {
            ended.close();
        }
    }
}
