package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.files.CheckpointTransfer;
import io.optimus.am.wire.files.OutputTransfer;
import io.optimus.am.wire.files.StoredParts;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives checkpoints from tasks and sends them to tasks, and receives the files that an owner's program left.
 *
 * <p>Each transfer runs on its connection's thread. Everything else that waits for the store runs on one other thread, so the
 * methods that the coordinator calls return at once.
 */
public final class CheckpointService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointService.class);

    /** Training resumes from the newest one. The other one is kept in case that is damaged. */
    private static final int KEPT = 2;
    /** A transfer that stops for so long is given up; its task may have been disconnected without notice. */
    private static final int SILENCE_MILLIS = 60_000;
    /** Time to delete drafts when the job is over. */
    private static final int LAST_SECONDS = 5;

    private final CheckpointStore store;
    private final Listener listener;
    /** Of the files that a program left. */
    private final StoreOutage outage;

    private final ExecutorService storing = Executors.newSingleThreadExecutor(DaemonThreads.named("checkpoint"));
    private final PartialCheckpoints partial;
    private volatile long floatsOfModel = Long.MAX_VALUE;
    /** Tasks that were told where to read, and have not asked for the parameters after that. */
    private final Set<TaskId> readsFiles = ConcurrentHashMap.newKeySet();

    private final Set<TaskId> readsNoFiles = ConcurrentHashMap.newKeySet();

    /** Receives the events of checkpoints, on the service's threads. */
    public interface Listener {
        /** All shards have arrived; {@link #commit} or {@link #discard} the checkpoint. */
        void complete(CheckpointKey key);

        /** The checkpoint is committed; older ones can be deleted by {@link #prune}. */
        void saved(CheckpointKey key, SavedCheckpoint checkpoint);

        /** Something failed that does no harm. */
        void warned(String what);

        /** The store failed, and the checkpoint is discarded. */
        void notSaved(CheckpointKey key, Throwable cause);

        /** The transfer of {@code task} failed, and the checkpoint is discarded. The task may be lost. */
        void transferFailed(CheckpointKey key, TaskId task, IOException cause);

        /**
         * A checkpoint could not be read.
         *
         * @param damaged whether its content is at fault; otherwise the store has failed, perhaps for a while
         */
        void unreadable(String name, IOException cause, boolean damaged);
    }

    /**
     * Keeps checkpoints in {@code store}.
     *
     * @param patience how long a store may fail to keep the files that a program left
     */
    public CheckpointService(CheckpointStore store, Duration patience, Listener listener) {
        this.store = store;
        this.outage = new StoreOutage(patience);
        this.listener = listener;
        this.partial = new PartialCheckpoints(store, this::later, listener::warned);
    }

    /** A checkpoint with {@code floats} parameters is complete. */
    public void modelHas(int floats) {
        floatsOfModel = floats;
    }

    /** Returns the checkpoint to resume from, as {@link CheckpointSearch#newest}. */
    Optional<SavedCheckpoint> newest(Consumer<String> damaged) throws IOException {
        return new CheckpointSearch(store, damaged).newest();
    }

    /** Returns a checkpoint to resume from although a newer one cannot be read; empty if there is none. */
    Optional<SavedCheckpoint> newestReadable(Consumer<String> damaged) throws IOException {
        return new CheckpointSearch(store, damaged).newestReadable(Optional.empty());
    }

    // Transfers -------------------------------------------------------------------------------------------------------

    /** Serves the transfers of {@code task}, one after the other, until it closes the connection. */
    public void serve(Socket socket, TaskId task) throws IOException {
        DataInputStream in = CheckpointTransfer.input(socket);
        DataOutputStream out = CheckpointTransfer.output(socket);
        for (int purpose = in.read(); purpose >= 0; purpose = in.read()) {
            socket.setSoTimeout(SILENCE_MILLIS);
            serve(purpose, in, out, task);
            socket.setSoTimeout(0);
        }
    }

    private void serve(int purpose, DataInputStream in, DataOutputStream out, TaskId task) throws IOException {
        if (purpose == CheckpointTransfer.SAVE) {
            out.writeByte(receive(in, task) ? CheckpointTransfer.DONE : CheckpointTransfer.STORE_FAILED);
            out.flush();
        } else if (purpose == CheckpointTransfer.WHERE) {
            tellWhere(in.readUTF(), CheckpointTransfer.readRanges(in), out, task);
        } else if (purpose == CheckpointTransfer.LOAD) {
            if (readsFiles.remove(task)) {
                LOG.info("cannot read checkpoints from their files task={}", task);
                readsNoFiles.add(task);
            }
            send(in.readUTF(), CheckpointTransfer.readRanges(in), out);
        } else if (purpose == OutputTransfer.PURPOSE) {
            out.writeByte(receiveOutput(in));
            out.flush();
        } else {
            throw new IOException(task + " asked for an unknown checkpoint transfer: " + purpose);
        }
    }

    /** Returns false if the store has failed. */
    private boolean receive(DataInputStream in, TaskId task) throws IOException {
        MembershipNumber number = new MembershipNumber(in.readInt(), in.readInt());
        CheckpointKey key = new CheckpointKey(in.readLong(), number);
        int slots = in.readInt();
        PartialCheckpoint into = partial.begin(key);
        try {
            if (into.receive(in, slots, task) == floatsOfModel) {
                listener.complete(key);
            }
            return true;
        } catch (PartialCheckpoint.StoreException e) {
            if (partial.discard(key, into)) {
                listener.notSaved(key, e);
            }
            return false;
        } catch (IOException e) {
            if (partial.discard(key, into)) {
                listener.transferFailed(key, task, e);
            }
            throw e;
        } catch (RuntimeException | Error e) {
            // A part may be missing in the draft.
            if (partial.discard(key, into)) {
                listener.notSaved(key, e);
            }
            throw e;
        }
    }

    /** Returns the reply. */
    private byte receiveOutput(DataInputStream in) throws IOException {
        OutputFiles files = new OutputFiles(store);
        OutputTransfer.read(in, files::receive);
        Optional<IOException> failure = files.failure();
        if (failure.isEmpty()) {
            outage.over();
            return CheckpointTransfer.DONE;
        }
        boolean again = outage.failed(System.nanoTime()).isPresent();
        listener.warned("The program's files are not kept: " + failure.get() + (again ? "; trying again" : ""));
        return again ? CheckpointTransfer.STORE_FAILED : OutputTransfer.GIVE_UP;
    }

    /** Tells a task where it may read for itself, unless it could not do so before. */
    private void tellWhere(String name, Ranges wanted, DataOutputStream out, TaskId task) throws IOException {
        List<URI> addresses = readsNoFiles.contains(task) ? List.of() : store.addresses(name);
        if (addresses.isEmpty()) {
            readsFiles.remove(task);
            out.writeByte(CheckpointTransfer.DONE);
            StoredParts.NONE.write(out);
            return;
        }
        readsFiles.add(task);
        reading(name, checkpoint -> {
            StoredParts parts = new StoredParts(addresses, checkpoint.slots(), checkpoint.parts(wanted));
            sending(() -> {
                out.writeByte(CheckpointTransfer.DONE);
                parts.write(out);
            });
        });
    }

    private void send(String name, Ranges wanted, DataOutputStream out) throws IOException {
        reading(name, checkpoint -> {
            sending(() -> {
                out.writeByte(CheckpointTransfer.DONE);
                out.writeInt(checkpoint.slots());
            });
            checkpoint.read(wanted, (part, slots) -> sending(() -> send(part, slots, out)));
            sending(() -> CheckpointTransfer.writeEnd(out));
        });
    }

    private interface Reading {
        void run(CheckpointFile.Reader checkpoint) throws IOException;
    }

    /** Tells the listener if the checkpoint cannot be read. */
    private void reading(String name, Reading step) throws IOException {
        try (StoreInput file = new StoreInput(store, name)) {
            reading(name, file, step);
        } catch (TaskGoneException | UnreadableException e) {
            throw e;
        } catch (IOException e) {
            listener.unreadable(name, e, e instanceof FileNotFoundException);
            throw e;
        }
    }

    private void reading(String name, StoreInput file, Reading step) throws IOException {
        try {
            step.run(new CheckpointFile.Reader(file));
        } catch (TaskGoneException e) {
            throw e;
        } catch (IOException e) {
            listener.unreadable(name, e, file.failure().isEmpty());
            throw new UnreadableException(e);
        }
    }

    private static void send(CheckpointTransfer.Part part, int slots, DataOutputStream out) throws IOException {
        ByteBuffer bytes = CheckpointTransfer.buffer(slots);
        bytes.limit(part.floats().remaining() * Float.BYTES);
        bytes.asFloatBuffer().put(part.floats().duplicate());
        CheckpointTransfer.writePart(out, part.range(), bytes);
    }

    /** Distinguishes a task that is gone from a file that cannot be read. */
    private static void sending(Sending step) throws TaskGoneException {
        try {
            step.run();
        } catch (IOException e) {
            throw new TaskGoneException(e);
        }
    }

    /** The listener was told of it. */
    private static final class UnreadableException extends IOException {
        private static final long serialVersionUID = 1;

        UnreadableException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private interface Sending {
        void run() throws IOException;
    }

    private static final class TaskGoneException extends IOException {
        private static final long serialVersionUID = 1;

        TaskGoneException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    // Methods that the coordinator calls; all return at once ----------------------------------------------------------

    /** Commits a complete checkpoint, with the losses before its step. */
    void commit(CheckpointKey key, StepLosses.State losses) {
        later(() -> partial.find(key).ifPresent(whole -> commit(key, whole, losses)));
    }

    private void commit(CheckpointKey key, PartialCheckpoint whole, StepLosses.State losses) {
        try {
            SavedCheckpoint saved = whole.commit(key.step(), losses);
            partial.remove(key, whole);
            if (saved != null) {
                listener.saved(key, saved);
            }
        } catch (Throwable e) {
            partial.remove(key, whole);
            listener.notSaved(key, e);
        }
    }

    /** Discards the checkpoints before {@code key}, which will not be completed any more. */
    void discardBefore(CheckpointKey key) {
        partial.discardBefore(key);
    }

    /** Discards all checkpoints that are not committed, because the job went back. */
    void discardAll() {
        partial.discardAll();
    }

    /** Discards one checkpoint that is not committed. */
    void discard(CheckpointKey key) {
        partial.discard(key);
    }

    /** Deletes the checkpoints before {@code newest}, except the one right before it. */
    void prune(String newest) {
        later(() -> {
            try {
                List<String> names = new ArrayList<>(store.names());
                names.removeIf(name -> !name.startsWith(CheckpointKey.PREFIX) || name.compareTo(newest) > 0);
                for (String old : names.subList(0, Math.max(0, names.size() - KEPT))) {
                    store.delete(old);
                }
            } catch (IOException e) {
                listener.warned("Old checkpoints are not deleted: " + e.getMessage());
            }
        });
    }

    /** Looks for a checkpoint before {@code newer} that can be read; {@code found} is called by the service's thread. */
    public void findBefore(String newer, Consumer<Optional<SavedCheckpoint>> found) {
        later(() -> {
            Optional<SavedCheckpoint> older = Optional.empty();
            try {
                older = new CheckpointSearch(store, listener::warned).newestReadable(Optional.of(newer));
            } catch (IOException e) {
                listener.warned("Older checkpoints cannot be read: " + e.getMessage());
            }
            found.accept(older);
        });
    }

    /** Writes the parameters of {@code checkpoint} as a model; {@code done} is called by the service's thread. */
    public void writeModel(
            String checkpoint, String model, List<ParameterBlock> blocks, Consumer<Optional<IOException>> done) {
        later(() -> {
            Optional<IOException> failed = Optional.empty();
            try (Draft draft = store.create(model)) {
                ModelFile.write(store, checkpoint, blocks, draft.out());
                draft.commit();
            } catch (IOException e) {
                failed = Optional.of(e);
            } catch (Throwable e) {
                failed = Optional.of(new IOException(e.toString(), e));
            }
            done.accept(failed);
        });
    }

    /** Runs {@code task} on the one thread that may wait for the store. */
    private void later(Runnable task) {
        try {
            storing.execute(task);
        } catch (RejectedExecutionException e) {
            // The service was closed after it had saved what it could.
        }
    }

    /** Deletes what is not committed, and waits for that a few seconds at most. */
    @Override
    public void close() {
        discardAll();
        storing.shutdown();
        try {
            if (!storing.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS)) {
                storing.shutdownNow();
            }
        } catch (InterruptedException e) {
            storing.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
