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
 * A connection for shards: frames of a {@link ShardHeader} and little-endian floats, in direct buffers that are kept
 * from frame to frame. Blocking; one thread reads and writes it, any thread may close it, which wakes that one.
 */
public final class ShardChannel implements Closeable {
    private static final int CONNECT_MILLIS = 10_000;
    /** Room for a small model at once. */
    private static final int FIRST_BYTES = 1 << 16;

    private final SocketChannel channel;
    private ByteBuffer input = buffer(0);
    private ByteBuffer output = buffer(0);

    /** On a channel that has shaken hands. */
    public ShardChannel(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        KeepAlive.on(channel.socket());
        this.channel = channel;
    }

    /** Calls a server. */
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

    /** A direct buffer for a frame of {@code floats}. */
    public static ByteBuffer buffer(int floats) {
        return ByteBuffer.allocateDirect(ShardHeader.BYTES + floats * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The kept output buffer, empty but for {@code header}, at the place where its floats go. Valid until the next
     * call.
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

    /** Sends what {@link #begin} returned, from its first byte to its limit. */
    public void send() throws IOException {
        output.position(0);
        write(output);
    }

    /** Sends a frame that somebody else filled; moves its position to its limit. */
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

    /** Reads the frame's floats into the kept input buffer, valid until the next read; position 0. */
    public ByteBuffer readFloats(ShardHeader header) throws IOException {
        fill(header.floats() * Float.BYTES);
        return input;
    }

    /** The buffer grows with what comes, not with what a header announces. */
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
