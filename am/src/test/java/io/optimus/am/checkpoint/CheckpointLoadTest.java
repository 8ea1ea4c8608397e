package io.optimus.am.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.ConnectionAcceptor;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.files.CheckpointClient;
import io.optimus.am.wire.files.CheckpointTransfer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A task loads a checkpoint: from its file if it can, and the rest from the coordinator. */
public final class CheckpointLoadTest {
    private static final String NAME = "checkpoint-10";
    private static final int PART = CheckpointTransfer.PART_FLOATS;
    private static final int PARTS = 64;
    private static final int PART_BYTES = PART * Float.BYTES;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final JobSecret secret = JobSecret.random();
    private final ExecutorService serving = Executors.newCachedThreadPool(DaemonThreads.named("test"));
    private AddressedStore store;
    private CheckpointService service;
    private ServerSocket listening;
    private ConnectionAcceptor acceptor;
    private CoordinatorConnection link;
    private HttpServer http;
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private final float[] loaded = new float[PARTS * PART];
    private int arrived;

    /** A store whose files have addresses. Counts what the coordinator reads. */
    private static final class AddressedStore implements CheckpointStore {
        final AtomicLong bytes = new AtomicLong();
        final AtomicLong asked = new AtomicLong();
        volatile List<URI> addresses = List.of();
        private final LocalCheckpointStore local;

        AddressedStore(LocalCheckpointStore local) {
            this.local = local;
        }

        @Override
        public List<URI> addresses(String name) {
            asked.incrementAndGet();
            return addresses;
        }

        @Override
        public Input open(String name) throws IOException {
            Input file = local.open(name);
            return new Input() {
                @Override
                public long length() throws IOException {
                    return file.length();
                }

                @Override
                public void seek(long position) throws IOException {
                    file.seek(position);
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    bytes.addAndGet(length);
                    return file.read(into, offset, length);
                }

                @Override
                public void close() throws IOException {
                    file.close();
                }
            };
        }

        @Override
        public Draft create(String name) throws IOException {
            return local.create(name);
        }

        @Override
        public Draft createOutput(String name) throws IOException {
            return local.createOutput(name);
        }

        @Override
        public SortedSet<String> names() throws IOException {
            return local.names();
        }

        @Override
        public void delete(String name) throws IOException {
            local.delete(name);
        }
    }

    private static final class NoEvents implements CheckpointService.Listener {
        @Override
        public void complete(CheckpointKey key) {}

        @Override
        public void saved(CheckpointKey key, SavedCheckpoint checkpoint) {}

        @Override
        public void warned(String what) {}

        @Override
        public void notSaved(CheckpointKey key, Throwable cause) {}

        @Override
        public void transferFailed(CheckpointKey key, TaskId task, IOException cause) {}

        @Override
        public void unreadable(String name, IOException cause, boolean damaged) {}
    }

    @Before
    public void open() throws IOException {
        store = new AddressedStore(new LocalCheckpointStore(folder.getRoot().toPath()));
        writeCheckpoint();
        service = new CheckpointService(store, Duration.ZERO, new NoEvents());
        listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        acceptor = new ConnectionAcceptor(secret, () -> !listening.isClosed(), serving);
        serving.execute(() -> acceptor.run(listening::accept, socket -> socket, this::serve));
        link = CoordinatorConnection.connect(
                new TaskEnvironment("127.0.0.1", listening.getLocalPort(), TaskId.server(0), "127.0.0.1", secret));
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        http.createContext("/webhdfs/v1/standby", exchange -> answer(exchange, 403));
        http.createContext("/webhdfs/v1/active", this::redirect);
        http.createContext("/data", this::sendPart);
        http.start();
    }

    @After
    public void close() throws IOException {
        http.stop(0);
        link.close();
        listening.close();
        acceptor.close();
        service.close();
        serving.shutdownNow();
    }

    private Path file() {
        return folder.getRoot().toPath().resolve(NAME);
    }

    /** Parameter i is i, in parts in the order of the parameters. */
    private void writeCheckpoint() throws IOException {
        try (CheckpointStore.Draft draft = store.create(NAME)) {
            CheckpointFile.Writer writer = new CheckpointFile.Writer(draft.out(), 0);
            CheckpointFile.Run run = new CheckpointFile.Run(0);
            float[] floats = new float[PART];
            for (int part = 0; part < PARTS; part++) {
                for (int i = 0; i < PART; i++) {
                    floats[i] = part * PART + i;
                }
                run.clear();
                run.add(new CheckpointTransfer.Part(new Range(part * PART, PART), FloatBuffer.wrap(floats)));
                writer.add(run);
            }
            writer.finish(new CheckpointFile.Meta(10, PARTS * PART, StepLosses.State.START));
            draft.commit();
        }
    }

