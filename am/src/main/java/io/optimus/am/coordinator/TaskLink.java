package io.optimus.am.coordinator;

import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Messages;
import io.optimus.am.wire.TaskId;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/**
 * The coordinator's end of a task's control connection. One thread receives, one sends. Messages are few and small, so
 * that even a task which reads nothing takes them into its socket's buffer until its silence ends the connection.
 */
final class TaskLink implements Closeable {
    private final TaskId task;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    TaskLink(TaskId task, Socket socket) throws IOException {
        this.task = task;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    TaskId task() {
        return task;
    }

    FromTask receive() throws IOException {
        Message message = Messages.read(in);
        if (message instanceof FromTask fromTask) {
            return fromTask;
        }
        throw new IOException(task + " sent a coordinator's message: " + message);
    }

    /** Sends; that the task is gone is noticed by {@link #receive}. */
    void send(ToTask message) {
        try {
            Messages.write(out, message);
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is lost with it: every message is flushed when it is sent.
        }
    }
}
