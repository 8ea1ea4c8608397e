package io.optimus.am.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.FloatBuffer;
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
        try (ShardChannel shards = new ShardChannel(socket)) {
            assertThat(shards).isNotNull();
            assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assumeTrue(socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE));
            assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(60);
        }
    }

    @Test
    public void probesTheCoordinatorLikewise() throws IOException {
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                CoordinatorConnection link = CoordinatorConnection.connect(coordinator.environment(TaskId.server(0)));
                Socket transfer = openTransfer(coordinator, link.environment())) {
            assertThat(transfer.getKeepAlive()).isTrue();
        }
    }

    /** The parts of a frame begin and end within the buffers of both sides. */
    @Test(timeout = 20_000)
    public void readsIntoOtherBuffersThanWereSent() throws Exception {
        float[] floats = new float[200_003];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = i;
        }
        float[] arrived = new float[floats.length];
        MembershipNumber number = new MembershipNumber(1, 2);
        ShardHeader header = ShardHeader.plain(ShardHeader.Kind.PARAMETERS, number, 3, floats.length);
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                ShardChannel sender = new ShardChannel(SocketChannel.open(server.getLocalAddress()));
                ShardChannel receiver = new ShardChannel(server.accept())) {
            var sent = CompletableFuture.runAsync(() -> {
                try {
                    sender.send(header, slices(floats, 7, 100_000));
                    sender.send(header.withFloats(0), List.of());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(receiver.readHeader()).isEqualTo(header);
            receiver.readFloats(header, slices(arrived, 65_537, 65_540));
            assertThat(receiver.readHeader().floats()).isZero();
            sent.join();
        }
        assertThat(arrived).isEqualTo(floats);
    }

    private static List<FloatBuffer> slices(float[] all, int first, int second) {
        return List.of(
                FloatBuffer.wrap(all, 0, first),
                FloatBuffer.wrap(all, first, 0),
                FloatBuffer.wrap(all, first, second - first),
                FloatBuffer.wrap(all, second, all.length - second));
    }

    private static Socket openTransfer(FakeCoordinatorSocket coordinator, TaskEnvironment environment)
            throws IOException {
        coordinator.closeNextConnection();
        return CoordinatorConnection.open(environment, Handshake.Purpose.CHECKPOINT);
    }
}
