package io.optimus.am.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.job.JobSpec;
import io.optimus.am.progress.StepLosses;
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
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
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

/** The service with a store that can fail or block, and transfers over real sockets. */
public final class CheckpointServiceTest {
    private static final TaskId PS0 = TaskId.server(0);
    private static final TaskId PS1 = TaskId.server(1);
    private static final CheckpointKey KEY = new CheckpointKey(50, new MembershipNumber(1, 1));
    private static final int PART = CheckpointTransfer.PART_FLOATS;
    /** More bytes than sockets buffer. */
    private static final int MANY_PARTS = 400;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final ExecutorService serving = Executors.newCachedThreadPool(DaemonThreads.named("test"));
    private FaultyStore store;
    private CheckpointService service;

    private final class RecordingListener implements CheckpointService.Listener {
        @Override
        public void complete(CheckpointKey key) {
            events.add("complete " + key.step());
        }

        @Override
        public void saved(CheckpointKey key, SavedCheckpoint state) {
            events.add("saved " + key.step());
        }

        @Override
        public void warned(String what) {
            events.add("warned " + what);
        }

        @Override
        public void notSaved(CheckpointKey key, Throwable cause) {
            events.add("not saved " + key.step());
        }

        @Override
        public void transferFailed(CheckpointKey key, TaskId task, IOException cause) {
            events.add("transfer failed " + key.step() + " " + task);
        }

        @Override
        public void unreadable(String name, IOException cause, boolean damaged) {
            events.add("unreadable");
        }
    }

    /** A task's end of a transfer. */
    private final class Transfer implements AutoCloseable {
        final Socket socket;
        final DataOutputStream out;
        final Future<?> served;

        Transfer(TaskId task) throws IOException {
            try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                socket = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket accepted = listening.accept();
                served = serving.submit(() -> {
                    try (accepted) {
                        service.serve(accepted, task);
                    }
                    return null;
                });
            }
            out = CheckpointTransfer.output(socket);
        }

        void beginSave() throws IOException {
            out.writeByte(CheckpointTransfer.SAVE);
            out.writeInt(KEY.number().attempt());
            out.writeInt(KEY.number().number());
            out.writeLong(KEY.step());
            out.writeInt(0);
        }

        void part(int index) throws IOException {
            ByteBuffer floats = CheckpointTransfer.buffer(0);
            for (int i = 0; i < PART; i++) {
                floats.asFloatBuffer().put(i, index);
            }
            CheckpointTransfer.writePart(out, new Range(index * PART, PART), floats);
            out.flush();
        }

        int end() throws IOException {
            CheckpointTransfer.writeEnd(out);
            return new DataInputStream(socket.getInputStream()).readByte();
        }

        void asks(Range wanted) throws IOException {
            out.writeByte(CheckpointTransfer.LOAD);
            out.writeUTF(store.names().first());
            out.writeInt(1);
            out.writeInt(wanted.offset());
            out.writeInt(wanted.length());
            out.flush();
        }

