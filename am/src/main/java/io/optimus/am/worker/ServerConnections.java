package io.optimus.am.worker;

import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ServerShard;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's connections to parameter servers, which are kept when the membership changes. One thread pushes and pulls.
 * Other threads may open connections ahead of time, and close those to servers that are gone, which wakes that thread.
 *
 * <p>A large gradient goes to all servers at once, and parameters are read while the rest of it is still sent: a server answers
 * each part when all workers have pushed it.
 *
 * <p>To each server there is a second connection, which carries nothing. Where the network between the two hosts is cut, it
 * fails within 14 seconds; the first one could wait for many minutes, since the system sends again what has not arrived.
 */
final class ServerConnections implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnections.class);
    private static final ThreadFactory WATCHES = DaemonThreads.named("watch");

    private final TaskEnvironment self;
    private final Map<TaskId, ShardChannel> channels = new ConcurrentHashMap<>();
    private final Map<TaskId, ShardChannel> watched = new ConcurrentHashMap<>();
    private final ExecutorService exchanging = Executors.newCachedThreadPool(DaemonThreads.named("exchange"));

    ServerConnections(TaskEnvironment self) {
        this.self = self;
    }

    /** The replies of all servers. */
    sealed interface Replies {
        /** All servers replied with parameters, which are in place now. {@code first} is the first reply. */
        record Complete(ShardHeader first) implements Replies {}

        /** Some servers refused or are gone: their parameters may be overwritten in part. Those of the others are in place. */
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
            ShardChannel fresh = ShardChannel.call(server, self);
            ShardChannel other = channels.putIfAbsent(server.task(), fresh);
            if (other == null) {
                WATCHES.newThread(() -> watch(server, fresh)).start();
            } else {
                fresh.close();
            }
        }
    }

    /** Drops the connection if the network to its server is cut, or if the server closes it. */
    private void watch(ServerAddress server, ShardChannel connection) {
        TaskId task = server.task();
        try (ShardChannel watching = ShardChannel.callByNetwork(server, self)) {
            watched.put(task, watching);
            boolean isCurrent = channels.get(task) == connection;
            if (isCurrent) {
                boolean isCut = watching.awaitCut();
                if (channels.remove(task, connection)) {
                    LOG.warn("{} server={}", isCut ? "the network is cut" : "the server has closed", task);
                    connection.close();
                }
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
    Replies pull(List<ServerShard> servers, MembershipNumber number, long step, ByteBuffer parameters) {
        return ask(servers, parameters, (channel, server) -> {
            channel.send(ShardHeader.plain(Kind.PULL, number, step, 0), new float[0], List.of());
        });
    }

    /**
     * Pushes {@code gradient} and reads the updated parameters into {@code parameters}.
     *
     * @param parameters takes the updated parameters; may be the same memory as {@code gradient}
     */
    Replies push(List<ServerShard> servers, Push push, ByteBuffer gradient, ByteBuffer parameters) {
        Request request = (channel, server) -> {
            ShardHeader header = push.header.withFloats(server.ranges().floats() + push.settings.length);
            channel.send(header, push.settings, slices(gradient, server.ranges().list()));
        };
        return ask(servers, parameters, request);
    }

    private Replies ask(List<ServerShard> servers, ByteBuffer parameters, Request request) {
        boolean small = servers.stream().allMatch(server -> server.ranges().floats() <= ShardChannel.SHORTEST_PART);
        return small ? inTurn(servers, parameters, request) : atOnce(servers, parameters, request);
    }

    private static List<ByteBuffer> slices(ByteBuffer all, List<Range> ranges) {
        List<ByteBuffer> slices = new ArrayList<>();
        for (Range range : ranges) {
            slices.add(all.slice(range.offset() * Float.BYTES, range.length() * Float.BYTES));
        }
        return slices;
    }

    private interface Request {
        void send(ShardChannel channel, ServerShard server) throws IOException;
    }

    /** What servers have answered, or why they have not. Safe for several threads. */
    private static final class Answers {
        private final Set<TaskId> accepted = ConcurrentHashMap.newKeySet();
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final Map<TaskId, ShardHeader> replies = new ConcurrentHashMap<>();

        void add(ServerShard server, ShardHeader reply) {
            TaskId task = server.server().task();
            if (reply.kind() == Kind.PARAMETERS) {
                accepted.add(task);
                replies.put(task, reply);
            } else {
                failures.add(task + " is in membership " + reply.number());
            }
        }

        /** The reply of the first of these servers, if all of them have accepted. */
        Replies of(List<ServerShard> servers) {
            ShardHeader first = servers.isEmpty()
                    ? null
                    : replies.get(servers.get(0).server().task());
            return failures.isEmpty() && first != null
                    ? new Replies.Complete(first)
                    : new Replies.Failed(accepted, String.join("; ", failures));
        }
    }

    /** Asks all servers, then reads one reply to each request, so that no connection has an unread one when that fails. */
    private Replies inTurn(List<ServerShard> servers, ByteBuffer parameters, Request request) {
        List<ServerShard> asked = new ArrayList<>();
        Answers answers = new Answers();
        for (ServerShard server : servers) {
            try {
                request.send(channel(server), server);
                asked.add(server);
            } catch (IOException e) {
                answers.failures.add(fail(server, e));
            }
        }
        for (ServerShard server : asked) {
            try {
                answers.add(server, answer(server, parameters));
            } catch (IOException e) {
                answers.failures.add(fail(server, e));
            }
        }
        return answers.of(servers);
    }

    /** Asks all servers at once, and reads each one's reply while it is still asked. */
    private Replies atOnce(List<ServerShard> servers, ByteBuffer parameters, Request request) {
        Answers answers = new Answers();
        List<CompletableFuture<Void>> exchanges = new ArrayList<>();
        for (ServerShard server : servers) {
            try {
                ShardChannel channel = channel(server);
                exchanges.add(exchange(answers, server, () -> request.send(channel, server)));
                exchanges.add(exchange(answers, server, () -> answers.add(server, answer(server, parameters))));
            } catch (IOException e) {
                answers.failures.add(fail(server, e));
            }
        }
        exchanges.forEach(CompletableFuture::join);
        return answers.of(servers);
    }

    private interface Part {
        void run() throws IOException;
    }

    /** A failure drops the connection, which ends the other direction, too. */
    private CompletableFuture<Void> exchange(Answers answers, ServerShard server, Part part) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        part.run();
                    } catch (IOException e) {
                        answers.failures.add(fail(server, e));
                    }
                },
                exchanging);
    }

    private ShardChannel channel(ServerShard server) throws IOException {
        ShardChannel channel = channels.get(server.server().task());
        if (channel == null) {
            throw new IOException("not connected");
        }
        return channel;
    }

    /** Reads all parts of a reply. Returns the header of the last, or the refusal that came in the place of one. */
    private ShardHeader answer(ServerShard server, ByteBuffer parameters) throws IOException {
        ShardChannel channel = channel(server);
        int floats = server.ranges().floats();
        int arrived = 0;
        while (true) {
            ShardHeader reply = channel.readHeader();
            if (reply.kind() != Kind.PARAMETERS) {
                return reply;
            }
            if (reply.place() != arrived || reply.floats() > floats - arrived || (reply.floats() == 0 && floats > 0)) {
                throw new IOException("answered with floats " + reply.place() + " to "
                        + ((long) reply.place() + reply.floats()) + ", expected " + arrived + " to " + floats);
            }
            channel.readFloats(reply, slices(parameters, server.ranges().part(arrived, reply.floats())));
            arrived += reply.floats();
            if (arrived == floats) {
                return reply;
            }
        }
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
