package io.optimus.am.wire;

import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.model.TrainingMode;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/** The coordinator's end of one task's connections, which the test controls. */
public final class FakeCoordinatorSocket implements Closeable {
    public final JobSecret secret;
    private final ServerSocket listening = new ServerSocket(0);
    private final CompletableFuture<Socket> control = CompletableFuture.supplyAsync(this::accept);

    /** Listens on a free port. */
    public FakeCoordinatorSocket() throws IOException {
        this(JobSecret.random());
    }

    /** The coordinator of the job with {@code secret}. */
    FakeCoordinatorSocket(JobSecret secret) throws IOException {
        this.secret = secret;
    }

    private Socket accept() {
        try {
            Socket socket = listening.accept();
            Handshake.answer(socket, secret, 10_000);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the environment of {@code task}. */
    public TaskEnvironment environment(TaskId task) {
        return new TaskEnvironment("127.0.0.1", listening.getLocalPort(), task, "127.0.0.1", secret);
    }

    /** Sends the settings of a synchronous job with plain descent. */
    public void welcome() throws IOException {
        send(new Message.Welcome(TrainingMode.SYNCHRONOUS, WireFormat.FLOAT32, 4, 1, 100, 1_000, 10_000, false));
    }

    /** Sends messages that arrive together. */
    public void send(ToTask... messages) throws IOException {
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (ToTask message : messages) {
            MessageCodec.write(new DataOutputStream(together), message);
        }
        together.writeTo(control.join().getOutputStream());
    }

    /** Returns the task's next message of {@code kind}, and skips others. */
    public <T extends Message> T receive(Class<T> kind) throws IOException {
        DataInputStream in = new DataInputStream(control.join().getInputStream());
        while (true) {
            Message message = MessageCodec.read(in);
            if (kind.isInstance(message)) {
                return kind.cast(message);
            }
        }
    }

    /** Accepts the next connection in the background. */
    CompletableFuture<Socket> acceptNext() {
        return CompletableFuture.supplyAsync(this::accept);
    }

    /** Accepts the next connection and closes it, in the background. */
    public void closeNextConnection() {
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
