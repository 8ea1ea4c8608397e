package io.optimus.am.wire;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * A connection for gradients, parameters and shards. A frame is a {@link ShardHeader} and little-endian floats. Buffers
 * are direct and reused. One thread reads and writes, and blocks; any thread may close the connection, which wakes it.
 */
public final class ShardChannel implements Closeable {
    private static final int CONNECT_MILLIS = 10_000;
    /** Enough for a small model. */
    private static final int FIRST_BYTES = 1 << 16;

    private final SocketChannel channel;
    private ByteBuffer input = buffer(0);
    private ByteBuffer output = buffer(0);

    /** Uses a channel after the handshake. */
    public ShardChannel(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        KeepAlive.on(channel.socket());
        this.channel = channel;
    }

    /** Connects to a server. */
    public static ShardChannel call(Message.ServerAddress server, TaskId self, JobSecret secret) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(new InetSocketAddress(server.host(), server.port()), CONNECT_MILLIS);
            Handshake.call(channel.socket(), self, Handshake.Purpose.SHARDS, secret);
            return new ShardChannel(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns a direct buffer for a frame of {@code floats}. */
    public static ByteBuffer buffer(int floats) {
        return ByteBuffer.allocateDirect(ShardHeader.BYTES + floats * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Returns the output buffer with {@code header}, positioned where the floats go. It is valid until the next call.
     */
    public ByteBuffer begin(ShardHeader header) {
        if (output.capacity() < ShardHeader.BYTES + header.floats() * Float.BYTES) {
            output = buffer(header.floats());
        }
        output.clear();
        header.putInto(output);
        output.limit(ShardHeader.BYTES + header.floats() * Float.BYTES);
        return output;
    }

    /** Sends the buffer that {@link #begin} returned, from its first byte to its limit. */
    public void send() throws IOException {
        output.position(0);
        write(output);
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

    /** Reads the frame's floats into the input buffer. They begin at position 0 and are valid until the next read. */
    public ByteBuffer readFloats(ShardHeader header) throws IOException {
        fill(header.floats() * Float.BYTES);
        return input;
    }

    /** Grows the buffer with the bytes that arrive, and not with the length that a header announces. */
    private void fill(int bytes) throws IOException {
        input.clear().limit(Math.min(bytes, input.capacity()));
        while (input.position() < bytes) {
            if (!input.hasRemaining()) {
                ByteBuffer larger = ByteBuffer.allocateDirect(
                                Math.min(bytes, Math.max(FIRST_BYTES, 2 * input.capacity())))
                        .order(ByteOrder.LITTLE_ENDIAN);
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
