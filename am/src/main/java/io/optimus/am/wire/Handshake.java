package io.optimus.am.wire;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Proves on a new connection that both ends know the job's secret, without sending the secret.
 *
 * <pre>
 * caller   → magic, version, purpose, task, nonce c
 * answerer → 1, nonce s, HMAC(secret, "answerer", hello, s)      or 0 and a reason
 * caller   → HMAC(secret, "caller", hello, s)
 * answerer → 1                                                   or 0 and a reason
 * </pre>
 *
 * The proofs of the two directions differ, so neither can be sent back to its sender. The data that follows on the
 * connection is not encrypted.
 */
public final class Handshake {
    /** The characters "OPTM". Callers of other protocols are refused. */
    private static final int MAGIC = 0x4f50544d;
    /** Increased when frames or messages change their meaning. */
    public static final int VERSION = 2;

    private static final int NONCE_BYTES = 32;
    private static final int LONGEST_TEXT = 256;
    /** The time that the other end has for each answer. */
    private static final int TIMEOUT_MILLIS = 10_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Handshake() {}

    /** The purpose of a connection. */
    public enum Purpose {
        /** Messages between a task and the coordinator. */
        CONTROL('C'),
        /** Gradients, parameters, and shards that go to another server. */
        SHARDS('S'),
        /** The same, from a task on the same host, which offers a connection without the network next. */
        LOCAL_SHARDS('L'),
        /** Checkpoints between a task and the coordinator. */
        CHECKPOINT('K'),
        /** A coordinator that takes over calls a task. */
        TAKE_OVER('T');

        private final char code;

        Purpose(char code) {
            this.code = code;
        }

        static Optional<Purpose> of(int code) {
            return Arrays.stream(values())
                    .filter(purpose -> purpose.code == code)
                    .findFirst();
        }
    }

    /** A task that called, and its purpose. */
    public record Caller(TaskId task, Purpose purpose) {}

    /**
     * Proves to the other end which task this is, and checks that it belongs to the same job.
     *
     * @throws RefusedException if it does not
     */
    public static void call(Socket socket, TaskId self, Purpose purpose, JobSecret secret) throws IOException {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] hello = hello(self, purpose);
        out.write(hello);
        refusedUnless(in);
        byte[] nonce = new byte[NONCE_BYTES];
        in.readFully(nonce);
        byte[] proof = new byte[NONCE_BYTES];
        in.readFully(proof);
        if (!MessageDigest.isEqual(proof, secret.sign("answerer", hello, nonce))) {
            throw new RefusedException("The process at " + socket.getRemoteSocketAddress()
                    + " does not know this job's secret; it belongs to another job or program");
        }
        out.write(secret.sign("caller", hello, nonce));
        refusedUnless(in);
        socket.setSoTimeout(0);
    }

    /**
     * Answers a caller.
     *
     * @param timeoutMillis the time that it has in total, however slowly it sends
     * @throws IOException if the caller is not a task of this job; it was told why, and the socket should be closed
     */
    static Caller answer(Socket socket, JobSecret secret, long timeoutMillis) throws IOException {
        DataInputStream in = new DataInputStream(new DeadlineInputStream(socket, timeoutMillis));
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        if (in.readInt() != MAGIC) {
            throw new IOException(socket.getRemoteSocketAddress() + " uses another protocol");
        }
        int version = in.readUnsignedShort();
        Optional<Purpose> purpose = Purpose.of(in.readUnsignedByte());
        byte[] name = in.readNBytes(in.readUnsignedByte());
        byte[] nonce = in.readNBytes(NONCE_BYTES);
        if (version != VERSION || purpose.isEmpty() || nonce.length != NONCE_BYTES) {
            throw refuse(
                    out,
                    "version " + version + " is not spoken here, version " + VERSION
                            + " is: start all tasks of a job from one optimus-am.jar");
        }
        TaskId task = taskNamed(name, out);
        byte[] hello = hello(task, purpose.get(), nonce);
        byte[] challenge = nonce();
        out.writeByte(1);
        out.write(challenge);
        out.write(secret.sign("answerer", hello, challenge));
        byte[] proof = in.readNBytes(NONCE_BYTES);
        if (!MessageDigest.isEqual(proof, secret.sign("caller", hello, challenge))) {
            throw refuse(out, "wrong secret for " + task);
        }
        out.writeByte(1);
        socket.setSoTimeout(0);
        return new Caller(task, purpose.get());
    }

    /** What an unknown caller sends is never repeated, neither to it nor in a log. */
    private static TaskId taskNamed(byte[] name, DataOutputStream out) throws IOException {
        try {
            return TaskId.parse(new String(name, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw refuse(out, "the caller's name is not a task's");
        }
    }

    private static void refusedUnless(DataInputStream in) throws IOException {
        if (in.readUnsignedByte() != 1) {
            byte[] reason = in.readNBytes(in.readUnsignedByte());
            throw new RefusedException("Refused: " + new String(reason, StandardCharsets.UTF_8));
        }
    }

    private static IOException refuse(DataOutputStream out, String reason) throws IOException {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        out.writeByte(0);
        out.writeByte(Math.min(text.length, LONGEST_TEXT - 1));
        out.write(text, 0, Math.min(text.length, LONGEST_TEXT - 1));
        return new IOException(reason);
    }

    private static byte[] hello(TaskId self, Purpose purpose) {
        return hello(self, purpose, nonce());
    }

    private static byte[] hello(TaskId self, Purpose purpose, byte[] nonce) {
        byte[] name = self.toString().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(8 + name.length + nonce.length)
                .putInt(MAGIC)
                .putShort((short) VERSION)
                .put((byte) purpose.code)
                .put((byte) name.length)
                .put(name)
                .put(nonce)
                .array();
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** Reads from a socket until a deadline, which a caller that sends one byte at a time does not put off. */
    private static final class DeadlineInputStream extends InputStream {
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
            setTimeout();
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            setTimeout();
            return in.read(bytes, offset, length);
        }

        private void setTimeout() throws IOException {
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (left < 1) {
                throw new SocketTimeoutException("The caller did not identify itself in time");
            }
            socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
        }
    }
}
