package io.optimus.am.wire.files;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The file of a checkpoint, which a task reads without the coordinator. */
interface StoredFile extends StoredPart.Bytes, Closeable {
    /**
     * Opens a file.
     *
     * @param address one of {@link StoredParts#addresses}
     * @param parts what will be read of it, in this order
     * @param slots the state slots of each part
     * @throws IOException if it cannot be reached from here
     */
    static StoredFile open(URI address, List<StoredPart> parts, int slots) throws IOException {
        return switch (address.getScheme()) {
            case "file" -> new OnDisk(FileChannel.open(Path.of(address)));
            case "http" -> new OverHttp(address, parts, slots);
            default -> throw new IOException("no task reads " + address);
        };
    }

    /** A file of this host, or of a file system that is mounted here. */
    record OnDisk(FileChannel file) implements StoredFile {
        @Override
        public void read(long from, byte[] into, int count) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(into, 0, count);
            while (rest.hasRemaining()) {
                if (file.read(rest, from + rest.position()) < 0) {
                    throw new EOFException("the file ends before byte " + (from + count));
                }
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** A file of a WebHDFS. Parts that are near each other come with one request. */
    final class OverHttp implements StoredFile {
        private static final int CONNECT_MILLIS = 3_000;
        private static final int SILENCE_MILLIS = 10_000;
        private static final int BUFFER_BYTES = 1 << 16;
        /** Reading over so many bytes takes less time than another request, which a NameNode and a DataNode have to answer. */
        private static final long LONGEST_GAP = 3 << 20;

        private final URI address;
        /** The end of what one request fetches, by its beginning. */
        private final TreeMap<Long, Long> extents = new TreeMap<>();

        private @Nullable InputStream in;
        private long position;
        private long end;

        OverHttp(URI address, List<StoredPart> parts, int slots) {
            this.address = address;
            long from = -1;
            for (StoredPart part : parts) {
                if (from < 0 || part.position() - extents.getOrDefault(from, 0L) > LONGEST_GAP) {
                    from = part.position();
                }
                extents.put(from, part.end(slots));
            }
        }

        @Override
        public void read(long from, byte[] into, int count) throws IOException {
            InputStream stream = in;
            if (stream == null || from < position || from + count > end) {
                stream = request(from, from + count);
            }
            stream.skipNBytes(from - position);
            int read = stream.readNBytes(into, 0, count);
            position = from + read;
            if (read < count) {
                throw new EOFException("the answer ends before byte " + (from + count));
            }
        }

        /** Asks for the extent that {@code from} is in. */
        private InputStream request(long from, long least) throws IOException {
            close();
            Long begin = extents.floorKey(from);
            position = begin == null ? from : begin;
            end = Math.max(least, extents.getOrDefault(position, least));
            URI part = URI.create(address + "&offset=" + position + "&length=" + (end - position));
            HttpURLConnection connection = (HttpURLConnection) part.toURL().openConnection();
            connection.setConnectTimeout(CONNECT_MILLIS);
            connection.setReadTimeout(SILENCE_MILLIS);
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                connection.disconnect();
                throw new IOException(part.getHost() + " answers " + status);
            }
            InputStream opened = new BufferedInputStream(connection.getInputStream(), BUFFER_BYTES);
            in = opened;
            return opened;
        }

        @Override
        public void close() throws IOException {
            InputStream open = in;
            in = null;
            if (open != null) {
                open.close();
            }
        }
    }
}
