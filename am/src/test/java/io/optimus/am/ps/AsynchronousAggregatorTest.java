package io.optimus.am.ps;

import static io.optimus.am.ps.ShardConnection.workers;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.Updates;
import io.optimus.am.wire.shards.Parts;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class AsynchronousAggregatorTest {
    private static final MembershipNumber NONE = new MembershipNumber(1, 0);
    private static final MembershipNumber FIRST = new MembershipNumber(1, 1);
    /** So many that a connection does not take all of them before the worker reads. */
    private static final int FLOATS = 1 << 23;

    private static final Ranges ALL = new Ranges(List.of(new Range(0, FLOATS)));
    private static final Updates UPDATES =
            Updates.of(new Optimizer.Sgd(1, 0, 0), 1, List.of(ParameterBlock.parameter("all", FLOATS)));

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final AsynchronousAggregator aggregator = new AsynchronousAggregator(WireFormat.FLOAT32);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final float[] gradient = new float[FLOATS];

    @Before
    public void open() throws IOException {
        Arrays.fill(gradient, -1);
        aggregator.place(place(FIRST, NONE));
        aggregator.arrived(FIRST, new Range(0, FLOATS), FloatBuffer.allocate(FLOATS), 0);
        assertThat(aggregator.open(FIRST)).isTrue();
        aggregator.goOn(FIRST, Long.MAX_VALUE);
    }

    @After
    public void close() {
        threads.shutdownNow();
    }

    private static Place place(MembershipNumber number, MembershipNumber base) {
        return new Place(number, base, workers(1), -1, ALL, UPDATES, List.of(), "", true);
    }

    private static ShardHeader push(MembershipNumber number) {
        return new ShardHeader(Kind.PUSH, false, number, 1, 0, 4, 4, 1, FLOATS);
    }

    /** The answer is one update or none, as a whole. */
    private float pushed(ShardConnection connection, MembershipNumber number) throws Exception {
        Future<?> sending = send(connection, number);
        Future<?> serving = serve(connection);
        float first = Float.NaN;
        Parts parts = Parts.of(FLOATS);
        for (int place = parts.first(); place >= 0; ) {
            ShardHeader part = connection.worker.readHeader();
            assertThat(part.kind()).isEqualTo(Kind.PARAMETERS);
            assertThat(part.place()).isEqualTo(place);
            ByteBuffer floats = connection.worker.readFloats(part);
            first = floats.getFloat(0);
            assertThat(floats.getFloat((part.words() - 1) * Float.BYTES)).isEqualTo(first);
            place = parts.next(place + part.words());
        }
        sending.get();
        serving.get();
        return first;
    }

    private Future<?> send(ShardConnection connection, MembershipNumber number) {
        return threads.submit(() -> {
            connection.worker.send(push(number), gradient, List.of());
            return null;
        });
    }

    private Future<?> serve(ShardConnection connection) {
        return threads.submit(() -> {
            aggregator.push(connection.server, TaskId.worker(0), connection.server.readHeader(), () -> {});
            return null;
        });
    }

    @Test
    public void answersWithTheParametersAfterTheUpdate() throws Exception {
        try (ShardConnection connection = new ShardConnection()) {
            assertThat(pushed(connection, FIRST)).isEqualTo(1);
        }
    }

    @Test
    public void aPushWhoseAnswerBreaksOffIsNotAppliedAgain() throws Exception {
        MembershipNumber second = FIRST.next();
        try (ShardConnection connection = new ShardConnection()) {
            Future<?> sending = send(connection, FIRST);
            Future<?> serving = serve(connection);
            ShardHeader part = connection.worker.readHeader();
            assertThat(part.kind()).isEqualTo(Kind.PARAMETERS);
            assertThat(aggregator.fence(second)).as("steps that are applied").isEqualTo(1);
            while (part.kind() == Kind.PARAMETERS) {
                connection.worker.skipFloats(part);
                part = connection.worker.readHeader();
            }
            assertThat(part.kind()).isEqualTo(Kind.REFUSED);
            sending.get();
            serving.get();

            aggregator.place(place(second, FIRST));
            assertThat(aggregator.open(second)).isTrue();
            aggregator.goOn(second, Long.MAX_VALUE);
            assertThat(pushed(connection, second)).isEqualTo(1);
            assertThat(aggregator.step()).isEqualTo(1);
        }
    }
}
