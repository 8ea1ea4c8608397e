package io.optimus.am.wire.shards;

import io.optimus.am.wire.Calls;
import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.Handshake.Purpose;
import io.optimus.am.wire.KeepAlive;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskEnvironment;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection for gradients, parameters and shards. A frame is a {@link ShardHeader} and little-endian words. Buffers
 * are direct and reused. One thread reads; the same or another one writes. Both calls block. Any thread may close the connection,
 * which wakes them.
 */
public final class ShardChannel implements Closeable {
    private static final int CONNECT_MILLIS = 5_000;
    private static final Duration LONGEST_CALL = Duration.ofSeconds(5);
    /** Enough for a small model. */
    private static final int FIRST_BYTES = 1 << 16;
    /**
     * The fewest floats of a part in which a server answers a step, unless its shard has fewer. A worker that pushes no more than
     * that has sent all when the answer comes; one that pushes more must read meanwhile, or both would wait for each other.
     */
    public static final int SHORTEST_PART = 1 << 16;
    /** Floats of a shard that a server copies and sends at a time: the next ones are copied while these are on their way. */
    public static final int SENT_FLOATS = 1 << 15;
    /** Floats that are skipped at a time. */
    private static final int SKIPPED = 1 << 16;

    /** Parts of a push into which one call of the system reads. */
    private static final int READ_AT_ONCE = 16;

    /** Each one collects garbage, and waits half a second for memory. */
    private static final int ATTEMPTS = 6;

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final SocketChannel channel;
    private ByteBuffer input = buffer(0);
    /** The settings and parts of a push in the order in which they arrive. */
    private ByteBuffer[] arriving = {};

    private ByteBuffer output = buffer(0);

    private ShardChannel(SocketChannel channel) {
        this.channel = channel;
    }

    private static ShardChannel ofTcp(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        KeepAlive.on(channel.socket());
        return new ShardChannel(channel);
    }

    /**
     * Connects to a server; again for some seconds where it breaks off, but not where nothing listens. A server on the same host
     * is connected without the network where possible.
     *
     * @param self the task that calls
     */
    public static ShardChannel call(Message.ServerAddress server, TaskEnvironment self) throws IOException {
        boolean isLocal = server.host().equals(self.host());
        return call(server, self, isLocal ? Purpose.LOCAL_SHARDS : Purpose.SHARDS);
    }

    /** Connects to a server by the network, see {@link #awaitCut}. */
    public static ShardChannel callByNetwork(Message.ServerAddress server, TaskEnvironment self) throws IOException {
        return call(server, self, Purpose.SHARDS);
    }

    private static ShardChannel call(Message.ServerAddress server, TaskEnvironment self, Purpose purpose)
            throws IOException {
        return Calls.repeat(
                LONGEST_CALL, failure -> !(failure instanceof ConnectException), () -> callOnce(server, self, purpose));
    }

    private static ShardChannel callOnce(Message.ServerAddress server, TaskEnvironment self, Purpose purpose)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(new InetSocketAddress(server.host(), server.port()), CONNECT_MILLIS);
            Handshake.call(channel.socket(), self.task(), purpose, self.secret());
            SocketChannel agreed = purpose == Purpose.LOCAL_SHARDS ? LocalConnection.offer(channel) : channel;
            return agreed == channel ? ofTcp(channel) : new ShardChannel(agreed);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * The connection of a task that has called a server.
     *
     * @param channel after the handshake; it is closed if another one takes its place
     * @param purpose what the task has called for
     * @throws IOException if it did not call a server
     */
    public static ShardChannel answer(SocketChannel channel, Purpose purpose) throws IOException {
        return switch (purpose) {
            case SHARDS -> ofTcp(channel);
            case LOCAL_SHARDS -> {
                SocketChannel agreed = LocalConnection.take(channel);
                yield agreed == channel ? ofTcp(channel) : new ShardChannel(agreed);
            }
            case CONTROL, CHECKPOINT, TAKE_OVER -> throw new IOException(
                    "Took a parameter server for the coordinator, to speak about " + purpose);
        };
    }

    /** Whether no network is between the two ends. */
    boolean isLocal() throws IOException {
        return channel.getRemoteAddress() instanceof UnixDomainSocketAddress;
    }

    /**
     * Waits on a connection that carries nothing until it fails, which tells of a cut between the two hosts within 14 seconds.
     *
     * @return whether the network is cut; otherwise the other end has closed the connection
     */
    public boolean awaitCut() {
        try {
            KeepAlive.quick(channel.socket());
            readHeader();
            return false;
        } catch (IOException e) {
            return isCut(e);
        }
    }

    private static boolean isCut(IOException failure) {
        // The system's words for ETIMEDOUT, EHOSTUNREACH and ENETUNREACH, for which Java has no types.
        String words = String.valueOf(failure.getMessage());
        return words.contains("timed out") || words.contains("No route to host") || words.contains("unreachable");
    }

    /** Returns a direct buffer for a frame of {@code floats}. */
    public static ByteBuffer buffer(int floats) {
        return direct(ShardHeader.BYTES + floats * Float.BYTES);
    }

