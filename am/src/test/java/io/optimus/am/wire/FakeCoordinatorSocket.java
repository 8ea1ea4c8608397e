package io.optimus.am.wire;

import io.optimus.am.job.JobSpec.Optimizer;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.model.TrainingMode;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/** The coordinator's end of one task's connections: says what the test says, and hears all. */
public final class FakeCoordinatorSocket implements Closeable {
    public final JobSecret secret = JobSecret.random();
    private final ServerSocket listening = new ServerSocket(0);
    private final CompletableFuture<Socket> control = CompletableFuture.supplyAsync(this::accept);

    /** Listens. */
    public FakeCoordinatorSocket() throws IOException {}

    private Socket accept() {
        try {
            Socket socket = listening.accept();
            Handshake.answer(socket, secret);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What {@code task} is started with. */
    public TaskEnvironment environment(TaskId task) {
        return new TaskEnvironment("127.0.0.1", listening.getLocalPort(), task, "127.0.0.1", secret);
    }

    /** To a task of a synchronous job with plain descent. */
    public void welcome() throws IOException {
        send(new Message.Welcome(TrainingMode.SYNCHRONOUS, 4, 1, new Optimizer.Sgd(1, 0, 0), 100, 1_000, 10_000));
    }

    public void send(ToTask message) throws IOException {
        MessageCodec.write(new DataOutputStream(control.join().getOutputStream()), message);
    }

    /** The task's next message of that kind; others are passed over. */
    public <T extends Message> T hear(Class<T> kind) throws IOException {
        DataInputStream in = new DataInputStream(control.join().getInputStream());
        while (true) {
            Message message = MessageCodec.read(in);
            if (kind.isInstance(message)) {
                return kind.cast(message);
            }
        }
    }

    /** Lets the next connection in and hangs up, in the background. */
    public void hangUpOnNext() {
        var unused = CompletableFuture.runAsync(() -> {
            try (Socket socket = accept()) {
                socket.getOutputStream().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void close() throws IOException {
        listening.close();
        if (control.isDone() && !control.isCompletedExceptionally()) {
            control.join().close();
        }
    }
}