    private void serve(Socket socket, Handshake.Caller caller) {
        try {
            if (caller.purpose() == Handshake.Purpose.CHECKPOINT) {
                service.serve(socket, caller.task());
            } else {
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException e) {
            // The test has ended, or the task has.
        }
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    /** As a NameNode does. */
    private void redirect(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders()
                .add(
                        "Location",
                        address("/data").toString() + "?"
                                + exchange.getRequestURI().getQuery());
        answer(exchange, 307);
    }

    /** As a DataNode does. */
    private void sendPart(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        requests.add(query);
        int from = number(query, "offset");
        byte[] bytes = Arrays.copyOfRange(Files.readAllBytes(file()), from, from + number(query, "length"));
        exchange.sendResponseHeaders(200, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static int number(String query, String name) {
        return Stream.of(query.split("&", -1))
                .filter(pair -> pair.startsWith(name + "="))
                .mapToInt(pair -> Integer.parseInt(pair.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + path);
    }

    private void load(Range... wanted) throws IOException {
        CheckpointClient.load(link, NAME, new Ranges(List.of(wanted)), (part, slots) -> {
            arrived += part.range().length();
            part.floats()
                    .duplicate()
                    .get(loaded, part.range().offset(), part.range().length());
        });
    }

    private void expect(Range... wanted) {
        assertThat(arrived)
                .as("each once")
                .isEqualTo(Stream.of(wanted).mapToInt(Range::length).sum());
        for (Range range : wanted) {
            for (int i = range.offset(); i < range.end(); i++) {
                assertThat(loaded[i]).isEqualTo(i);
            }
        }
    }

    @Test
    public void readsItsRangesFromTheFile() throws IOException {
        store.addresses = List.of(file().toUri());
        Range[] wanted = {new Range(0, PART + 5), new Range(40 * PART - 7, 14)};

        load(wanted);

        expect(wanted);
        assertThat(store.bytes).as("what the coordinator read").hasValueLessThan(PART_BYTES);
    }

    @Test
    public void aTaskThatDoesNotFindTheFileIsNotToldOfItAgain() throws IOException {
        store.addresses = List.of(URI.create("file:///not/on/this/host/" + NAME));
        Range wanted = new Range(PART / 2, PART);

        load(wanted);
        expect(wanted);
        assertThat(store.bytes).hasValueGreaterThan(PART_BYTES);
        load(wanted);

        assertThat(arrived).isEqualTo(2 * wanted.length());
        assertThat(store.asked).hasValue(1);
    }

    @Test
    public void getsTheRestFromTheCoordinatorWhereAPartIsDamaged() throws IOException {
        Path copy = Files.copy(file(), folder.getRoot().toPath().resolve("copy"));
        try (RandomAccessFile damaged = new RandomAccessFile(copy.toFile(), "rw")) {
            damaged.seek(2L * PART_BYTES + 100);
            damaged.write(99);
        }
        store.addresses = List.of(copy.toUri());
        Range all = new Range(0, PARTS * PART);

        load(all);

        expect(all);
        assertThat(store.bytes.get()).isBetween((PARTS - 3L) * PART_BYTES, (PARTS - 1L) * PART_BYTES);
    }

    @Test
    public void asksTheNextNameNodeAndJoinsPartsThatAreNearEachOther() throws IOException {
        store.addresses = List.of(
                address("/webhdfs/v1/standby/" + NAME + "?op=OPEN&user.name=ann"),
                address("/webhdfs/v1/active/" + NAME + "?op=OPEN&user.name=ann"));
        Range[] wanted = {new Range(0, PART), new Range(3 * PART, 2 * PART), new Range(60 * PART, PART)};

        load(wanted);

        expect(wanted);
        assertThat(store.bytes).hasValueLessThan(PART_BYTES);
        assertThat(requests)
                .containsExactly(
                        "op=OPEN&user.name=ann&offset=12&length=" + 5 * PART_BYTES,
                        "op=OPEN&user.name=ann&offset=" + (12 + 60 * PART_BYTES) + "&length=" + PART_BYTES);
    }

    @Test
    public void theTasksOwnFailureIsNotTheFiles() {
        store.addresses = List.of(file().toUri());

        assertThatThrownBy(() ->
                        CheckpointClient.load(link, NAME, new Ranges(List.of(new Range(0, PART))), (part, slots) -> {
                            throw new IOException("it does not want this part any more");
                        }))
                .hasMessage("it does not want this part any more");
        assertThat(store.bytes).hasValueLessThan(PART_BYTES);
    }
}
