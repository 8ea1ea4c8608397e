package io.optimus.am.worker;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.ServerShard;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.Parts;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardFormat;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/**
 * One push or pull: asks all servers, and reads a reply from each. A failure drops the connection to that server.
 *
 * <p>A large gradient goes to all servers at once, each part as soon as it is computed, and parameters are read while the rest is
 * still sent: a server answers each part when all workers have pushed it. One thread sends small gradients to all servers and then reads
 * the replies. Floats that go as they are, are not copied in this process.
 *
 * <p>Used by one thread.
 */
final class Exchange {
    private final ServerConnections connections;
    private final List<ServerShard> servers;
    private final WireEncoding encoding;
    /** How the server's answers are written. */
    private final Function<Ranges, ShardFormat> formats;

    private final Request request;
    private final boolean small;
    /** The connection over which each server is asked, and which its reply is read from. */
    private final Map<TaskId, ShardChannel> channels = new HashMap<>();

    private final List<CompletableFuture<Void>> running = new ArrayList<>();
    private boolean reads;

    private final Set<TaskId> accepted = ConcurrentHashMap.newKeySet();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Map<TaskId, ShardHeader> replies = new ConcurrentHashMap<>();

    /** The replies of all servers. */
    sealed interface Replies {
        /** All servers replied with parameters, which are in place now. {@code first} is the first server's last reply. */
        record Complete(ShardHeader first) implements Replies {}

        /** Some servers refused or are gone: their parameters may be overwritten in part. Those of the others are in place. */
        record Failed(Set<TaskId> accepted, String reason) implements Replies {}
    }

    /**
     * What goes with a gradient to each server.
     *
     * @param header the header of the push; its number of words is set for each server
     * @param settings the learning rate and the weight decay of each parameter group; if empty, those of the optimizer hold
     */
    @SuppressWarnings("ArrayRecordComponent") // sent, never compared
    record Push(ShardHeader header, float[] settings) {
        Push withNumber(MembershipNumber number) {
            return new Push(header.withNumber(number), settings);
        }
    }

    private interface Request {
        void send(ShardChannel channel, ServerShard server) throws IOException;
    }

    private interface Action {
        void run(ShardChannel channel) throws IOException;
    }

    private Exchange(
            ServerConnections connections,
            List<ServerShard> servers,
            WireEncoding encoding,
            Function<Ranges, ShardFormat> formats,
            Request request) {
        this.connections = connections;
        this.servers = servers;
        this.encoding = encoding;
        this.formats = formats;
        this.request = request;
        this.small = servers.stream().allMatch(server -> server.ranges().floats() <= ShardChannel.SHORTEST_PART);
        for (ServerShard server : servers) {
            TaskId task = server.server().task();
            connections
                    .to(task)
                    .ifPresentOrElse(
                            channel -> channels.put(task, channel), () -> failures.add(task + ": not connected"));
        }
        if (!small) {
            servers.forEach(server -> begin(server, channel -> request.send(channel, server)));
        }
    }

    /** Begins to ask for all parameters. */
    static Exchange pull(
            ServerConnections connections,
            List<ServerShard> servers,
            WireEncoding encoding,
            MembershipNumber number,
            long step) {
        return new Exchange(
                connections,
                servers,
                encoding,
                ShardFormat::plain,
                (channel, server) ->
                        channel.send(ShardHeader.plain(Kind.PULL, number, step, 0), new float[0], List.of()));
    }

    /** Begins to push a gradient. */
    static Exchange push(
            ServerConnections connections,
            List<ServerShard> servers,
            WireEncoding encoding,
            Push push,
            ComputedGradient gradient) {
        return new Exchange(connections, servers, encoding, encoding::of, (channel, server) -> {
            if (encoding.of(server.ranges()).isPlain()) {
                send(channel, server, push, gradient);
            } else {
                sendEncoded(channel, server, push, gradient, encoding);
            }
        });
    }

    /** Sends each part as soon as it is computed, the last one first; those that are computed together in one call. */
    private static void send(ShardChannel channel, ServerShard server, Push push, ComputedGradient gradient)
            throws IOException {
        Parts parts = Parts.of(server.ranges().floats());
        int part = parts.count() - 1;
        boolean begun = false;
        do {
            List<ByteBuffer> floats = new ArrayList<>();
            gradient.awaitFrom(first(server, parts, part));
            do {
                floats.addAll(slices(gradient.bytes(), ranges(server, parts, part)));
                part--;
            } while (part >= 0 && gradient.isComputedFrom(first(server, parts, part)));
            if (begun) {
                channel.sendMore(floats);
            } else {
                channel.send(push.header.withWords(parts.floats() + push.settings.length), push.settings, floats);
                begun = true;
            }
        } while (part >= 0);
    }

