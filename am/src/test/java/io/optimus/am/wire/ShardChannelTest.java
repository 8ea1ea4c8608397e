package io.optimus.am.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
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
                Socket transfer = openTransfer(coordinator, link)) {
            assertThat(transfer.getKeepAlive()).isTrue();
        }
    }

    private static Socket openTransfer(FakeCoordinatorSocket coordinator, CoordinatorConnection link)
            throws IOException {
        coordinator.closeNextConnection();
        return link.openForCheckpoint();
    }
}
