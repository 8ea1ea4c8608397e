package io.optimus.am.wire;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/**
 * Proves on a fresh connection that both ends know the job's secret, which itself stays off the wire.
 *
 * <pre>
 * caller   → magic, version, purpose, task, nonce c
 * answerer → 1, nonce s, HMAC(secret, "answerer", hello, s)      or 0 and a reason
 * caller   → HMAC(secret, "caller", hello, s)
 * answerer → 1                                                   or 0 and a reason
 * </pre>
 *
 * The proofs differ by direction, so neither can be played back to its sender. What follows on the connection is not
 * encrypted.
 */
public final class Handshake {
    /** "OPTM": refuses whoever reached the port by mistake. */
    private static final int MAGIC = 0x4f50544d;
    /** Rises when frames or messages change their meaning. */
    static final int VERSION = 1;

    private static final int NONCE_BYTES = 32;
    private static final int LONGEST_TEXT = 256;
    /** A stranger may hold a thread that long altogether, no longer, however slowly it speaks. */
    private static final int TIMEOUT_MILLIS = 10_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Handshake() {}

    /** What a connection is for. */
    public enum Purpose {
        /** Messages between a task and the coordinator. */
        CONTROL('C'),
        /** Gradients and parameters, and shards that move. */
        SHARDS('S'),
        /** Checkpoints between a task and the coordinator. */
        CHECKPOINT('K');

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

    /** Who called, and what for. */
    public record Caller(TaskId task, Purpose purpose) {}

    /** Calls: proves who we are and checks who answers. */
    public static void call(Socket socket, TaskId self, Purpose purpose, JobSecret secret) throws IOException {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] hello = hello(self, purpose);
        out.write(hello);
        refusedUnless(in);
        byte[] nonce = in.readNBytes(NONCE_BYTES);
        byte[] proof = in.readNBytes(NONCE_BYTES);
        if (!MessageDigest.isEqual(proof, secret.sign("answerer", hello, nonce))) {
            throw new IOException("The process at " + socket.getRemoteSocketAddress()
                    + " does not know this job's secret: another job's, or not ours");
        }
        out.write(secret.sign("caller", hello, nonce));
        refusedUnless(in);
        socket.setSoTimeout(0);
    }

    /**
     * Answers a caller.
     *
     * @throws IOException if it is none of ours; it was told why, and the socket should be closed
     */
    public static Caller answer(Socket socket, JobSecret secret) throws IOException {
        return answer(socket, secret, TIMEOUT_MILLIS);
    }

    static Caller answer(Socket socket, JobSecret secret, long timeoutMillis) throws IOException {
        DataInputStream in = new DataInputStream(new DeadlineInputStream(socket, timeoutMillis));
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        if (in.readInt() != MAGIC) {
            throw new IOException(socket.getRemoteSocketAddress() + " speaks another protocol");
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

    /** A stranger's bytes are told to nobody, least of all to a log. */
    private static TaskId taskNamed(byte[] name, DataOutputStream out) throws IOException {
        try {
            return TaskId.parse(new String(name, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw refuse(out, "the caller's name is no task's");
        }
    }

    private static void refusedUnless(DataInputStream in) throws IOException {
        if (in.readUnsignedByte() != 1) {
            byte[] reason = in.readNBytes(in.readUnsignedByte());
            throw new IOException("Refused: " + new String(reason, StandardCharsets.UTF_8));
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
}
