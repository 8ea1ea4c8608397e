package io.optimus.am.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.progress.StepSamples;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.files.CheckpointTransfer;
import io.optimus.model.TrainingMode;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public final class CheckpointTrackerTest {
    private static final int FLOATS = 8;
    private static final Checkpoint INTERVAL = new Checkpoint(50, 3_600);

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final BlockingQueue<Long> saved = new LinkedBlockingQueue<>();
    private final ExecutorService serving = Executors.newCachedThreadPool(DaemonThreads.named("test"));
    private final StepLosses losses =
            new StepLosses(new StepSamples(1, 100), 50, 0, true, epochs -> Optional.empty(), point -> {});
    private CheckpointService service;
    private CheckpointTracker tracker;

    private final class Saved implements CheckpointService.Listener {
        @Override
        public void complete(CheckpointKey key) {}

        @Override
        public void saved(CheckpointKey key, SavedCheckpoint state) {
            saved.add(key.step());
        }

        @Override
        public void warned(String what) {}

        @Override
        public void notSaved(CheckpointKey key, Throwable cause) {
            saved.add(-1L);
        }

        @Override
        public void transferFailed(CheckpointKey key, TaskId task, IOException cause) {
            saved.add(-2L);
        }

        @Override
        public void unreadable(String name, IOException cause, boolean damaged) {
            saved.add(-3L);
        }
    }

    @Before
    public void open() throws IOException {
        service = new CheckpointService(
                new LocalCheckpointStore(folder.getRoot().toPath().resolve("store")), Duration.ZERO, new Saved());
        service.modelHas(FLOATS);
        tracker = new CheckpointTracker(service, TrainingMode.SYNCHRONOUS, INTERVAL, 0);
    }

    @After
    public void close() {
        service.close();
        serving.shutdownNow();
    }

    /** One server saves the whole model before {@code step}. */
    private void arrives(long step) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket accepted = listening.accept()) {
            Future<?> served = serving.submit(() -> {
                service.serve(accepted, TaskId.server(0));
                return null;
            });
            DataOutputStream out = CheckpointTransfer.output(socket);
            out.writeByte(CheckpointTransfer.SAVE);
            out.writeInt(1);
            out.writeInt(1);
            out.writeLong(step);
            out.writeInt(0);
            ByteBuffer floats = CheckpointTransfer.buffer(0).limit(FLOATS * Float.BYTES);
            CheckpointTransfer.writePart(out, new Range(0, FLOATS), floats);
            CheckpointTransfer.writeEnd(out);
            assertThat(new DataInputStream(socket.getInputStream()).readByte()).isEqualTo((byte) 1);
            socket.shutdownOutput();
            served.get();
        }
        tracker.complete(new CheckpointKey(step, new MembershipNumber(1, 1)));
        tracker.commitComplete(losses);
    }

    private void stepTo(long step) {
        for (long next = losses.step(); next < step; next++) {
            losses.add(next, new double[] {1}, 0);
        }
    }

    @Test
    public void shardsThatArriveManyIntervalsLateStillMakeACheckpoint() throws Exception {
        stepTo(50 * 20);
        arrives(50);
        assertThat(saved.poll(20, TimeUnit.SECONDS)).isEqualTo(50);
    }

    @Test
    public void shardsThatArriveTooLateDelayNoLaterOnes() throws Exception {
        stepTo(50 * 200);
        arrives(50);
        arrives(50 * 199);
        assertThat(saved.poll(20, TimeUnit.SECONDS)).isEqualTo(50 * 199);
    }

    @Test
    public void ordersASaveWhenTheLastCheckpointIsOld() throws Exception {
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(tracker.due(10, OptionalDouble.of(4), hour - 1)).isEmpty();
        assertThat(tracker.due(10, OptionalDouble.empty(), hour)).isEmpty();
        assertThat(tracker.due(10, OptionalDouble.of(4), hour)).hasValue(24);
        assertThat(tracker.due(23, OptionalDouble.of(4), 3 * hour))
                .as("that step is to come")
                .isEmpty();

        losses.keepBefore(24);
        stepTo(30);
        arrives(24);

        assertThat(saved.poll(20, TimeUnit.SECONDS)).isEqualTo(24);
        assertThat(tracker.due(30, OptionalDouble.of(4), 3 * hour)).hasValue(44);
    }

    @Test
    public void ordersAgainWhenAResizeComesBeforeTheOrderedStep() {
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(tracker.due(10, OptionalDouble.of(4), hour)).hasValue(24);
        tracker.settledAt(20);
        assertThat(tracker.due(20, OptionalDouble.of(4), hour + 1)).hasValue(34);

        tracker.settledAt(34);
        assertThat(tracker.due(34, OptionalDouble.of(4), hour + 2))
                .as("servers have saved it already")
                .isEmpty();
    }

    @Test
    public void ordersEachSaveOfAsynchronousServers() {
        CheckpointTracker asynchronous = new CheckpointTracker(service, TrainingMode.ASYNCHRONOUS, INTERVAL, 0);
        long hour = TimeUnit.HOURS.toNanos(1);

        assertThat(asynchronous.due(49, OptionalDouble.of(4), 1)).isEmpty();
        assertThat(asynchronous.due(50, OptionalDouble.of(4), 1)).hasValue(50);
        assertThat(asynchronous.due(60, OptionalDouble.of(4), hour)).isEmpty();
        assertThat(asynchronous.due(60, OptionalDouble.of(4), hour + 1)).hasValue(60);
    }

    @Test
    public void checkpointWaitsForTheLossesBeforeIt() throws Exception {
        stepTo(49);
        arrives(50);
        assertThat(saved.poll(100, TimeUnit.MILLISECONDS)).isNull();
        stepTo(51);
        tracker.commitComplete(losses);
        assertThat(saved.poll(20, TimeUnit.SECONDS)).isEqualTo(50);
    }
}
