package io.optimus.am.coordinator;

import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.MessageCodec;
import io.optimus.am.wire.TaskId;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The coordinator's end of a task's control connection. One thread receives, one sends, and one writes what is sent. So
 * a task that reads nothing delays only its own writer.
 */
public final class TaskConnection implements Closeable {
    /** Some minutes of heartbeats and the messages of many resizes. A task that leaves so many unread hangs. */
    private static final int MOST_UNREAD = 1_000;

    private final TaskId task;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    /** An empty element means that no message follows. */
    private final BlockingQueue<Optional<ToTask>> outgoing = new LinkedBlockingQueue<>(MOST_UNREAD);

    /** Sends nothing until a thread runs {@link #write}. */
    TaskConnection(TaskId task, Socket socket) throws IOException {
        this.task = task;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Whether the task runs on another host than this process. */
    boolean comesFromAnotherHost() {
        InetAddress other = socket.getInetAddress();
        try {
            return !other.isLoopbackAddress() && NetworkInterface.getByInetAddress(other) == null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** The task at the other end. */
    public TaskId task() {
        return task;
    }

    FromTask receive() throws IOException {
        Message message = MessageCodec.read(in);
        if (message instanceof FromTask fromTask) {
            return fromTask;
        }
        throw new IOException(task + " sent a coordinator's message: " + message);
    }

    /** Sends without waiting. {@link #receive} fails if the task is gone or reads nothing. */
    public void send(ToTask message) {
        if (!socket.isClosed() && !outgoing.offer(Optional.of(message))) {
            close();
        }
    }

    /**
     * Ends sending: what was sent before is still written. The task closes the connection when it has read all of it. If the task
     * reads nothing, the caller has to close the connection.
     */
    public void endAfterwards() {
        if (!outgoing.offer(Optional.empty())) {
            close();
        }
    }

    /** Writes what is sent, until the connection ends. */
    void write() {
        try {
            for (Optional<ToTask> next = outgoing.take();
                    next.isPresent() && !socket.isClosed();
                    next = outgoing.take()) {
                MessageCodec.write(out, next.get());
            }
            // A task whose messages were refused now would not read the last one.
            socket.shutdownOutput();
        } catch (IOException e) {
            // receive() fails too, since this closes its socket.
            close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
        }
    }

    /** Closes at once. What is not written yet is lost. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is lost with it: every message is flushed when it is written.
        }
        outgoing.clear();
        outgoing.offer(Optional.empty());
    }
}
