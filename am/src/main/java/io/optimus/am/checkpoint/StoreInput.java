package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Input;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads any part of a file, and remembers whether the store failed meanwhile. If it did, what was read tells nothing about the
 * file.
 *
 * <p>No stream seeks backwards, on which clients of object stores give up reading ahead. Who jumps back gets another stream, and
 * later goes on with the one that is least far behind.
 */
final class StoreInput implements Closeable {
    /** As many servers as this have their parts read in turns without opening the file anew. */
    private static final int MOST_STREAMS = 8;

    private final CheckpointStore store;
    private final String name;
    private final long length;
    /** The one that was used last comes last. */
    private final List<Stream> streams = new ArrayList<>();

    private @Nullable IOException failure;

    private interface Use<T> {
        T run() throws IOException;
    }

    private static final class Stream {
        final Input file;
        long position;

        Stream(Input file) {
            this.file = file;
        }

        long position() {
            return position;
        }
    }

    /**
     * Opens a committed file.
     *
     * @throws java.io.FileNotFoundException if there is no such file
     */
    StoreInput(CheckpointStore store, String name) throws IOException {
        this.store = store;
        this.name = name;
        Stream first = new Stream(store.open(name));
        streams.add(first);
        this.length = first.file.length();
    }

    /** The store's failure; empty if what was read is what the file holds. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    /** The length of the file in bytes. */
    long length() {
        return length;
    }

    /**
     * Reads {@code count} bytes from position {@code from} on, which costs least where an earlier call ended.
     *
     * @throws EOFException if the file ends before
     */
    void read(long from, byte[] into, int count) throws IOException {
        Stream stream = before(from);
        if (from > stream.position) {
            using(() -> {
                stream.file.seek(from);
                return from;
            });
            stream.position = from;
        }
        int done = 0;
        while (done < count) {
            int before = done;
            int read = using(() -> stream.file.read(into, before, count - before));
            if (read < 0) {
                throw new EOFException("the file ends at byte " + stream.position);
            }
            done += read;
            stream.position += read;
        }
    }

    private Stream before(long from) throws IOException {
        Optional<Stream> behind =
                streams.stream().filter(each -> each.position <= from).max(Comparator.comparingLong(Stream::position));
        Stream chosen = behind.isPresent() ? behind.get() : new Stream(using(() -> store.open(name)));
        streams.remove(chosen);
        streams.add(chosen);
        if (streams.size() > MOST_STREAMS) {
            Stream oldest = streams.remove(0);
            using(() -> {
                oldest.file.close();
                return oldest;
            });
        }
        return chosen;
    }

    private <T> T using(Use<T> use) throws IOException {
        try {
            return use.run();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        for (Stream stream : streams) {
            stream.file.close();
        }
    }
}