    /**
     * Returns a little-endian direct buffer. Only a collection gives back the memory of a buffer that was replaced, on a busy machine
     * later than Java waits for it, which is half a second.
     *
     * @throws OutOfMemoryError if the memory for direct buffers is used up
     */
    public static ByteBuffer direct(int bytes) {
        int attempt = 1;
        while (true) {
            try {
                return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
            } catch (OutOfMemoryError e) {
                if (attempt++ == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Returns the output buffer with {@code header}, positioned where the floats go. It is valid until the next call.
     */
    public ByteBuffer begin(ShardHeader header) {
        if (output.capacity() < ShardHeader.BYTES + header.words() * Float.BYTES) {
            output = buffer(header.words());
        }
        output.clear();
        header.putInto(output);
        output.limit(ShardHeader.BYTES + header.words() * Float.BYTES);
        return output;
    }

    /** Returns the output buffer for {@code words} more of a frame. It is valid until the next call. */
    public ByteBuffer beginMore(int words) {
        int bytes = words * Float.BYTES;
        if (output.capacity() < bytes) {
            output = direct(bytes);
        }
        return output.clear().limit(bytes);
    }

    /** Sends the buffer that {@link #begin} or {@link #beginMore} returned, from its first byte to its limit. */
    public void send() throws IOException {
        output.position(0);
        write(output);
    }

    /**
     * Sends a frame from where its floats are, without a copy in this process.
     *
     * @param settings the first floats
     * @param floats the bytes of the others, from each buffer's position to its limit; {@link #sendMore} sends those that the header
     *     announces and that are not among them
     */
    public void send(ShardHeader header, float[] settings, List<ByteBuffer> floats) throws IOException {
        int bytes = ShardHeader.BYTES + settings.length * Float.BYTES;
        if (output.capacity() < bytes) {
            output = direct(bytes);
        }
        header.putInto(output.clear());
        for (float setting : settings) {
            output.putFloat(setting);
        }
        List<ByteBuffer> frame = new ArrayList<>(List.of(output.flip()));
        frame.addAll(floats);
        write(frame.toArray(ByteBuffer[]::new));
    }

    /** Sends more floats of a frame. */
    public void sendMore(List<ByteBuffer> floats) throws IOException {
        write(floats.toArray(ByteBuffer[]::new));
    }

    private void write(ByteBuffer[] frame) throws IOException {
        int first = 0;
        while (first < frame.length) {
            channel.write(frame, first, frame.length - first);
            while (first < frame.length && !frame[first].hasRemaining()) {
                first++;
            }
        }
    }

    /** Sends a frame from another buffer, and moves its position to its limit. */
    public void write(ByteBuffer frame) throws IOException {
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    /** Reads the next frame's header. */
    public ShardHeader readHeader() throws IOException {
        fill(ShardHeader.BYTES);
        return ShardHeader.from(input);
    }

    /** Reads the frame's words into the input buffer. They begin at position 0 and are valid until the next read. */
    public ByteBuffer readFloats(ShardHeader header) throws IOException {
        fill(header.words() * Float.BYTES);
        return input;
    }

    /**
     * Makes room for all of a push, which {@link #readPart} then reads. The caller must know that the sender may send so many floats.
     *
     * @param format of the gradient, whose last part comes first; settings come before it
     * @return the push, as far as it has arrived; valid until the next frame
     */
    public PushedFloats beginPush(ShardHeader header, ShardFormat format) {
        int bytes = header.words() * Float.BYTES;
        if (input.capacity() < bytes) {
            // The memory of the old one may be needed for the new one.
            arriving = new ByteBuffer[0];
            input = EMPTY;
            input = direct(bytes);
        }
        input.clear().limit(bytes);
        int settings = header.words() - format.words();
        int parts = format.parts().count();
        arriving = new ByteBuffer[parts + 1];
        arriving[0] = input.slice(0, settings * Float.BYTES);
        for (int part = 0; part < parts; part++) {
            int before = format.wordsBefore(part);
            int words = format.wordsBefore(part + 1) - before;
            arriving[parts - part] = input.slice((settings + before) * Float.BYTES, words * Float.BYTES);
        }
        return new PushedFloats(input, format, settings);
    }

    /** Reads until all of a part has arrived, which all parts behind it and the settings do before, and perhaps more. */
    public void readPart(int part) throws IOException {
        int last = arriving.length - 1 - part;
        int first = 0;
        while (arriving[0].hasRemaining() || arriving[last].hasRemaining()) {
            while (!arriving[first].hasRemaining()) {
                first++;
            }
            if (channel.read(arriving, first, Math.min(READ_AT_ONCE, arriving.length - first)) < 0) {
                throw new EOFException("The other end closed the connection");
            }
        }
    }

    /** Reads the frame's floats and forgets them. */
    public void skipFloats(ShardHeader header) throws IOException {
        for (int left = header.words(); left > 0; left -= Math.min(SKIPPED, left)) {
            fill(Math.min(SKIPPED, left) * Float.BYTES);
        }
    }

    /**
     * Reads the frame's floats to where they belong, without a copy in this process.
     *
     * @param into takes their bytes, from each buffer's position to its limit; together as many as the header says
     */
    public void readFloats(ShardHeader header, List<ByteBuffer> into) throws IOException {
        long bytes = into.stream().mapToLong(ByteBuffer::remaining).sum();
        if (bytes != (long) header.words() * Float.BYTES) {
            throw new IllegalArgumentException(
                    "A frame of " + header.words() + " floats does not fit into " + bytes + " bytes");
        }
        ByteBuffer[] floats = into.toArray(ByteBuffer[]::new);
        int first = 0;
        while (first < floats.length) {
            if (!floats[first].hasRemaining()) {
                first++;
            } else if (channel.read(floats, first, floats.length - first) < 0) {
                throw new EOFException("The other end closed the connection");
            }
        }
    }

    /** Grows the buffer with the bytes that arrive, and not with the length that a header announces. */
    private void fill(int bytes) throws IOException {
        input.clear().limit(Math.min(bytes, input.capacity()));
        while (input.position() < bytes) {
            if (!input.hasRemaining()) {
                ByteBuffer larger = direct(Math.min(bytes, Math.max(FIRST_BYTES, 2 * input.capacity())));
                input = larger.put(input.flip());
            }
            if (channel.read(input) < 0) {
                throw new EOFException("The other end closed the connection");
            }
        }
        input.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
