package io.optimus.am.checkpoint;

import java.io.IOException;
import java.util.SortedSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Injects faults into a store: it refuses new files, fails while reading, or blocks while a file is begun. */
public final class FaultyStore implements CheckpointStore {
    private final CheckpointStore sound;
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile @Nullable Throwable refusal;
    private volatile @Nullable IOException readFailure;
    private volatile @Nullable CountDownLatch gate;

    private volatile Predicate<String> unreadable = name -> true;
    private volatile Predicate<String> damaged = name -> false;
    private volatile Predicate<String> spoiled = name -> false;

    public FaultyStore(CheckpointStore sound) {
        this.sound = sound;
    }

    /** Lets every new file fail with {@code how}, an IOException or an Error. */
    public void refuse(Throwable how) {
        refusal = how;
    }

    /** Lets everything succeed again. */
    public void heal() {
        refusal = null;
        readFailure = null;
    }

    /** Lets the reading of every file fail with {@code how} in its middle. */
    public void failReading(IOException how) {
        readFailure = how;
    }

    /** Lets only the reading of files whose names are {@code which} fail. */
    public void failReading(IOException how, Predicate<String> which) {
        unreadable = which;
        readFailure = how;
    }

    /** New files wait until {@link #release}. */
    public void block() {
        gate = new CountDownLatch(1);
    }

    void awaitBlocked() throws InterruptedException {
        blocked.await();
    }

    void awaitDraft() throws InterruptedException {
        begun.await();
    }

    public void release() {
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
        if (refusal instanceof IOException exception) {
            throw exception;
        }
        return sound.createOutput(name);
    }

    /** Cuts off the files whose names are {@code which}, as they are read. */
    public void damage(Predicate<String> which) {
        damaged = which;
    }

    /** Changes one byte of the first parameters in the files whose names are {@code which}. */
    public void spoil(Predicate<String> which) {
        spoiled = which;
    }

    @Override
    public Input open(String name) throws IOException {
        IOException how = readFailure;
        return new FaultyInput(
                sound.open(name),
                how != null && unreadable.test(name) ? how : null,
                damaged.test(name),
                spoiled.test(name));
    }

    /** A file that fails after the first read, that is cut off, or of which one byte is changed. */
    private static final class FaultyInput implements Input {
        private static final int CUT_AT = 1_000;
        private static final int SPOILED_AT = 100;
        private final Input sound;
        private final @Nullable IOException failure;
        private final boolean isCut;
        private final boolean isSpoiled;
        private boolean hasRead;
        private long position;

        FaultyInput(Input sound, @Nullable IOException failure, boolean isCut, boolean isSpoiled) {
            this.sound = sound;
            this.failure = failure;
            this.isCut = isCut;
            this.isSpoiled = isSpoiled;
        }

        @Override
        public long length() throws IOException {
            return isCut ? Math.min(CUT_AT, sound.length()) : sound.length();
        }

        @Override
        public void seek(long to) throws IOException {
            sound.seek(to);
            position = to;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (hasRead && failure != null) {
                throw failure;
            }
            hasRead = true;
            int count = sound.read(bytes, offset, length);
            long at = SPOILED_AT - position;
            if (isSpoiled && at >= 0 && at < count) {
                bytes[offset + (int) at]++;
            }
            position += count;
            return count;
        }

        @Override
        public void close() throws IOException {
            sound.close();
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
