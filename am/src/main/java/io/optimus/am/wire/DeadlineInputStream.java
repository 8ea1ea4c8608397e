package io.optimus.am.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/** Reads from a socket until a deadline, which who sends one byte at a time does not put off. */
final class DeadlineInputStream extends InputStream {
    private final Socket socket;
    private final InputStream in;
    private final long deadlineNanos;

    DeadlineInputStream(Socket socket, long millis) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public int read() throws IOException {
        hurry();
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        hurry();
        return in.read(bytes, offset, length);
    }

    private void hurry() throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (left < 1) {
            throw new SocketTimeoutException("The caller did not say in time who it is");
        }
        socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
    }
}
