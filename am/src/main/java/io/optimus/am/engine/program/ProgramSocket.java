package io.optimus.am.engine.program;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The Unix domain socket on which a worker awaits its program's connection.
 *
 * <p>Its path is used as it is given. A relative one stays short, while a YARN container's folder often has a longer path
 * than the 107 bytes that a socket may have.
 */
final class ProgramSocket implements Closeable {
    private final Path path;
    private final Selector selector;
    private final ServerSocketChannel listening;

    /** Listens at {@code path}. */
    ProgramSocket(Path path) throws IOException {
        this.path = path;
        Files.deleteIfExists(path);
        this.selector = Selector.open();
        this.listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.bind(UnixDomainSocketAddress.of(path));
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Waits for the connection of {@code process}. Empty if there is none in time, or if the process has ended. */
    Optional<ProgramConnection> accept(Process process, Duration limit) throws IOException {
        var unused = process.onExit().thenRun(selector::wakeup);
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            selector.select(left);
            SocketChannel channel = listening.accept();
            if (channel != null) {
                return Optional.of(new ProgramConnection(channel));
            }
            if (!process.isAlive()
                    || System.nanoTime() >= deadline
                    || Thread.currentThread().isInterrupted()) {
                return Optional.empty();
            }
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        listening.close();
        Files.deleteIfExists(path);
    }
}
