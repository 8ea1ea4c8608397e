package io.optimus.am.worker;

import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ServerShard;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.ShardChannel;
import io.optimus.am.wire.ShardHeader;
import io.optimus.am.wire.ShardHeader.Kind;
import io.optimus.am.wire.TaskId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's connections to parameter servers, which are kept when the membership changes. One thread pushes and pulls.
 * Other threads may open connections ahead of time, and close those to servers that are gone, which wakes that thread.
 *
 * <p>To each server there is a second connection, which carries nothing. Where the network between the two hosts is cut, it
 * fails within 14 seconds; the first one could wait for many minutes, since the system sends again what has not arrived.
 */
final class ServerConnections implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnections.class);
    private static final ThreadFactory WATCHES = DaemonThreads.named("watch");

    private final TaskId self;
    private final JobSecret secret;
    private final Map<TaskId, ShardChannel> channels = new ConcurrentHashMap<>();
    private final Map<TaskId, ShardChannel> watched = new ConcurrentHashMap<>();

    ServerConnections(TaskId self, JobSecret secret) {
        this.self = self;
        this.secret = secret;
    }

    /** The replies of all servers. */
    sealed interface Replies {
        /** All servers replied with parameters, which are in place now. {@code first} is the first reply. */
        record Complete(ShardHeader first) implements Replies {}

        /** Some servers refused or are gone. The parameters of those that accepted are in place. */
        record Failed(Set<TaskId> accepted, String reason) implements Replies {}
    }

    /**
     * What goes with a gradient to each server.
     *
     * @param header the header of the push; its number of floats is set for each server
     * @param settings the learning rate and the weight decay of each parameter group; empty: the optimizer's own
     */
    @SuppressWarnings("ArrayRecordComponent") // sent, never compared
    record Push(ShardHeader header, float[] settings) {
        Push withNumber(MembershipNumber number) {
            return new Push(header.withNumber(number), settings);
        }
    }

    /** Connects to {@code server}, unless it is connected already. */
    void open(ServerAddress server) throws IOException {
        if (!channels.containsKey(server.task())) {
            ShardChannel fresh = ShardChannel.call(server, self, secret);
            ShardChannel other = channels.putIfAbsent(server.task(), fresh);
            if (other == null) {
                WATCHES.newThread(() -> watch(server, fresh)).start();
            } else {
                fresh.close();
            }
        }
    }

    /** Drops the connection if the network to its server is cut. */
    private void watch(ServerAddress server, ShardChannel connection) {
        TaskId task = server.task();
        try (ShardChannel watching = ShardChannel.call(server, self, secret)) {
            watched.put(task, watching);
            boolean isCurrent = channels.get(task) == connection;
            if (isCurrent && watching.awaitCut() && channels.remove(task, connection)) {
                LOG.warn("the network is cut server={}", task);
                connection.close();
            }
            watched.remove(task, watching);
        } catch (IOException e) {
            LOG.info("connection not watched server={} cause={}", task, e.toString());
        }
    }

    /** Closes the connections to all servers but {@code kept}. */
    void keepOnly(Collection<TaskId> kept) throws IOException {
        for (TaskId server : List.copyOf(channels.keySet())) {
            if (!kept.contains(server)) {
                drop(server);
            }
        }
    }

    /** Closes the connection to a server, if there is one. */
    void drop(TaskId server) throws IOException {
        ShardChannel channel = channels.remove(server);
        if (channel != null) {
            channel.close();
        }
        ShardChannel watching = watched.remove(server);
        if (watching != null) {
            watching.close();
        }
    }

    /** Reads all parameters into {@code parameters}. */
    Replies pull(List<ServerShard> servers, MembershipNumber number, long step, FloatBuffer parameters) {
        return exchange(servers, parameters, (channel, server) -> {
            channel.send(ShardHeader.plain(Kind.PULL, number, step, 0), List.of());
        });
    }

    /**
     * Pushes {@code gradient} and reads the updated parameters into {@code parameters}.
     *
     * @param parameters takes the updated parameters
     */
    Replies push(List<ServerShard> servers, Push push, FloatBuffer gradient, FloatBuffer parameters) {
        return exchange(servers, parameters, (channel, server) -> {
            List<FloatBuffer> floats = slices(gradient, server);
            floats.add(FloatBuffer.wrap(push.settings));
            channel.send(push.header.withFloats(server.ranges().floats() + push.settings.length), floats);
        });
    }

    /** Returns what a server holds of {@code all}, in the order of a frame. */
    private static List<FloatBuffer> slices(FloatBuffer all, ServerShard server) {
        List<FloatBuffer> slices = new ArrayList<>();
        for (Range range : server.ranges().list()) {
            slices.add(all.slice(range.offset(), range.length()));
        }
        return slices;
    }

    private interface Request {
        void send(ShardChannel channel, ServerShard server) throws IOException;
    }

    /** Reads one reply to each request, so that no connection has an unread one when the exchange fails. */
    private Replies exchange(List<ServerShard> servers, FloatBuffer parameters, Request request) {
        List<ServerShard> asked = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (ServerShard server : servers) {
            ShardChannel channel = channels.get(server.server().task());
            try {
                if (channel == null) {
                    throw new IOException("not connected");
                }
                request.send(channel, server);
                asked.add(server);
            } catch (IOException e) {
                failures.add(fail(server, e));
            }
        }
        Set<TaskId> accepted = ConcurrentHashMap.newKeySet();
        ShardHeader first = null;
        for (ServerShard server : asked) {
            try {
                ShardHeader reply = answer(server, parameters);
                if (reply.kind() == Kind.PARAMETERS) {
                    accepted.add(server.server().task());
                    first = first == null ? reply : first;
                } else {
                    failures.add(server.server().task() + " is in membership " + reply.number());
                }
            } catch (IOException e) {
                failures.add(fail(server, e));
            }
        }
        return failures.isEmpty() && first != null
                ? new Replies.Complete(first)
                : new Replies.Failed(accepted, String.join("; ", failures));
    }

    private ShardHeader answer(ServerShard server, FloatBuffer parameters) throws IOException {
        ShardChannel channel = channels.get(server.server().task());
        if (channel == null) {
            throw new IOException("connection dropped");
        }
        ShardHeader reply = channel.readHeader();
        if (reply.kind() == Kind.PARAMETERS) {
            if (reply.floats() != server.ranges().floats()) {
                throw new IOException("answered with " + reply.floats() + " floats, expected "
                        + server.ranges().floats());
            }
            channel.readFloats(reply, slices(parameters, server));
        }
        return reply;
    }

    private String fail(ServerShard server, IOException cause) {
        TaskId task = server.server().task();
        try {
            drop(task);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return task + ": " + cause.getMessage();
    }

    @Override
    public void close() throws IOException {
        keepOnly(Set.of());
    }
}
