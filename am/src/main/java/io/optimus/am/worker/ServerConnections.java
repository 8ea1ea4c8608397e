package io.optimus.am.worker;

import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.ShardChannel;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's connections to parameter servers, which are kept when the membership changes. There is one {@link Exchange} over them
 * at a time. Any thread may open connections ahead of time, and close those to servers that are gone, which ends an exchange.
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

    /** Returns the connection to a server, if there is one. */
    Optional<ShardChannel> to(TaskId server) {
        return Optional.ofNullable(channels.get(server));
    }

    /** Closes a connection that has failed. There may be another one to that server already. */
    void failed(TaskId server, ShardChannel connection) {
        try {
            ShardChannel watching = channels.remove(server, connection) ? watched.remove(server) : null;
            if (watching != null) {
                watching.close();
            }
            connection.close();
        } catch (IOException e) {
            LOG.debug("not closed server={} cause={}", server, e.toString());
        }
    }

    /** Threads that push and pull: for each server, one in each direction. */
    Executor exchanging() {
        return exchanging;
    }

    @Override
    public void close() throws IOException {
        keepOnly(Set.of());
    }
}
