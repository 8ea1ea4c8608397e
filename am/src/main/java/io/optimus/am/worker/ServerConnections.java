package io.optimus.am.worker;

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

/**
 * A worker's connections to parameter servers, kept over changes of membership. One thread exchanges; others may open
 * connections ahead of time, and close those to servers that are gone, which wakes the exchanging one.
 */
final class ServerConnections implements Closeable {
    private final TaskId self;
    private final JobSecret secret;
    private final Map<TaskId, ShardChannel> channels = new ConcurrentHashMap<>();

    ServerConnections(TaskId self, JobSecret secret) {
        this.self = self;
        this.secret = secret;
    }

    /** What all servers said. */
    sealed interface Outcome {
        /** All answered with parameters, which are in place now. */
        record Done(ShardHeader reply) implements Outcome {}

        /** Some refused or are gone; the others' parameters are in place. */
        record Failed(Set<TaskId> accepted, String reason) implements Outcome {}
    }

    /** Connects to {@code server} unless that has happened already. */
    void open(ServerAddress server) throws IOException {
        if (!channels.containsKey(server.task())) {
            ShardChannel fresh = ShardChannel.call(server, self, secret);
            ShardChannel other = channels.putIfAbsent(server.task(), fresh);
            if (other != null) {
                fresh.close();
            }
        }
    }

    /** Drops connections to all servers but {@code kept}. */
    void keepOnly(Collection<TaskId> kept) throws IOException {
        for (TaskId server : List.copyOf(channels.keySet())) {
            if (!kept.contains(server)) {
                drop(server);
            }
        }
    }

    /** Drops the connection to a server, if there is one. */
    void drop(TaskId server) throws IOException {
        ShardChannel channel = channels.remove(server);
        if (channel != null) {
            channel.close();
        }
    }

    /** Reads all parameters into {@code parameters}. */
    Outcome pull(List<ServerShard> servers, MembershipNumber number, long step, FloatBuffer parameters) {
        return exchange(servers, parameters, (channel, server) -> {
            channel.begin(ShardHeader.plain(Kind.PULL, number, step, 0)).position(0);
            channel.send();
        });
    }

    /**
     * Pushes {@code gradient} and reads the parameters that come of it into {@code parameters}.
     *
     * @param header of the push; its number of floats is set for each server
     */
    Outcome push(List<ServerShard> servers, ShardHeader header, FloatBuffer gradient, FloatBuffer parameters) {
        return exchange(servers, parameters, (channel, server) -> {
            FloatBuffer out =
                    channel.begin(header.withFloats(server.ranges().floats())).asFloatBuffer();
            for (Range range : server.ranges().list()) {
                out.put(out.position(), gradient, range.offset(), range.length());
                out.position(out.position() + range.length());
            }
            channel.send();
        });
    }

    private interface Request {
        void send(ShardChannel channel, ServerShard server) throws IOException;
    }

    /** Every request gets one answer, so the connections stay in step even when the exchange fails. */
    private Outcome exchange(List<ServerShard> servers, FloatBuffer parameters, Request request) {
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
                ? new Outcome.Done(first)
                : new Outcome.Failed(accepted, String.join("; ", failures));
    }

    private ShardHeader answer(ServerShard server, FloatBuffer parameters) throws IOException {
        ShardChannel channel = channels.get(server.server().task());
        if (channel == null) {
            throw new IOException("connection dropped");
        }
        ShardHeader reply = channel.readHeader();
        FloatBuffer floats = channel.readFloats(reply).asFloatBuffer();
        if (reply.kind() == Kind.PARAMETERS) {
            if (reply.floats() != server.ranges().floats()) {
                throw new IOException("answered with " + reply.floats() + " floats, expected "
                        + server.ranges().floats());
            }
            int from = 0;
            for (Range range : server.ranges().list()) {
                parameters.put(range.offset(), floats, from, range.length());
                from += range.length();
            }
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
