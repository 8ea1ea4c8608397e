package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.ConnectedTasks.Was;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Tasks that are never heard, and those that read nothing. */
public class ConnectedTasksTest {
    private static final TaskId FAR = TaskId.worker(0);
    private static final TaskId NEAR = TaskId.worker(1);
    private static final int HEARTBEAT_MILLIS = 20;
    private static final int SILENCE_MILLIS = 300;
    private static final Message.Welcome WELCOME = new Message.Welcome(
            TrainingMode.SYNCHRONOUS, WireFormat.FLOAT32, 64, 1, 1_000, HEARTBEAT_MILLIS, 600_000, true);

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final ConnectedTasks tasks = new ConnectedTasks(WELCOME);
    private ServerSocket listening;
    private Socket far;
    private Socket near;

    /** A connection that seems to come from another host. */
    private static final class FarSocket extends Socket {
        FarSocket(int port) throws IOException {
            super(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public InetAddress getInetAddress() {
            try {
                return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Before
    public void connect() throws IOException {
        listening = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
        far = new FarSocket(listening.getLocalPort());
        near = new Socket(listening.getInetAddress(), listening.getLocalPort());
        tasks.add(new TaskConnection(FAR, far));
        tasks.add(new TaskConnection(NEAR, near));
    }

    @After
    public void close() throws IOException {
        far.close();
        near.close();
        listening.close();
    }

    /** Lets {@code millis} pass. Returns the tasks that are late then. */
    private Map<TaskId, String> lateAfter(long millis, boolean yarnAnswers) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        tasks.yarnAnswers();
        while (System.nanoTime() < end) {
            tasks.tick();
            tasks.lookForCut();
            if (yarnAnswers) {
                tasks.yarnAnswers();
            }
            TimeUnit.MILLISECONDS.sleep(HEARTBEAT_MILLIS / 4);
        }
        return tasks.late(SILENCE_MILLIS, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    @Test
    public void silentTasksAreLateWhileYarnAnswers() throws InterruptedException {
        assertThat(lateAfter(2 * SILENCE_MILLIS, true)).containsOnlyKeys(FAR, NEAR);
    }

    @Test
    public void connectionsOfLostTasksThatReadNothingEnd() throws Exception {
        AtomicLong nanos = new AtomicLong();
        ConnectedTasks lost = new ConnectedTasks(WELCOME, new AwakeClock(nanos::get));
        lost.add(new TaskConnection(FAR, far));
        lost.add(new TaskConnection(NEAR, near));
        assertThat(lost.remove(FAR)).isEqualTo(Was.NEEDED);
        assertThat(lost.giveUp(NEAR, "it failed")).isEqualTo(Was.NEEDED);
        for (int second = 0; second < 29; second++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            lost.tick();
        }
        assertThat(far.isClosed() || near.isClosed()).isFalse();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        lost.tick();
        assertThat(far.isClosed() && near.isClosed()).isTrue();
    }

    @Test
    public void tasksOnOtherHostsAreNotLateWhileThisProcessIsCutOff() throws InterruptedException {
        assertThat(lateAfter(2 * SILENCE_MILLIS, false)).containsOnlyKeys(NEAR);
    }
}
