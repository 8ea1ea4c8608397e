package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.files.CheckpointTransfer;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint that is not committed. The shards that several servers send at the same time go into one draft. Every
 * method may wait for the store, except {@link #discard}.
 */
final class PartialCheckpoint {
    private final CheckpointStore store;
    private final String name;
    private final @Nullable PartialCheckpoint former;
    private final Set<TaskId> senders = new HashSet<>();
    private @Nullable Draft draft;
    private CheckpointFile.@Nullable Writer writer;
    private long floats;
    private volatile boolean discarded;

    /** The store is at fault, not the task. */
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
     * Starts empty.
     *
     * @param former a discarded checkpoint of the same name that may not be closed yet
     */
    PartialCheckpoint(CheckpointStore store, String name, @Nullable PartialCheckpoint former) {
        this.store = store;
        this.name = name;
        this.former = former;
    }

    /**
     * Receives the shard of {@code task}. It is read and dropped if the checkpoint is discarded, if the task has sent its
     * shard before, or if the store fails.
     *
     * @return the floats received from all tasks so far; 0 if this shard is not among them
     * @throws StoreException if the shard was received but could not be stored; any other exception is the transfer's
     */
    long receive(DataInputStream in, int slots, TaskId task) throws IOException {
        Receipt receipt = new Receipt();
        receipt.storing(() -> receipt.wanted = begin(slots, task));
        CheckpointFile.Run run = new CheckpointFile.Run(slots);
        CheckpointTransfer.readParts(in, slots, (part, s) -> {
            if (receipt.wanted && !run.hasRoom(part)) {
                receipt.storing(() -> add(run));
            }
            if (receipt.wanted) {
                run.add(part);
                receipt.floats += part.range().length();
            }
        });
        if (receipt.wanted) {
            receipt.storing(() -> add(run));
        }
        if (receipt.failure != null) {
            throw receipt.failure;
        }
        return receipt.wanted ? counted(receipt.floats) : 0;
    }

    /** The shard of one task, as far as it has arrived. */
    private static final class Receipt {
        boolean wanted;
        long floats;

        @Nullable
        StoreException failure;

        /** The rest of a shard that cannot be stored is read all the same, so that its sender learns why. */
        void storing(Storing step) {
            try {
                step.run();
            } catch (IOException e) {
                wanted = false;
                failure = new StoreException(e);
            }
        }
    }

    private synchronized boolean begin(int slots, TaskId task) throws IOException {
        if (writer == null && !discarded) {
            if (former != null) {
                former.close();
            }
            Draft created = store.create(name);
            draft = created;
            writer = new CheckpointFile.Writer(created.out(), slots);
        }
        return senders.add(task);
    }

    private synchronized void add(CheckpointFile.Run run) throws IOException {
        CheckpointFile.Writer into = writer;
        if (into != null && !discarded) {
            into.add(run);
        }
        run.clear();
    }

    private synchronized long counted(long received) {
        floats += received;
        return discarded ? 0 : floats;
    }

    /** Commits the checkpoint, which is complete. Returns null if it is discarded. */
    synchronized @Nullable SavedCheckpoint commit(long step, StepLosses.State losses) throws IOException {
        Draft whole = draft;
        CheckpointFile.Writer into = writer;
        if (discarded || whole == null || into == null) {
            return null;
        }
        try (whole) {
            draft = null;
            into.finish(new CheckpointFile.Meta(step, (int) floats, losses));
            whole.commit();
            return new SavedCheckpoint(name, step, (int) floats, losses);
        }
    }

    /** Marks the checkpoint as discarded, without waiting. A thread that may wait calls {@link #close} later. */
    void discard() {
        discarded = true;
    }

    /** Deletes the draft, unless it was committed. */
    synchronized void close() throws IOException {
        Draft ended = draft;
        // Closed only once: the next checkpoint of this name has its draft at the same path.
        draft = null;
        writer = null;
        if (ended != null) {
            ended.close();
        }
    }
}