    private static void sendEncoded(
            ShardChannel channel, ServerShard server, Push push, ComputedGradient gradient, WireEncoding encoding)
            throws IOException {
        ShardFormat format = encoding.of(server.ranges());
        Parts parts = format.parts();
        channel.send(push.header.withWords(format.words() + push.settings.length), push.settings, List.of());
        for (int part = parts.count() - 1; part >= 0; part--) {
            gradient.awaitFrom(first(server, parts, part));
            int from = parts.from(part);
            int to = parts.to(part);
            ByteBuffer out = channel.beginMore(format.words(from, to));
            encoding.write(gradient.bytes(), server.ranges(), format, from, to, push.header.share() > 0, out);
            channel.send();
        }
    }

    private static List<Range> ranges(ServerShard server, Parts parts, int part) {
        return server.ranges().part(parts.from(part), parts.to(part) - parts.from(part));
    }

    /** The first float of a part in the flat vector. */
    private static int first(ServerShard server, Parts parts, int part) {
        List<Range> ranges = ranges(server, parts, part);
        return ranges.isEmpty() ? Integer.MAX_VALUE : ranges.get(0).offset();
    }

    private static List<ByteBuffer> slices(ByteBuffer all, List<Range> ranges) {
        List<ByteBuffer> slices = new ArrayList<>();
        for (Range range : ranges) {
            slices.add(all.slice(range.offset() * Float.BYTES, range.length() * Float.BYTES));
        }
        return slices;
    }

    /**
     * Begins to read the replies, unless that has begun.
     *
     * @param parameters takes the parameters; may be the same memory as the gradient that is pushed
     */
    void read(ByteBuffer parameters) {
        if (!small && !reads) {
            servers.forEach(server -> begin(server, channel -> add(server, answer(channel, server, parameters))));
            reads = true;
        }
    }

    /** Reads what is not read yet, and waits for all. */
    Replies end(ByteBuffer parameters) {
        if (small) {
            inTurn(parameters);
        } else {
            read(parameters);
            running.forEach(Exchange::await);
        }
        ShardHeader first =
                servers.isEmpty() ? null : replies.get(servers.get(0).server().task());
        if (failures.isEmpty() && first != null) {
            return new Replies.Complete(first);
        }
        encoding.forgetErrors();
        return new Replies.Failed(accepted, String.join("; ", failures));
    }

    /** Waits for a thread. Only a programming error or a lack of memory stops one. */
    private static void await(CompletableFuture<Void> thread) {
        try {
            thread.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Asks all servers, then reads one reply to each request, so that no connection has an unread one when that fails. */
    private void inTurn(ByteBuffer parameters) {
        List<ServerShard> asked = new ArrayList<>();
        for (ServerShard server : servers) {
            run(server, channel -> {
                request.send(channel, server);
                asked.add(server);
            });
        }
        for (ServerShard server : asked) {
            run(server, channel -> add(server, answer(channel, server, parameters)));
        }
    }

    private void begin(ServerShard server, Action action) {
        running.add(CompletableFuture.runAsync(() -> run(server, action), connections.exchanging()));
    }

    /** A failure drops the connection, which ends the other direction, too. */
    private void run(ServerShard server, Action action) {
        TaskId task = server.server().task();
        ShardChannel channel = channels.get(task);
        if (channel == null) {
            return;
        }
        try {
            action.run(channel);
        } catch (IOException e) {
            failures.add(task + ": " + e.getMessage());
            connections.failed(task, channel);
        }
    }

    private void add(ServerShard server, ShardHeader reply) {
        TaskId task = server.server().task();
        if (reply.kind() == Kind.PARAMETERS) {
            accepted.add(task);
            replies.put(task, reply);
        } else {
            failures.add(task + " is in membership " + reply.number());
        }
    }

    /** Reads all parts of a reply. Returns the header of the last, or the refusal that came in the place of one. */
    private ShardHeader answer(ShardChannel channel, ServerShard server, ByteBuffer parameters) throws IOException {
        ShardFormat format = formats.apply(server.ranges());
        Parts parts = format.parts();
        int place = parts.first();
        while (true) {
            ShardHeader reply = channel.readHeader();
            if (reply.kind() != Kind.PARAMETERS) {
                return reply;
            }
            int most = parts.end(place) - place;
            int floats = reply.share();
            if (reply.place() != place
                    || floats < 0
                    || floats > most
                    || (floats == 0 && most > 0)
                    || reply.words() != format.words(place, place + floats)) {
                throw new IOException("answered with floats " + reply.place() + " to "
                        + ((long) reply.place() + floats) + " in " + reply.words() + " words, expected " + place
                        + " to " + (place + most));
            }
            if (format.isPlain()) {
                channel.readFloats(reply, slices(parameters, server.ranges().part(place, floats)));
            } else {
                encoding.read(channel.readFloats(reply), server.ranges(), format, place, place + floats, parameters);
            }
            place = parts.next(place + floats);
            if (place < 0) {
                return reply;
            }
        }
    }
}
