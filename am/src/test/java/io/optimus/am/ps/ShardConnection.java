package io.optimus.am.ps;

import io.optimus.am.wire.Handshake.Purpose;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.stream.IntStream;

/** Both ends of a connection between a worker and a parameter server. */
final class ShardConnection implements AutoCloseable {
    final ShardChannel worker;
    final ShardChannel server;

    ShardConnection() throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            worker = ShardChannel.answer(SocketChannel.open(listening.getLocalAddress()), Purpose.SHARDS);
            server = ShardChannel.answer(listening.accept(), Purpose.SHARDS);
        }
    }

    /** The first so many workers, by rank. */
    static List<TaskId> workers(int count) {
        return IntStream.range(0, count).mapToObj(TaskId::worker).toList();
    }

    /** Serves the push that was sent, and returns the first parameter of the answer; NaN if it is refused. */
    float answer(GradientAggregator by, int rank) throws IOException, InterruptedException {
        by.push(server, TaskId.worker(rank), server.readHeader(), () -> {});
        ShardHeader reply = worker.readHeader();
        return reply.kind() == Kind.REFUSED
                ? Float.NaN
                : worker.readFloats(reply).getFloat(0);
    }

    @Override
    public void close() throws IOException {
        worker.close();
        server.close();
    }
}
