package io.optimus.am.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.wire.Handshake.Caller;
import io.optimus.am.wire.Handshake.Purpose;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class HandshakeTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(20);

    private final JobSecret secret = JobSecret.random();

    private interface Client {
        void talk(Socket socket) throws IOException;
    }

    private CompletableFuture<Caller> answerTo(Client client, JobSecret known) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            CompletableFuture<Caller> answer = CompletableFuture.supplyAsync(() -> {
                try (accepted) {
                    return Handshake.answer(accepted, known, 10_000);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try {
                client.talk(socket);
            } finally {
                socket.close();
                answer.handle((caller, failure) -> caller).join();
            }
            return answer;
        }
    }

    @Test
    public void tellsWhoCallsAndWhatFor() throws Exception {
        var answer = answerTo(socket -> Handshake.call(socket, TaskId.server(3), Purpose.SHARDS, secret), secret);
        assertThat(answer.get(1, TimeUnit.SECONDS)).isEqualTo(new Caller(TaskId.server(3), Purpose.SHARDS));
    }

    @Test
    public void callerRefusesWhoDoesNotKnowTheSecret() {
        assertThatThrownBy(() -> answerTo(
                        socket -> Handshake.call(socket, TaskId.worker(0), Purpose.CONTROL, secret),
                        JobSecret.random()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("secret");
    }

    @Test
    public void answererRefusesWrongProofAndOtherProtocols() throws Exception {
        var other = answerTo(
                socket -> socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                secret);
        assertThatThrownBy(() -> other.get(1, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("another protocol");
    }

    @Test
    public void doesNotWaitForWhoSpeaksSlowly() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket slow = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            CompletableFuture<Void> drips = CompletableFuture.runAsync(() -> {
                byte[] hello = {0x4f, 0x50, 0x54, 0x4d, 0, 1, 'C', 100};
                try {
                    for (int i = 0; i < 1_000; i++) {
                        slow.getOutputStream().write(i < hello.length ? hello[i] : 'w');
                        TimeUnit.MILLISECONDS.sleep(50);
                    }
                } catch (IOException | InterruptedException e) {
                    // The connection is closed, as it should be.
                }
            });
            assertThatThrownBy(() -> Handshake.answer(accepted, secret, 500)).isInstanceOf(IOException.class);
            accepted.close();
            drips.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    public void readsWhatItWrites() {
        assertThat(JobSecret.parse(secret.text() + "\n").text()).isEqualTo(secret.text());
        assertThat(secret.toString()).doesNotContain(secret.text());
        assertThatThrownBy(() -> JobSecret.parse("abc")).hasMessageContaining("64 hexadecimal digits");
    }
}
