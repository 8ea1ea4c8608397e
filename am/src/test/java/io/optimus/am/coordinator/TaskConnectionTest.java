package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.wire.Message;
import io.optimus.am.wire.MessageCodec;
import io.optimus.am.wire.TaskId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class TaskConnectionTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(30);

    private Socket task;
    private TaskConnection link;
    private Thread writer;

    @Before
    public void connect() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            task = new Socket(listening.getInetAddress(), listening.getLocalPort());
            link = new TaskConnection(TaskId.worker(0), listening.accept());
        }
        writer = new Thread(link::write, "writer");
        writer.setDaemon(true);
        writer.start();
    }

    @After
    public void close() throws Exception {
        link.close();
        task.close();
        writer.join();
    }

    @Test
    public void taskThatReadsNothingDelaysNoOtherTaskAndIsDisconnected() {
        // These are megabytes, and a socket buffers some hundred kilobytes: a sender that wrote them would block for
        // ever.
        Message.Leave large = new Message.Leave("x".repeat(1 << 20));
        for (int i = 0; i < 2_000; i++) {
            link.send(large);
        }
        assertThatThrownBy(link::receive).isInstanceOf(IOException.class);
    }

    @Test
    public void writesInOrderAndThenNothing() throws IOException {
        for (int i = 0; i < 100; i++) {
            link.send(new Message.Leave("reason " + i));
        }
        link.endAfterwards();
        DataInputStream in = new DataInputStream(task.getInputStream());
        for (int i = 0; i < 100; i++) {
            assertThat(MessageCodec.read(in)).isEqualTo(new Message.Leave("reason " + i));
        }
        assertThatThrownBy(() -> MessageCodec.read(in)).isInstanceOf(EOFException.class);
    }

    /** If it refused them, the task would take that for the end of the connection, and might not read the last message. */
    @Test
    public void takesWhatTheTaskSendsAfterTheLastMessage() throws Exception {
        link.send(new Message.Leave("lost"));
        link.endAfterwards();
        writer.join();
        Message.Alive alive = Message.Alive.waiting(3);
        DataOutputStream out = new DataOutputStream(task.getOutputStream());
        for (int i = 0; i < 10; i++) {
            MessageCodec.write(out, alive);
            assertThat(link.receive()).isEqualTo(alive);
        }
        assertThat(MessageCodec.read(new DataInputStream(task.getInputStream())))
                .isEqualTo(new Message.Leave("lost"));
    }
}
