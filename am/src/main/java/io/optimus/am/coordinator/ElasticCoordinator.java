package io.optimus.am.coordinator;

import io.optimus.am.wire.ConnectionAcceptor;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TakeOver;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Coordinator} on sockets. Accepts tasks, and puts the events of all threads into one queue, from which one thread
 * passes them to a {@link JobEvents}.
 *
 * <p>Listens on all addresses, since the address by which other nodes reach this one is not known here: the host's own
 * name may mean the loopback. Every caller must prove within seconds that it knows the job's secret.
 */
public final class ElasticCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(ElasticCoordinator.class);
    /** Time between two looks at the clock. */
    private static final long TICK_MILLIS = 50;
    /** Connections that wait until they are accepted: those of all tasks of a large job, and of strangers. */
    private static final int MOST_WAITING = 1024;

    private final JobSecret secret;
    private final ConnectedTasks connected;
    private final JobEvents handler;
    private final PortRange ports;
    private final ServerSocket listening;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final ConnectionAcceptor callers;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("coordinator"));
    private volatile CoordinatorStatus status;
    private volatile SortedSet<TaskId> loading = new TreeSet<>();
    private volatile boolean closed;

    /**
     * Listens and runs the job from {@link #start} on.
     *
     * @param secret the secret that tasks must know
     * @param ports the ports to choose from
     * @param welcome what each task is sent first
     * @param job makes what handles the job's events
     */
    public ElasticCoordinator(JobSecret secret, PortRange ports, Message.Welcome welcome, JobEvents.Factory job)
            throws IOException {
        this.secret = secret;
        this.callers = new ConnectionAcceptor(secret, () -> !closed, threads);
        this.ports = ports;
        this.listening = new ServerSocket();
        this.connected = new ConnectedTasks(welcome);
        this.handler = job.create(connected, events::add);
        this.status = handler.status();
    }

    @Override
    public void start() throws IOException {
        handler.resume();
        status = handler.status();
        ports.open(address -> {
            listening.bind(address, MOST_WAITING);
            return listening;
        });
        threads.execute(this::accept);
        threads.execute(this::handleEvents);
    }

    @Override
    public void takeOver(Collection<ServerAddress> tasks, Successor self, Runnable done) {
        Set<TaskId> ids = tasks.stream().map(ServerAddress::task).collect(Collectors.toSet());
        events.add(() -> handler.takeOver(ids, done));
        tasks.forEach(task -> threads.execute(() -> call(task, self)));
    }

    @Override
    public void dismiss(Collection<ServerAddress> tasks, Successor self) {
        events.add(() -> tasks.forEach(task -> connected.refuse(task.task())));
        tasks.forEach(task -> threads.execute(() -> {
            try {
                TakeOver.announce(task, self, secret);
            } catch (IOException | RuntimeException e) {
                LOG.debug("not dismissed task={} cause={}", task, e.toString());
            }
        }));
    }

    private void call(ServerAddress task, Successor self) {
        try {
            TakeOver.announce(task, self, secret);
        } catch (IOException | RuntimeException e) {
            LOG.info("not taken over task={} cause={}", task, e.toString());
            events.add(() -> handler.unreachable(task.task()));
        }
    }

    @Override
    public int port() {
        return listening.getLocalPort();
    }

    @Override
    public SortedSet<TaskId> readyTasks() {
        SortedSet<TaskId> ready = new TreeSet<>();
        status.tasks().forEach((task, state) -> {
            if (!state.member()) {
                ready.add(task);
            }
        });
        return ready;
    }

    @Override
    public SortedSet<TaskId> loadingTasks() {
        return loading;
    }

    @Override
    public void target(Set<TaskId> members) {
        Set<TaskId> copy = Set.copyOf(members);
        events.add(() -> handler.target(copy));
    }

    @Override
    public void release(TaskId task) {
        events.add(() -> handler.release(task));
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        events.add(() -> handler.lost(task, reason));
    }

    @Override
    public void yarnAnswers() {
        connected.yarnAnswers();
    }

    @Override
    public CoordinatorStatus status() {
        return status;
    }

    @Override
    public void stop(String reason) {
        events.add(() -> handler.stop(reason));
    }

    private void handleEvents() {
        try {
            while (!closed) {
                Runnable event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
                while (event != null) {
                    run(event);
                    event = events.poll();
                }
                run(this::tick);
                loading = handler.loading();
                status = handler.status().withRefusedCallers(callers.refused());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tick() {
        long stoodStillNanos = connected.tick();
        if (stoodStillNanos > 0) {
            handler.warned("The ApplicationMaster's process stood still for " + seconds(stoodStillNanos)
                    + "; its tasks went on by themselves");
        }
        long cutOffNanos = connected.lookForCut();
        if (cutOffNanos > 0) {
            handler.warned("The ApplicationMaster was cut off from the network for " + seconds(cutOffNanos)
                    + ": no answer came from YARN and no message from a task on another host; its tasks went on by"
                    + " themselves");
        }
        handler.tick();
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    /** A programming error ends the job in order instead of leaving it hanging. */
    private void run(Runnable event) {
        if (closed) {
            // All connections are being closed. A task is not lost because its connection ends now.
            return;
        }
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            LOG.error("coordinator failed", e);
            handler.fail("The coordinator failed: " + e);
        }
    }

    private void accept() {
        callers.run(listening::accept, socket -> socket, this::serve);
    }

    private void serve(Socket socket, Handshake.Caller caller) {
        sockets.add(socket);
        try {
            if (closed) {
                return;
            }
            switch (caller.purpose()) {
                case CONTROL -> control(new TaskConnection(caller.task(), socket));
                case CHECKPOINT -> handler.serveCheckpoint(socket, caller.task());
                case TAKE_OVER -> throw new IOException(caller.task() + " called a coordinator to take over");
                case SHARDS, LOCAL_SHARDS -> throw new IOException(
                        caller.task() + " took the coordinator for a parameter server");
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("connection ended from={} cause={}", socket.getRemoteSocketAddress(), e.toString());
        } finally {
            sockets.remove(socket);
        }
    }

    private void control(TaskConnection connection) {
        threads.execute(connection::write);
        events.add(() -> connected.add(connection));
        try {
            while (true) {
                FromTask message = connection.receive();
                events.add(() -> received(connection, message));
            }
        } catch (IOException | RuntimeException e) {
            connection.close();
            events.add(() -> disconnected(connection, "its connection ended: " + e.getMessage()));
        }
    }

    private void received(TaskConnection connection, FromTask message) {
        if (connected.received(connection, message)) {
            handler.received(connection.task(), message);
        }
    }

    private void disconnected(TaskConnection connection, String reason) {
        if (connected.has(connection)) {
            handler.lost(connection.task(), reason);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listening.close();
            callers.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.debug("closing cause={}", e.toString());
        }
        threads.shutdownNow();
        handler.close();
    }
}
