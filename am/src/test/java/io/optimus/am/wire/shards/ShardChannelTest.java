package io.optimus.am.wire.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.MembershipNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import jdk.net.ExtendedSocketOptions;
import org.junit.Test;

public final class ShardChannelTest {
    @Test
    public void noticesPeersThatAreCutOffInSilence() throws IOException {
        SocketChannel socket = SocketChannel.open();
        try (ShardChannel shards = ShardChannel.answer(socket, Handshake.Purpose.SHARDS)) {
            assertThat(shards).isNotNull();
            assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assumeTrue(socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE));
            assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(60);
        }
    }

    /** The parts of a frame begin and end within the buffers of both sides. */
    @Test(timeout = 20_000)
    public void readsIntoOtherBuffersThanWereSent() throws Exception {
        int floats = 200_003;
        ByteBuffer sent = vector(floats);
        for (int i = 0; i < floats; i++) {
            sent.putFloat(i * Float.BYTES, i);
        }
        ByteBuffer arrived = vector(floats);
        MembershipNumber number = new MembershipNumber(1, 2);
        ShardHeader header = ShardHeader.plain(ShardHeader.Kind.PARAMETERS, number, 3, floats);
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                ShardChannel sender =
                        ShardChannel.answer(SocketChannel.open(server.getLocalAddress()), Handshake.Purpose.SHARDS);
                ShardChannel receiver = ShardChannel.answer(server.accept(), Handshake.Purpose.SHARDS)) {
            var sending = CompletableFuture.runAsync(() -> {
                try {
                    sender.send(header, new float[0], slices(sent, 7, 100_000));
                    sender.send(header.withWords(2), new float[] {8, 9}, List.of());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(receiver.readHeader()).isEqualTo(header);
            receiver.readFloats(header, slices(arrived, 65_537, 65_540));
            ShardHeader next = receiver.readHeader();
            assertThat(receiver.readFloats(next).getFloat(Float.BYTES)).isEqualTo(9);
            sending.join();
        }
        assertThat(arrived).isEqualTo(sent);
    }

    private static ByteBuffer vector(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static List<ByteBuffer> slices(ByteBuffer all, int first, int second) {
        int end = all.capacity() / Float.BYTES;
        return List.of(
                slice(all, 0, first), slice(all, first, first), slice(all, first, second), slice(all, second, end));
    }

    private static ByteBuffer slice(ByteBuffer all, int from, int to) {
        return all.slice(from * Float.BYTES, (to - from) * Float.BYTES);
    }

    @Test
    public void aFrameHasAsManyFloatsAsABufferHolds() throws IOException {
        ShardHeader most = ShardHeader.plain(
                ShardHeader.Kind.PULL, new MembershipNumber(1, 1), 7, (Integer.MAX_VALUE - ShardHeader.BYTES) / 4);
        ByteBuffer buffer = ByteBuffer.allocate(ShardHeader.BYTES);
        most.putInto(buffer);
        assertThat(ShardHeader.from(buffer.flip())).isEqualTo(most);

        buffer.clear();
        most.withWords(most.words() + 1).putInto(buffer);
        assertThatThrownBy(() -> ShardHeader.from(buffer.flip())).isInstanceOf(IOException.class);
    }
}