        void save(int from, int to) throws IOException {
            beginSave();
            for (int part = from; part < to; part++) {
                part(part);
            }
            assertThat(end()).isEqualTo(1);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Before
    public void open() throws IOException {
        store = new FaultyStore(new LocalCheckpointStore(path()));
        service = new CheckpointService(store, Duration.ofMinutes(1), new RecordingListener());
        service.modelHas(2 * PART);
    }

    @After
    public void close() {
        store.release();
        service.close();
        serving.shutdownNow();
    }

    private Path path() {
        return folder.getRoot().toPath().resolve("store");
    }

    private void expect(String what) throws InterruptedException {
        assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(what);
    }

    private void savedByBoth() throws IOException, InterruptedException {
        try (Transfer first = new Transfer(PS0);
                Transfer second = new Transfer(PS1)) {
            first.save(0, 1);
            second.save(1, 2);
        }
        expect("complete 50");
        service.commit(KEY, StepLosses.State.START);
        expect("saved 50");
    }

    @Test
    public void partsOfTwoServersMakeOneCheckpoint() throws Exception {
        savedByBoth();
        assertThat(service.newest(damaged -> {}).orElseThrow().step()).isEqualTo(50);
    }

    @Test
    public void taskThatDiesWhileLoadingIsNotBlamedOnTheFile() throws Exception {
        service.modelHas(MANY_PARTS * PART);
        try (Transfer saving = new Transfer(PS0)) {
            saving.save(0, MANY_PARTS);
        }
        expect("complete 50");
        service.commit(KEY, StepLosses.State.START);
        expect("saved 50");
        Transfer loading = new Transfer(PS1);
        loading.asks(new Range(0, MANY_PARTS * PART));
        assertThat(loading.socket.getInputStream().read()).isEqualTo(1);
        loading.close();
        assertThatThrownBy(() -> loading.served.get(20, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(events).isEmpty();
    }

    @Test
    public void aTaskGetsOnlyTheRangesThatItWants() throws Exception {
        savedByBoth();
        List<CheckpointTransfer.Part> parts = new ArrayList<>();
        float[] floats = new float[4];
        try (Transfer loading = new Transfer(PS1)) {
            loading.asks(new Range(PART - 1, 3));
            DataInputStream in = new DataInputStream(loading.socket.getInputStream());
            assertThat(in.readByte()).isEqualTo(CheckpointTransfer.DONE);
            CheckpointTransfer.readParts(in, in.readInt(), (part, slots) -> {
                part.floats()
                        .get(
                                floats,
                                part.range().offset() - (PART - 1),
                                part.range().length());
                parts.add(part);
            });
        }
        assertThat(parts.stream().map(CheckpointTransfer.Part::range))
                .containsExactlyInAnyOrder(new Range(PART - 1, 1), new Range(PART, 2));
        assertThat(floats).containsExactly(0, 1, 1, 0);
    }

    @Test
    public void fileThatCannotBeReadIsNamed() throws Exception {
        savedByBoth();
        Path file = path().resolve(store.names().first());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2]++;
        Files.write(file, bytes);
        try (Transfer loading = new Transfer(PS1)) {
            loading.asks(new Range(0, 2 * PART));
            loading.socket.getInputStream().readAllBytes();
        }
        expect("unreadable");
    }

    @Test
    public void damageInAPartMattersOnlyToWhoLoadsIt() throws Exception {
        savedByBoth();
        Path file = path().resolve(store.names().first());
        byte[] bytes = Files.readAllBytes(file);
        bytes[100]++;
        Files.write(file, bytes);
        assertThat(service.newest(damaged -> {}).orElseThrow().step()).isEqualTo(50);
        List<CheckpointTransfer.Part> parts = new ArrayList<>();
        try (Transfer loading = new Transfer(PS1)) {
            loading.asks(new Range(PART, PART));
            DataInputStream in = new DataInputStream(loading.socket.getInputStream());
            assertThat(in.readByte()).isEqualTo(CheckpointTransfer.DONE);
            CheckpointTransfer.readParts(in, in.readInt(), (part, slots) -> parts.add(part));
        }
        assertThat(parts).hasSize(1);
        assertThat(events).isEmpty();
        assertThat(writeModel(2 * PART).orElseThrow()).hasMessageContaining("the checksum of [0,16384) differs");
        try (Transfer loading = new Transfer(PS0)) {
            loading.asks(new Range(0, PART));
            loading.socket.getInputStream().readAllBytes();
        }
        expect("unreadable");
    }

    @Test
    public void aCheckpointWithoutAllFloatsIsNotCommitted() throws Exception {
        try (Transfer first = new Transfer(PS0);
                Transfer second = new Transfer(PS1)) {
            first.save(0, 1);
            second.save(0, 1);
        }
        expect("complete 50");
        service.commit(KEY, StepLosses.State.START);
        expect("not saved 50");
        assertThat(store.names()).isEmpty();
    }

    @Test
    public void transferOfADiscardedCheckpointEndsWithoutError() throws Exception {
        try (Transfer saving = new Transfer(PS0)) {
            saving.beginSave();
            saving.part(0);
            store.awaitDraft();
            service.discardAll();
            saving.part(1);
            assertThat(saving.end()).isEqualTo(1);
        }
        service.close();
        assertThat(events).isEmpty();
        assertThat(path()).isEmptyDirectory();
    }

    @Test
    public void brokenTransferIsBlamedOnTheTask() throws Exception {
        try (Transfer saving = new Transfer(PS0)) {
            saving.beginSave();
            saving.part(0);
        }
        expect("transfer failed 50 ps-0");
        savedByBoth();
    }

    @Test
    public void failingStoreIsBlamedForALostCheckpoint() throws Exception {
        store.refuse(new IOException("No space left"));
        try (Transfer saving = new Transfer(PS0)) {
            saving.beginSave();
            saving.part(0);
            assertThat(saving.end()).isEqualTo(2);
        }
        expect("not saved 50");
    }

    @Test
    public void errorWhileAShardIsStoredDiscardsItsCheckpoint() throws Exception {
        store.refuse(new OutOfMemoryError("for a test"));
        try (Transfer saving = new Transfer(PS0)) {
            saving.beginSave();
            saving.part(0);
            expect("not saved 50");
        }
        store.heal();
        savedByBoth();
    }

    @Test
    public void callsReturnWhileTheStoreHangs() throws Exception {
        store.block();
        try (Transfer saving = new Transfer(PS0)) {
            saving.beginSave();
            saving.part(0);
            store.awaitBlocked();
            CountDownLatch done = new CountDownLatch(1);
            serving.execute(() -> {
                service.discardAll();
                service.discard(KEY);
                service.discardBefore(KEY);
                done.countDown();
            });
            assertThat(done.await(20, TimeUnit.SECONDS))
                    .as("while the store hangs")
                    .isTrue();
            store.release();
            assertThat(saving.end()).isEqualTo(1);
        }
        savedByBoth();
    }

    @Test
    public void modelHasTheFloatsInOrderWhateverOrderTheyArriveIn() throws Exception {
        service.modelHas(7 * PART);
        try (Transfer first = new Transfer(PS0)) {
            first.save(4, 7);
        }
        try (Transfer second = new Transfer(PS1)) {
            second.save(0, 4);
        }
        expect("complete 50");
        service.commit(KEY, StepLosses.State.START);
        expect("saved 50");
        assertThat(writeModel(7 * PART)).isEmpty();
        byte[] model = Files.readAllBytes(path().resolve("model.bin"));
        int head = model.length - 7 * PART * Float.BYTES;
        assertThat(head % 64).isZero();
        assertThat(new String(model, 0, head, StandardCharsets.US_ASCII)).contains("optimus-model");
        FloatBuffer floats = ByteBuffer.wrap(model, head, model.length - head)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();
        for (int i = 0; i < 7 * PART; i++) {
            assertThat((int) floats.get(i)).isEqualTo(i / PART);
        }
    }

    @Test
    public void modelOfAnotherSizeThanItsCheckpointIsNotWritten() throws Exception {
        savedByBoth();
        assertThat(writeModel(3 * PART).orElseThrow()).hasMessageContaining("the model has " + 3 * PART);
        assertThat(store.names()).hasSize(1);
    }

    private Optional<IOException> writeModel(int floats) throws Exception {
        CompletableFuture<Optional<IOException>> outcome = new CompletableFuture<>();
        service.writeModel(
                store.names().first(),
                "model.bin",
                List.of(ParameterBlock.parameter("all", floats)),
                outcome::complete);
        return outcome.get(20, TimeUnit.SECONDS);
    }

    @Test
    public void damagedCheckpointIsPassedOver() throws Exception {
        savedByBoth();
        Path whole = path().resolve(store.names().first());
        Files.write(path().resolve("checkpoint-999"), Arrays.copyOf(Files.readAllBytes(whole), 1_000));
        List<String> damaged = new ArrayList<>();
        assertThat(service.newest(damaged::add).orElseThrow().step()).isEqualTo(50);
        assertThat(damaged).singleElement().asString().contains("checkpoint-999");
    }

    @Test
    public void checkpointOfAnotherVersionDoesNotCountAsDamaged() throws Exception {
        savedByBoth();
        Path file = path().resolve(store.names().first());
        byte[] bytes = Files.readAllBytes(file);
        bytes[11] = 1;
        Files.write(file, bytes);
        List<String> damaged = new ArrayList<>();
        assertThatThrownBy(() -> service.newest(damaged::add))
                .hasMessageContaining("another version of Optimus has written it, in format 1")
                .hasMessageContaining("go on with the version that has written it");
        assertThat(damaged).isEmpty();
        CheckpointTracker tracker =
                new CheckpointTracker(service, TrainingMode.SYNCHRONOUS, new JobSpec.Checkpoint(50, 60), 0);
        assertThatThrownBy(() -> tracker.resume(new StoreOutage(Duration.ofMinutes(1)), damaged::add))
                .hasMessageContaining("another version");
        assertThat(damaged).isEmpty();
    }

    @Test
    public void checkpointThatCannotBeReadNowDoesNotCountAsDamaged() throws Exception {
        savedByBoth();
        List<String> damaged = new ArrayList<>();
        store.failReading(new IOException("No DataNode has the block"));
        assertThatThrownBy(() -> service.newest(damaged::add)).hasMessageContaining("No DataNode has the block");
        assertThat(damaged).isEmpty();
    }

    @Test
    public void jobWhoseCheckpointsAreAllDamagedDoesNotBeginAnew() throws Exception {
        Files.writeString(path().resolve("checkpoint-1"), "nonsense");
        assertThatThrownBy(() -> service.newest(name -> {})).hasMessageContaining("delete them");
    }

    @Test
    public void tooLittleMemoryForTheModelIsReported() throws Exception {
        savedByBoth();
        store.refuse(new OutOfMemoryError("for a test"));
        assertThat(writeModel(2 * PART).orElseThrow()).hasMessageContaining("for a test");
    }
}
