package io.optimus.am.coordinator;

import io.optimus.am.coordinator.CheckpointStore.Draft;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.wire.CheckpointTransfer;
import io.optimus.am.wire.Daemons;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the parts of checkpoints from the servers into files, and hands files out to them. Each transfer is served on
 * its connection's thread; commits have a thread of their own.
 */
final class CheckpointDesk implements AutoCloseable {
    static final String PREFIX = "checkpoint-";
    /** One to resume from, and one more in case it is damaged. */
    private static final int KEPT = 2;
    /** A transfer that stops in the middle is given up; its task may have been cut off without a word. */
    private static final int SILENCE_MILLIS = 60_000;

    private final CheckpointStore store;
    private final Events events;
    private final ExecutorService committing = Executors.newSingleThreadExecutor(Daemons.named("checkpoint"));
    private final Map<Key, Pending> pending = new TreeMap<>();

    /** What becomes of checkpoints; called from the desk's threads. */
    interface Events {
        /** All parts have come; {@link #commit} or {@link #forget} it. */
        void complete(Key key);

        /** It is committed; older ones can be given up by {@link #prune}. */
        void saved(Key key, SavedState state);

        /** Something is not as it should be, and does no harm. */
        void warned(String what);

        /** It is not, or it could not be read. */
        void failed(String what, IOException cause);
    }

    /** One checkpoint in the making. */
    record Key(long step, MembershipNumber number) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return step != other.step ? Long.compare(step, other.step) : number.compareTo(other.number);
        }
    }

    private static final class Pending {
        final Draft draft;
        final CheckpointFile.Writer writer;
        final Set<TaskId> contributors = new HashSet<>();
        long floats;

        Pending(Draft draft, int slots) throws IOException {
            this.draft = draft;
            this.writer = new CheckpointFile.Writer(draft.out(), slots);
        }
    }

    private volatile long floatsOfModel = Long.MAX_VALUE;

    CheckpointDesk(CheckpointStore store, Events events) {
        this.store = store;
        this.events = events;
    }

    /** How many parameters make a whole checkpoint. */
    void modelHas(int floats) {
        floatsOfModel = floats;
    }

    /** The newest checkpoint that is whole; names of damaged ones go to {@code damaged}. */
    Optional<SavedState> newest(Consumer<String> damaged) throws IOException {
        List<String> names = new ArrayList<>(store.names());
        names.removeIf(name -> !name.startsWith(PREFIX));
        Collections.reverse(names);
        for (String name : names) {
            try (InputStream in = store.open(name)) {
                CheckpointFile.Meta meta = CheckpointFile.read(in, slots -> {}, (part, slots) -> {});
                return Optional.of(new SavedState(name, meta.step(), meta.floats(), meta.ledger()));
            } catch (IOException | RuntimeException e) {
                damaged.accept("Checkpoint " + name + " is not used: " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    /** Serves one transfer of {@code task}. */
    void serve(Socket socket, TaskId task) throws IOException {
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
        Pending into = null;
        long floats;
        try {
            into = begin(key, slots, task);
            floats = readInto(into, in, slots);
        } catch (IOException e) {
            forget(key);
            events.failed("Checkpoint before step " + key.step + " from " + task, e);
            throw e;
        }
        if (into != null && counted(into, floats)) {
            events.complete(key);
        }
    }

    /** Floats that were read; into nowhere where {@code into} is null. */
    private static long readInto(@Nullable Pending into, DataInputStream in, int slots) throws IOException {
        long[] floats = new long[1];
        CheckpointTransfer.readParts(in, slots, (part, s) -> {
            if (into != null) {
                into.writer.add(part);
                floats[0] += part.range().length();
            }
        });
        return floats[0];
    }

    /** Null when this task has contributed already: a repeated order, whose parts are dropped. */
    private synchronized @Nullable Pending begin(Key key, int slots, TaskId task) throws IOException {
        Pending into = pending.get(key);
        if (into == null) {
            into = new Pending(store.create(name(key)), slots);
            pending.put(key, into);
        }
        return into.contributors.add(task) ? into : null;
    }

    private synchronized boolean counted(Pending into, long floats) {
        into.floats += floats;
        return into.floats == floatsOfModel;
    }

    /** Commits a complete checkpoint with what the ledger knew at its step. */
    void commit(Key key, LossLedger.State ledger) {
        committing.execute(() -> {
            Pending whole = remove(key);
            if (whole == null) {
                return;
            }
            try (Draft draft = whole.draft) {
                whole.writer.finish(new CheckpointFile.Meta(key.step, (int) whole.floats, ledger));
                draft.commit();
                events.saved(key, new SavedState(name(key), key.step, (int) whole.floats, ledger));
            } catch (IOException e) {
                events.failed("Checkpoint before step " + key.step, e);
            }
        });
    }

    /** Drops what is incomplete and will not be completed: its step was broken off. */
    void forgetIncomplete() {
        List<Key> keys;
        synchronized (this) {
            keys = pending.entrySet().stream()
                    .filter(entry -> entry.getValue().floats != floatsOfModel)
                    .map(Map.Entry::getKey)
                    .toList();
        }
        keys.forEach(this::forget);
    }

    void forget(Key key) {
        Pending dropped = remove(key);
        if (dropped != null) {
            try {
                dropped.draft.close();
            } catch (IOException e) {
                events.failed("Draft of the checkpoint before step " + key.step, e);
            }
        }
    }

    private synchronized @Nullable Pending remove(Key key) {
        return pending.remove(key);
    }

    /** Deletes what is older than {@code newest} and the one before it; what is newer stays. */
    void prune(String newest) {
        committing.execute(() -> {
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

    /** Sorts by step, then by membership. */
    private static String name(Key key) {
        return String.format(
                Locale.ROOT, "%s%012d-%04d.%06d", PREFIX, key.step, key.number.attempt(), key.number.number());
    }

    private void give(String name, DataOutputStream out) throws IOException {
        try (InputStream file = store.open(name)) {
            CheckpointFile.read(
                    file,
                    slots -> {
                        out.writeByte(1);
                        out.writeInt(slots);
                    },
                    (part, slots) -> {
                        var bytes = CheckpointTransfer.buffer(slots);
                        bytes.limit((1 + slots) * part.range().length() * Float.BYTES);
                        bytes.asFloatBuffer().put(part.floats());
                        CheckpointTransfer.writePart(out, part.range(), bytes);
                    });
            CheckpointTransfer.writeEnd(out);
        } catch (IOException e) {
            events.failed("Checkpoint " + name, e);
            throw e;
        }
    }

    /** Writes the parameters of {@code checkpoint} as a model named {@code model}; its outcome on the desk's thread. */
    void writeModel(
            String checkpoint, String model, List<ParameterBlock> blocks, Consumer<Optional<IOException>> done) {
        committing.execute(() -> {
            try (InputStream in = store.open(checkpoint);
                    Draft draft = store.create(model)) {
                CheckpointFile.writeModel(in, blocks, draft.out());
                draft.commit();
                done.accept(Optional.empty());
            } catch (IOException e) {
                done.accept(Optional.of(e));
            }
        });
    }

    @Override
    public void close() {
        committing.shutdownNow();
        List<Key> left;
        synchronized (this) {
            left = List.copyOf(pending.keySet());
        }
        left.forEach(this::forget);
    }
}
