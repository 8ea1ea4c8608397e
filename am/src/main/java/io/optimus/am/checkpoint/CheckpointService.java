package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.CheckpointTransfer;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Gathers the parts of checkpoints from the servers into files, and hands files out to them. Each transfer is served on
 * its connection's thread; what else waits for the store has a thread of its own. So whoever asks for it need not wait.
 */
public final class CheckpointService implements AutoCloseable {
    static final String PREFIX = "checkpoint-";
    /** One to resume from, and one more in case it is damaged. */
    private static final int KEPT = 2;
    /** A transfer that stops in the middle is given up; its task may have been cut off without a word. */
    private static final int SILENCE_MILLIS = 60_000;
    /** For drafts to be deleted when the job is over. */
    private static final int LAST_SECONDS = 5;

    private final CheckpointStore store;
    private final Events events;
    private final ExecutorService committing = Executors.newSingleThreadExecutor(DaemonThreads.named("checkpoint"));
    private final PartialCheckpoints gatherings;

    /** What becomes of checkpoints; called from the desk's threads. */
    public interface Events {
        /** All parts have come; {@link #commit} or {@link #forget} it. */
        void complete(Key key);

        /** It is committed; older ones can be given up by {@link #prune}. */
        void saved(Key key, SavedCheckpoint state);

        /** Something is not as it should be, and does no harm. */
        void warned(String what);

        /** The store did not take it. */
        void notSaved(Key key, Throwable cause);

        /** The transfer of {@code task}, which may be lost, ended too early: it is forgotten. */
        void brokenOff(Key key, TaskId task, IOException cause);

        /** It could not be read from the store. */
        void unreadable(String name, IOException cause);
    }

    /** One checkpoint in the making. */
    public record Key(long step, MembershipNumber number) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return step != other.step ? Long.compare(step, other.step) : number.compareTo(other.number);
        }

        /** Of its file; sorts as keys do. */
        String name() {
            return String.format(Locale.ROOT, "%s%012d-%04d.%06d", PREFIX, step, number.attempt(), number.number());
        }
    }

    private volatile long floatsOfModel = Long.MAX_VALUE;

    public CheckpointService(CheckpointStore store, Events events) {
        this.store = store;
        this.events = events;
        this.gatherings = new PartialCheckpoints(store, this::later, events::warned);
    }

    /** How many parameters make a whole checkpoint. */
    public void modelHas(int floats) {
        floatsOfModel = floats;
    }

    /** As {@link CheckpointSearch}. */
    Optional<SavedCheckpoint> newest(Consumer<String> damaged) throws IOException {
        return new CheckpointSearch(store, damaged).newest();
    }

    /** Serves one transfer of {@code task}. */
    public void serve(Socket socket, TaskId task) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        DataInputStream in = CheckpointTransfer.input(socket);
        DataOutputStream out = CheckpointTransfer.output(socket);
        byte what = in.readByte();
        if (what == 'S') {
            take(in, task);
            out.writeByte(1);
            out.flush();
        } else if (what == 'L') {
            give(in.readUTF(), out);
        } else {
            throw new IOException(task + " asked for an unknown checkpoint transfer: " + what);
        }
    }

    private void take(DataInputStream in, TaskId task) throws IOException {
        MembershipNumber number = new MembershipNumber(in.readInt(), in.readInt());
        Key key = new Key(in.readLong(), number);
        int slots = in.readInt();
        PartialCheckpoint into = gatherings.begin(key);
        try {
            if (into.take(in, slots, task) == floatsOfModel) {
                events.complete(key);
            }
        } catch (PartialCheckpoint.StoreException e) {
            if (gatherings.forget(key, into)) {
                events.notSaved(key, e);
            }
            throw e;
        } catch (IOException e) {
            if (gatherings.forget(key, into)) {
                events.brokenOff(key, task, e);
            }
            throw e;
        }
    }

    /** Commits a complete checkpoint with what the ledger knew at its step. */
    void commit(Key key, StepLosses.State ledger) {
        later(() -> gatherings.find(key).ifPresent(whole -> commit(key, whole, ledger)));
    }

    private void commit(Key key, PartialCheckpoint whole, StepLosses.State ledger) {
        try {
            SavedCheckpoint state = whole.commit(key.step, ledger);
            gatherings.remove(key, whole);
            if (state != null) {
                events.saved(key, state);
            }
        } catch (Throwable e) {
            gatherings.remove(key, whole);
            events.notSaved(key, e);
        }
    }

    /** Drops what will not be completed, for a later one is. */
    void forgetBefore(Key key) {
        gatherings.forgetBefore(key);
    }

    /** Drops all: the job went back. */
    void forgetAll() {
        gatherings.forgetAll();
    }

    /** Drops one; never waits, not even for the store. */
    void forget(Key key) {
        gatherings.forget(key);
    }

    /** On the one thread that may wait for the store. */
    private void later(Runnable task) {
        try {
            committing.execute(task);
        } catch (RejectedExecutionException e) {
            // Closed already: all that could be kept is kept.
        }
    }

    /** Deletes what is older than {@code newest} and the one before it; what is newer stays. */
    void prune(String newest) {
        later(() -> {
            try {
                List<String> names = new ArrayList<>(store.names());
                names.removeIf(name -> !name.startsWith(PREFIX) || name.compareTo(newest) > 0);
                for (String old : names.subList(0, Math.max(0, names.size() - KEPT))) {
                    store.delete(old);
                }
            } catch (IOException e) {
                events.warned("Old checkpoints are not deleted: " + e.getMessage());
            }
        });
    }

    private void give(String name, DataOutputStream out) throws IOException {
        try (InputStream file = store.open(name)) {
            CheckpointReply.give(file, out);
        } catch (CheckpointReply.BrokenOff e) {
            throw e;
        } catch (IOException e) {
            events.unreadable(name, e);
            throw e;
        }
    }

    /** Writes the parameters of {@code checkpoint} as a model named {@code model}; its outcome on the desk's thread. */
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

    @Override
    public void close() {
        forgetAll();
        committing.shutdown();
        try {
            if (!committing.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS)) {
                committing.shutdownNow();
            }
        } catch (InterruptedException e) {
            committing.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
