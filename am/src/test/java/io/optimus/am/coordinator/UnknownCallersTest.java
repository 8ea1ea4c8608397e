package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.model.TrainingMode;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Unknown callers of a server or of the coordinator do not disturb the job. */
public final class UnknownCallersTest {
    /** More than wait for their proof at the same time. */
    private static final int SILENT = 1_500;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<Socket> unknown = new ArrayList<>();
    private TestJob job;

    @Before
    public void start() throws IOException {
        job = new TestJob(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), 1_000_000),
                new LocalCheckpointStore(folder.getRoot().toPath().resolve("store")),
                1,
                () -> new CountingEngine(1003, 200));
    }

    @After
    public void close() throws IOException {
        for (Socket socket : unknown) {
            socket.close();
        }
        job.close();
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        unknown.add(socket);
        return socket;
    }

    private void assertTrainsOn() throws IOException {
        Set<TaskId> members = new TreeSet<>(job.add(1, 1));
        job.resizeTo(members);
        job.awaitStep(job.step() + 20);
        job.coordinator.stop("test");
        job.awaitEnd();
        job.assertEveryStepOnce();
        assertThat(job.lost).isEmpty();
    }

    private List<Integer> ports() throws IOException {
        job.add(1, 0);
        return List.of(job.coordinator.port(), job.serverPort(TaskId.server(0)));
    }

    private static void assertClosed(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // A refusal may precede the end.
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("still open", e);
        } catch (IOException e) {
            // The connection was closed before all bytes were read.
        }
    }

    @Test
    public void randomBytesAreCutOff() throws IOException {
        Random random = new Random(7);
        for (int port : ports()) {
            for (int i = 0; i < 20; i++) {
                byte[] bytes = new byte[1 + random.nextInt(5_000)];
                random.nextBytes(bytes);
                Socket socket = connect(port);
                try {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    // The connection is closed already.
                }
                assertClosed(socket);
            }
        }
        assertTrainsOn();
    }

    @Test
    public void silentCallersDoNotKeepTasksOut() throws IOException {
        for (int port : ports()) {
            for (int i = 0; i < SILENT; i++) {
                connect(port);
            }
        }
        assertTrainsOn();
    }

    @Test
    public void callersThatComeAgainAndAgainKeepNeitherTasksNorCheckpointsOut() throws Exception {
        List<Integer> ports = ports();
        AtomicBoolean ends = new AtomicBoolean();
        List<Thread> strangers = new ArrayList<>();
        for (int port : ports) {
            Thread stranger = new Thread(() -> floodUntil(ends, port));
            stranger.start();
            strangers.add(stranger);
        }
        Set<TaskId> members = new TreeSet<>(job.add(2, 5));
        job.resizeTo(members);
        int saved = job.checkpoints.size();
        job.await("checkpoints are saved", () -> job.checkpoints.size() > saved + 3);
        assertThat(job.warnings).isEmpty();
        assertThat(job.lost).isEmpty();
        ends.set(true);
        for (Thread stranger : strangers) {
            stranger.join();
        }
    }

    /** Keeps 600 connections open, and replaces the oldest by a new one that sends something. */
    private static void floodUntil(AtomicBoolean ends, int port) {
        Deque<Socket> open = new ArrayDeque<>();
        byte[] bytes = {'G', 'E', 'T', ' '};
        while (!ends.get()) {
            try {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(socket);
                if (open.size() % 2 == 0) {
                    socket.getOutputStream().write(bytes);
                }
                if (open.size() > 600) {
                    open.remove().close();
                }
            } catch (IOException e) {
                // It is cut off.
            }
        }
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is cut off.
            }
        }
    }

    @Test
    public void announcedLengthsAreNotTrusted() throws IOException {
        ports();
        Socket message = connect(job.coordinator.port());
        Handshake.call(message, TaskId.worker(77), Handshake.Purpose.CONTROL, job.secret);
        new DataOutputStream(message.getOutputStream()).writeInt(Integer.MAX_VALUE);
        assertClosed(message);
        Socket shards = connect(job.serverPort(TaskId.server(0)));
        Handshake.call(shards, TaskId.worker(78), Handshake.Purpose.SHARDS, job.secret);
        shards.getOutputStream().write(new byte[ShardHeader.BYTES]);
        assertClosed(shards);
        job.await("the unknown caller is removed", () -> job.lost.remove(TaskId.worker(77)) != null);
        assertTrainsOn();
    }
}
