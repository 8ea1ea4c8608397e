package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.wire.ConnectionAcceptor;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Coordinator} on sockets: accepts tasks, and brings all that happens, from whichever thread, in one order
 * before a {@link EventHandler}, which one thread alone runs.
 *
 * <p>Listens on all addresses, for which address tasks on other nodes reach this one by is not known here: the host's
 * own name may mean the loopback. Whoever connects must prove that it knows the job's secret, within seconds.
 */
public final class ElasticCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(ElasticCoordinator.class);
    /** How often the clock is looked at. */
    private static final long TICK_MILLIS = 50;

    private final JobSecret secret;
    private final EventHandler conductor;
    private final PortRange ports;
    private final ServerSocket listening;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("coordinator"));
    private volatile CoordinatorStatus status;
    private volatile boolean closed;

    /**
     * Not started yet.
     *
     * @param settings of the job
     * @param secret that tasks must know
     * @param attempt of the ApplicationMaster, 1 or more; memberships of earlier ones are refused
     * @param store for checkpoints and the model; what it holds is resumed from
     * @param ports to listen on one of
     * @param listener hears what happens
     */
    public ElasticCoordinator(
            TrainingSettings settings,
            JobSecret secret,
            int attempt,
            CheckpointStore store,
            PortRange ports,
            CoordinatorListener listener)
            throws IOException {
        this.secret = secret;
        this.ports = ports;
        this.listening = new ServerSocket();
        this.conductor = new EventHandler(settings, attempt, store, listener, events::add);
        this.status = conductor.status();
    }

    @Override
    public void start() throws IOException {
        conductor.resume();
        status = conductor.status();
        ports.open(address -> {
            listening.bind(address);
            return listening;
        });
        threads.execute(this::accept);
        threads.execute(this::conduct);
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
    public void target(Set<TaskId> members) {
        Set<TaskId> copy = Set.copyOf(members);
        events.add(() -> conductor.target(copy));
    }

    @Override
    public void release(TaskId task) {
        events.add(() -> conductor.release(task));
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        events.add(() -> conductor.lost(task, reason));
    }

    @Override
    public CoordinatorStatus status() {
        return status;
    }

    @Override
    public void stop(String reason) {
        events.add(() -> conductor.stop(reason));
    }

    private void conduct() {
        try {
            while (!closed) {
                Runnable event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
                while (event != null) {
                    run(event);
                    event = events.poll();
                }
                run(conductor::tick);
                status = conductor.status();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A mistake of ours ends the job in order rather than leave it hanging. */
    private void run(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            LOG.error("coordinator failed", e);
            conductor.fail("The coordinator failed: " + e);
        }
    }

    private void accept() {
        new ConnectionAcceptor(() -> !closed, threads).run(listening::accept, this::serve);
    }

    private Handshake.Caller caller(Socket socket, Runnable letIn) throws IOException {
        try {
            return Handshake.answer(socket, secret);
        } finally {
            letIn.run();
        }
    }

    private void serve(Socket socket, Runnable letIn) {
        sockets.add(socket);
        try (socket) {
            Handshake.Caller caller = caller(socket, letIn);
            if (closed) {
                return;
            }
            switch (caller.purpose()) {
                case CONTROL -> control(new TaskConnection(caller.task(), socket));
                case CHECKPOINT -> conductor.checkpoints().serve(socket, caller.task());
                case SHARDS -> throw new IOException(caller.task() + " took the coordinator for a parameter server");
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("connection ended from={} cause={}", socket.getRemoteSocketAddress(), e.toString());
        } finally {
            sockets.remove(socket);
        }
    }

    private void control(TaskConnection link) {
        threads.execute(link::write);
        events.add(() -> conductor.connected(link));
        try {
            while (true) {
                FromTask message = link.receive();
                events.add(() -> conductor.heard(link, message));
            }
        } catch (IOException | RuntimeException e) {
            link.close();
            events.add(() -> conductor.disconnected(link, "its connection ended: " + e.getMessage()));
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.debug("closing cause={}", e.toString());
        }
        threads.shutdownNow();
        conductor.close();
    }
}
