package io.optimus.am.wire.shards;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.UUID;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a TCP connection between two processes of one host by a Unix domain socket, over which they exchange several times
 * as many bytes in the same time. Where that is not possible, TCP stays: in another container of Docker the caller's files are not
 * seen, and another user may not open them. The caller refuses a connection of another user's process.
 *
 * <pre>
 * caller   → the name of a socket, on which it listens; empty if it cannot
 * answerer → true: it has connected to that socket, and TCP is closed; false: TCP stays
 * </pre>
 *
 * <p>The caller listens in its working directory for this one connection only. YARN's working directories are too long for the
 * address of a socket, so the other process reaches it by {@code /proc}.
 */
final class LocalConnection {
    private static final Logger LOG = LoggerFactory.getLogger(LocalConnection.class);
    private static final int ANSWER_MILLIS = 10_000;
    /** Bytes that are on their way, as far as the system allows. */
    private static final int BUFFER_BYTES = 1 << 20;

    private LocalConnection() {}

    /**
     * Offers a local connection to the process at the other end of a TCP connection, which must {@link #take} it.
     *
     * @return the local connection, or {@code tcp} if there is none
     */
    static SocketChannel offer(SocketChannel tcp) throws IOException {
        Path name = Path.of("shards-" + UUID.randomUUID());
        try (ServerSocketChannel listening = listen(name)) {
            if (listening == null) {
                offer(tcp, "");
                return tcp;
            }
            boolean isTaken = offer(tcp, "/proc/" + ProcessHandle.current().pid() + "/cwd/" + name);
            return isTaken ? replaced(tcp, accepted(listening, name)) : tcp;
        } finally {
            Files.deleteIfExists(name);
        }
    }

    /** The other end has connected already, unless another process was faster. */
    private static SocketChannel accepted(ServerSocketChannel listening, Path name) throws IOException {
        SocketChannel local = listening.accept();
        try {
            UserPrincipal user =
                    local.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            if (!user.equals(Files.getOwner(name))) {
                throw new IOException("A process of " + user + " has connected to the socket of this task");
            }
            return local;
        } catch (IOException | RuntimeException | Error e) {
            local.close();
            throw e;
        }
    }

    private static @Nullable ServerSocketChannel listen(Path name) {
        try {
            ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                return listening.bind(UnixDomainSocketAddress.of(name));
            } catch (IOException e) {
                listening.close();
                throw e;
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.info("no local connection cause={}", e.toString());
            return null;
        }
    }

    /** Returns whether the other end has connected to the socket {@code name}. */
    private static boolean offer(SocketChannel tcp, String name) throws IOException {
        Socket socket = tcp.socket();
        socket.setSoTimeout(ANSWER_MILLIS);
        new DataOutputStream(socket.getOutputStream()).writeUTF(name);
        boolean isTaken = new DataInputStream(socket.getInputStream()).readBoolean();
        socket.setSoTimeout(0);
        return isTaken;
    }

    /**
     * Takes up what the other end of a TCP connection offers.
     *
     * @return the local connection, or {@code tcp} if there is none
     */
    static SocketChannel take(SocketChannel tcp) throws IOException {
        Socket socket = tcp.socket();
        socket.setSoTimeout(ANSWER_MILLIS);
        SocketChannel local = connect(new DataInputStream(socket.getInputStream()).readUTF());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        if (local == null) {
            out.writeBoolean(false);
            socket.setSoTimeout(0);
            return tcp;
        }
        try {
            out.writeBoolean(true);
        } catch (IOException | RuntimeException | Error e) {
            local.close();
            throw e;
        }
        return replaced(tcp, local);
    }

    private static @Nullable SocketChannel connect(String name) {
        try {
            return name.isEmpty() ? null : SocketChannel.open(UnixDomainSocketAddress.of(Path.of(name)));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            LOG.info("no local connection socket={} cause={}", name, e.toString());
            return null;
        }
    }

    private static SocketChannel replaced(SocketChannel tcp, SocketChannel local) throws IOException {
        try {
            local.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            tcp.close();
            return local;
        } catch (IOException | RuntimeException | Error e) {
            local.close();
            throw e;
        }
    }
}
