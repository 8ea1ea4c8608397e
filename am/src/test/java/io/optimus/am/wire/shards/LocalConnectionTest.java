package io.optimus.am.wire.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.wire.ConnectionAcceptor;
import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class LocalConnectionTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(20);

    private SocketChannel caller;
    private SocketChannel answerer;

    @Before
    public void connect() throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            caller = SocketChannel.open(listening.getLocalAddress());
            answerer = listening.accept();
        }
    }

    @After
    public void close() throws IOException {
        caller.close();
        answerer.close();
    }

    private interface Step {
        SocketChannel run() throws IOException;
    }

    private static CompletableFuture<SocketChannel> begin(Step step) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return step.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    public void takesThePlaceOfTcpAndLeavesNoFile() throws IOException {
        assumeTrue("needs Linux", Files.exists(Path.of("/proc/self/cwd")));
        var offered = begin(() -> LocalConnection.offer(caller));
        try (SocketChannel taken = LocalConnection.take(answerer);
                SocketChannel own = offered.join()) {
            var socket = (UnixDomainSocketAddress) taken.getRemoteAddress();
            assertThat(socket.getPath().getFileName().toString()).startsWith("shards-");
            assertThat(socket.getPath()).doesNotExist();
            assertThat(caller.isOpen()).isFalse();
            assertThat(answerer.isOpen()).isFalse();
            assertThat(carries(own, taken)).isTrue();
            assertThat(carries(taken, own)).isTrue();
        }
    }

    @Test
    public void onlyTasksOnOneHostLeaveTheNetwork() throws IOException {
        assumeTrue("needs Linux", Files.exists(Path.of("/proc/self/cwd")));
        assertThat(isLocal("127.0.0.1")).isTrue();
        assertThat(isLocal("127.0.0.2")).isFalse();
    }

    /** Whether a task on {@code host} is connected to a server on 127.0.0.1 without the network. */
    private static boolean isLocal(String host) throws IOException {
        JobSecret secret = JobSecret.random();
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = listening.socket().getLocalPort();
            CompletableFuture<Boolean> answered = new CompletableFuture<>();
            ConnectionAcceptor callers = new ConnectionAcceptor(secret, listening::isOpen, Runnable::run);
            Thread accepting = new Thread(() -> callers.run(
                    listening::accept, SocketChannel::socket, (channel, caller) -> answer(channel, caller, answered)));
            accepting.setDaemon(true);
            accepting.start();
            try (ShardChannel calling = ShardChannel.call(
                    new Message.ServerAddress(TaskId.server(0), "127.0.0.1", port),
                    new TaskEnvironment("127.0.0.1", 1, TaskId.worker(0), host, secret))) {
                assertThat(answered.join()).isEqualTo(calling.isLocal());
                return calling.isLocal();
            }
        }
    }

    private static void answer(SocketChannel channel, Handshake.Caller caller, CompletableFuture<Boolean> isLocal) {
        try (ShardChannel answering = ShardChannel.answer(channel, caller.purpose())) {
            isLocal.complete(answering.isLocal());
        } catch (IOException e) {
            isLocal.completeExceptionally(e);
        }
    }

    private static boolean carries(SocketChannel from, SocketChannel to) throws IOException {
        from.write(ByteBuffer.wrap(new byte[] {7}));
        ByteBuffer read = ByteBuffer.allocate(1);
        return to.read(read) == 1 && read.get(0) == 7;
    }

    /** As in a container that has processes and files of its own. */
    @Test
    public void leavesTcpWhereTheSocketIsNotSeen() throws IOException {
        var taken = begin(() -> LocalConnection.take(answerer));
        new DataOutputStream(caller.socket().getOutputStream()).writeUTF("/proc/0/cwd/shards-1");
        assertThat(new DataInputStream(caller.socket().getInputStream()).readBoolean())
                .isFalse();
        assertThat(taken.join()).isSameAs(answerer);
        assertThat(carries(caller, answerer)).isTrue();
    }

    @Test
    public void keepsTcpWhereTheOtherEndDoesNotTakeIt() throws IOException {
        var offered = begin(() -> LocalConnection.offer(caller));
        String name = new DataInputStream(answerer.socket().getInputStream()).readUTF();
        new DataOutputStream(answerer.socket().getOutputStream()).writeBoolean(false);
        assertThat(offered.join()).isSameAs(caller);
        assertThat(name).startsWith("/proc/" + ProcessHandle.current().pid());
        assertThat(Path.of(name)).doesNotExist();
        assertThat(carries(answerer, caller)).isTrue();
    }
}
