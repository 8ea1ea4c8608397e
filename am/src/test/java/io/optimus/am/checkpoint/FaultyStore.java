package io.optimus.am.checkpoint;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.SortedSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Injects faults into a store: it refuses new files, fails while reading, or blocks while a file is begun. */
final class FaultyStore implements CheckpointStore {
    private final CheckpointStore sound;
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile @Nullable Throwable refusal;
    private volatile @Nullable IOException readFailure;
    private volatile @Nullable CountDownLatch gate;

    FaultyStore(CheckpointStore sound) {
        this.sound = sound;
    }

    /** Lets every new file fail with {@code how}, an IOException or an Error. */
    void refuse(Throwable how) {
        refusal = how;
    }

    /** Lets the reading of every file fail with {@code how} in its middle. */
    void failReading(IOException how) {
        readFailure = how;
    }

    void block() {
        gate = new CountDownLatch(1);
    }

    void awaitBlocked() throws InterruptedException {
        blocked.await();
    }

    void awaitDraft() throws InterruptedException {
        begun.await();
    }

    void release() {
        CountDownLatch closed = gate;
        if (closed != null) {
            closed.countDown();
        }
    }

    @Override
    public Draft create(String name) throws IOException {
        Throwable how = refusal;
        if (how instanceof Error error) {
            throw error;
        } else if (how instanceof IOException exception) {
            throw exception;
        }
        CountDownLatch closed = gate;
        if (closed != null) {
            blocked.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        Draft draft = sound.create(name);
        begun.countDown();
        return draft;
    }

    @Override
    public Draft createOutput(String name) throws IOException {
        return sound.createOutput(name);
    }

    @Override
    public InputStream open(String name) throws IOException {
        IOException how = readFailure;
        InputStream file = sound.open(name);
        return how == null
                ? file
                : new SequenceInputStream(new ByteArrayInputStream(file.readNBytes(1_000)), new Failing(how));
    }

    private static final class Failing extends InputStream {
        private final IOException how;

        Failing(IOException how) {
            this.how = how;
        }

        @Override
        public int read() throws IOException {
            throw how;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            throw how;
        }
    }

    @Override
    public SortedSet<String> names() throws IOException {
        return sound.names();
    }

    @Override
    public void delete(String name) throws IOException {
        sound.delete(name);
    }
}
