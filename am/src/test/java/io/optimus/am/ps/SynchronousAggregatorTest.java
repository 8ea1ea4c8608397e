package io.optimus.am.ps;

import static io.optimus.am.ps.ShardConnection.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.Updates;
import io.optimus.am.wire.shards.Parts;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class SynchronousAggregatorTest {
    private static final MembershipNumber NONE = new MembershipNumber(1, 0);
    private static final MembershipNumber FIRST = new MembershipNumber(1, 1);
    private static final MembershipNumber SECOND = new MembershipNumber(1, 2);
    private static final Ranges ALL = new Ranges(List.of(new Range(0, 2)));
    private static final Updates UPDATES =
            Updates.of(new Optimizer.Sgd(1, 0, 0), 1, List.of(ParameterBlock.parameter("all", 2)));

    @Rule
    public final Timeout timeout = Timeout.seconds(20);

    private final SynchronousAggregator aggregator =
            new SynchronousAggregator(WireFormat.FLOAT32, (copy, number, step) -> {}, 1_000);

    @Before
    public void open() throws IOException {
        place(FIRST, 1, 0);
    }

    private void place(MembershipNumber number, int workers, long step) throws IOException {
        aggregator.place(new Place(number, NONE, workers(workers), step, ALL, UPDATES, List.of(), "", true));
        aggregator.arrived(number, new Range(0, 2), FloatBuffer.wrap(new float[] {10, 20}), step);
        assertThat(aggregator.open(number)).isTrue();
    }

    /** Pushes on a connection of its own, and returns the first parameter of the answer; NaN if it is refused. */
    private float push(MembershipNumber number, long step, int rank, int share, float gradient) {
        ShardHeader header = new ShardHeader(Kind.PUSH, false, number, step, rank, share, 4, 1, 2);
        try (ShardConnection connection = new ShardConnection()) {
            connection.worker.send(header, new float[] {gradient, gradient}, List.of());
            return connection.answer(aggregator, rank);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean refused(float answer) {
        return Float.isNaN(answer);
    }

    @Test
    public void refusesPushOfSupersededMembership() throws IOException {
        place(SECOND, 1, 0);
        assertThat(refused(push(FIRST, 0, 0, 4, 1))).isTrue();
        assertThat(push(SECOND, 0, 0, 4, 1)).isEqualTo(9);
    }

    @Test
    public void refusesPushOfEarlierAttempt() throws IOException {
        place(new MembershipNumber(2, 1), 1, 0);
        assertThat(refused(push(new MembershipNumber(1, 99), 0, 0, 4, 1))).isTrue();
    }

    @Test
    public void countsRepeatedPushOnce() {
        assertThat(push(FIRST, 0, 0, 4, 1)).isEqualTo(9);
        assertThat(refused(push(FIRST, 0, 0, 4, 1))).isTrue();
        assertThat(push(FIRST, 1, 0, 4, 1)).isEqualTo(8);
    }

    @Test
    public void weighsGradientsByShareOfTheBatch() throws Exception {
        place(SECOND, 2, 0);
        var one = CompletableFuture.supplyAsync(() -> push(SECOND, 0, 0, 3, 4));
        float other = push(SECOND, 0, 1, 1, 8);
        assertThat(other).isEqualTo(10 - (0.75f * 4 + 0.25f * 8));
        assertThat(one.get(5, TimeUnit.SECONDS)).isEqualTo(other);
    }

    @Test
    public void refusesWhoWaitsWhenFenced() throws Exception {
        place(SECOND, 2, 0);
        var waiting = CompletableFuture.supplyAsync(() -> push(SECOND, 0, 0, 2, 1));
        // The push must end, whether it waits already or comes later.
        assertThat(aggregator.fence(SECOND.next())).isEqualTo(0);
        assertThat(refused(waiting.get(5, TimeUnit.SECONDS))).isTrue();
    }

    @Test
    public void aWorkerThatIsLostWhileItPushesHoldsTheStepUntilTheFence() throws Exception {
        place(SECOND, 2, 0);
        var waiting = CompletableFuture.supplyAsync(() -> push(SECOND, 0, 0, 2, 1));
        try (ShardConnection lost = new ShardConnection()) {
            ShardHeader half = new ShardHeader(Kind.PUSH, false, SECOND, 0, 1, 2, 4, 1, 2);
            lost.worker.send(half, new float[] {1}, List.of());
            lost.worker.close();
            assertThatThrownBy(() -> lost.answer(aggregator, 1)).isInstanceOf(IOException.class);
        }

        assertThat(aggregator.fence(SECOND.next())).isZero();
        assertThat(refused(waiting.get(5, TimeUnit.SECONDS))).isTrue();
        assertThat(aggregator.step()).isZero();
    }

    /** Serves one worker in the first membership. */
    private static SynchronousAggregator saving(SynchronousAggregator.ShardSaver saver, long everySteps)
            throws IOException {
        SynchronousAggregator aggregator = new SynchronousAggregator(WireFormat.FLOAT32, saver, everySteps);
        aggregator.place(new Place(FIRST, NONE, workers(1), 0, ALL, UPDATES, List.of(), "", true));
        aggregator.arrived(FIRST, new Range(0, 2), FloatBuffer.wrap(new float[] {10, 20}), 0);
        assertThat(aggregator.open(FIRST)).isTrue();
        return aggregator;
    }

    private static void step(SynchronousAggregator aggregator, long step) throws IOException {
        ShardHeader header = new ShardHeader(Kind.PUSH, false, FIRST, step, 0, 4, 4, 1, 2);
        try (ShardConnection connection = new ShardConnection()) {
            connection.worker.send(header, new float[2], List.of());
            connection.answer(aggregator, 0);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void skipsSavesWhileOneIsUnderWay() throws IOException {
        List<Long> saved = new ArrayList<>();
        boolean[] busy = {false};
        SynchronousAggregator.ShardSaver saver = new SynchronousAggregator.ShardSaver() {
            @Override
            public void save(Shard copy, MembershipNumber number, long step) {
                saved.add(step);
                busy[0] = true;
            }

            @Override
            public boolean isBusy() {
                return busy[0];
            }
        };
        SynchronousAggregator saving = saving(saver, 2);
        for (int step = 0; step < 12; step++) {
            if (step == 5) {
                busy[0] = false;
            }
            step(saving, step);
        }
        assertThat(saved).as("2 takes until 5; 8 is not over by 12").containsExactly(2L, 8L);
    }

    @Test
    public void savesWhatIsOrderedInThisMembership() throws IOException {
        List<Long> saved = new ArrayList<>();
        SynchronousAggregator saving = saving((copy, number, step) -> saved.add(step), 1_000);
        saving.saveBefore(new Message.SaveBefore(FIRST, 2));
        for (int step = 0; step < 3; step++) {
            step(saving, step);
        }
        saving.saveBefore(new Message.SaveBefore(SECOND, 4));
        for (int step = 3; step < 5; step++) {
            step(saving, step);
        }

        assertThat(saved).containsExactly(2L);
    }

    @Test
    public void takesBackStepThatOthersHaveNotApplied() throws Exception {
        push(FIRST, 0, 0, 4, 1);
        assertThat(aggregator.fence(SECOND)).isEqualTo(1);
        aggregator.place(new Place(SECOND, FIRST, workers(1), 0, ALL, UPDATES, List.of(), "", true));
        assertThat(aggregator.open(SECOND)).isTrue();
        assertThat(push(SECOND, 0, 0, 4, 3)).isEqualTo(7);
    }

    @Test
    public void cannotGoBackFurtherThanOneStep() {
        push(FIRST, 0, 0, 4, 1);
        push(FIRST, 1, 0, 4, 1);
        assertThatThrownBy(() ->
                        aggregator.place(new Place(SECOND, FIRST, workers(1), 0, ALL, UPDATES, List.of(), "", true)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("only the last step");
    }

    @Test
    public void dealsAnewFromShardBeforePlacementThatWasGivenUp() throws Exception {
        Ranges half = new Ranges(List.of(new Range(0, 1)));
        push(FIRST, 0, 0, 4, 1);
        aggregator.prepare(SECOND, half, UPDATES);
        aggregator.prepare(FIRST, ALL, UPDATES);
        aggregator.place(new Place(SECOND, FIRST, workers(1), 1, half, UPDATES, List.of(), "", true));
        assertThat(aggregator.open(SECOND)).as("what stays is not copied").isFalse();
        aggregator.keep(SECOND);
        assertThat(aggregator.open(SECOND)).isTrue();
        Shard kept =
                aggregator.place(new Place(SECOND.next(), FIRST, workers(1), 1, ALL, UPDATES, List.of(), "", true));
        assertThat(kept.ranges()).isEqualTo(ALL);
        assertThat(aggregator.open(SECOND.next())).isTrue();
        assertThat(push(SECOND.next(), 1, 0, 4, 3)).isEqualTo(6);
    }

    @Test
    public void keepsNothingOfMembershipBeforeOnceStepIsApplied() throws Exception {
        Ranges half = new Ranges(List.of(new Range(0, 1)));
        aggregator.place(new Place(SECOND, FIRST, workers(1), 0, half, UPDATES, List.of(), "", true));
        aggregator.keep(SECOND);
        assertThat(aggregator.open(SECOND)).isTrue();
        ShardHeader header = new ShardHeader(Kind.PUSH, false, SECOND, 0, 0, 4, 4, 1, 1);
        try (ShardConnection connection = new ShardConnection()) {
            connection.worker.send(header, new float[] {1}, List.of());
            connection.answer(aggregator, 0);
        }
        Shard before =
                aggregator.place(new Place(SECOND.next(), FIRST, workers(1), 1, ALL, UPDATES, List.of(), "", true));
        assertThat(before.ranges()).isEqualTo(Ranges.NONE);
        assertThat(aggregator.open(SECOND.next())).isFalse();
    }

    @Test
    public void pushOfComingMembershipWaitsForIt() throws Exception {
        var early = CompletableFuture.supplyAsync(() -> push(SECOND, 0, 0, 4, 1));
        place(SECOND, 1, 0);
        assertThat(early.get(5, TimeUnit.SECONDS)).isEqualTo(9);
    }

    /** A shard of many parts, which two workers push at once, and of which one worker's pushes stop in the middle of a step. */
    @Test
    public void partsOfAStepThatIsGivenUpAreNotKept() throws Exception {
        int floats = 1 << 18;
        Ranges many = new Ranges(List.of(new Range(0, floats)));
        Updates updates = Updates.of(new Optimizer.Sgd(1, 0, 0), 1, List.of(ParameterBlock.parameter("all", floats)));
        aggregator.place(new Place(SECOND, NONE, workers(2), 0, many, updates, List.of(), "", true));
        aggregator.arrived(SECOND, new Range(0, floats), FloatBuffer.allocate(floats), 0);
        assertThat(aggregator.open(SECOND)).isTrue();
        ShardHeader first = new ShardHeader(Kind.PUSH, false, SECOND, 0, 0, 2, 4, 1, floats);
        ShardHeader second = new ShardHeader(Kind.PUSH, false, SECOND, 0, 1, 2, 4, 1, floats);
        float[] gradient = new float[floats];
        Arrays.fill(gradient, -1);
        try (ShardConnection one = new ShardConnection();
                ShardConnection two = new ShardConnection()) {
            Future<?> pushing = inBackground(() -> one.worker.send(first, gradient, List.of()));
            Future<?> half =
                    inBackground(() -> two.worker.send(second, Arrays.copyOf(gradient, floats / 2), List.of()));
            Future<?> serving = inBackground(() -> serve(one, 0));
            Future<?> stopped = inBackground(() -> serve(two, 1));
            pushing.get();
            half.get();
            ShardHeader part = one.worker.readHeader();
            assertThat(part.kind()).as("the first part is answered").isEqualTo(Kind.PARAMETERS);
            assertThat(part.words()).isLessThan(floats);
            one.worker.skipFloats(part);

            assertThat(aggregator.fence(SECOND.next())).isZero();
            serving.get();
            while (part.kind() == Kind.PARAMETERS) {
                part = one.worker.readHeader();
                one.worker.skipFloats(part);
            }
            two.worker.close();
            assertThatThrownBy(stopped::get).hasRootCauseInstanceOf(IOException.class);
        }
        Shard held =
                aggregator.place(new Place(SECOND.next(), SECOND, workers(1), 0, many, updates, List.of(), "", true));
        float[] parameters = new float[floats];
        held.parameters().get(parameters);
        assertThat(parameters).containsOnly(0);
    }

    /** So many that the connection does not take all of them before the worker reads. */
    @Test
    public void allParametersComeInPartsUntilTheMembershipIsSuperseded() throws Exception {
        int floats = 1 << 23;
        float[] values = new float[floats];
        for (int i = 0; i < floats; i++) {
            values[i] = i;
        }
        Ranges many = new Ranges(List.of(new Range(0, floats)));
        Updates updates = Updates.of(new Optimizer.Sgd(1, 0, 0), 1, List.of(ParameterBlock.parameter("all", floats)));
        aggregator.place(new Place(SECOND, NONE, workers(1), 0, many, updates, List.of(), "", true));
        aggregator.arrived(SECOND, new Range(0, floats), FloatBuffer.wrap(values), 0);
        assertThat(aggregator.open(SECOND)).isTrue();
        ShardHeader pull = ShardHeader.plain(Kind.PULL, SECOND, 0, 0);
        try (ShardConnection connection = new ShardConnection()) {
            Future<?> answering = inBackground(() -> aggregator.answer(connection.server, pull));
            Parts parts = Parts.of(floats);
            for (int place = parts.first(); place >= 0; ) {
                ShardHeader part = connection.worker.readHeader();
                assertThat(part.kind()).isEqualTo(Kind.PARAMETERS);
                assertThat(part.place()).isEqualTo(place);
                assertThat(connection.worker.readFloats(part).getFloat(0)).isEqualTo(place);
                place = parts.next(place + part.words());
            }
            answering.get();

            Future<?> refusing = inBackground(() -> aggregator.answer(connection.server, pull));
            ShardHeader part = connection.worker.readHeader();
            assertThat(part.kind()).isEqualTo(Kind.PARAMETERS);
            aggregator.fence(SECOND.next());
            int arrived = 0;
            while (part.kind() == Kind.PARAMETERS) {
                connection.worker.skipFloats(part);
                arrived += part.words();
                part = connection.worker.readHeader();
            }
            refusing.get();
            assertThat(arrived).isLessThan(floats);
            assertThat(part.kind()).isEqualTo(Kind.REFUSED);
        }
    }

    private void serve(ShardConnection connection, int rank) throws IOException, InterruptedException {
        aggregator.push(connection.server, TaskId.worker(rank), connection.server.readHeader(), () -> {});
    }

    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private static Future<?> inBackground(Action action) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        action.run();
                    } catch (IOException | InterruptedException e) {
                        throw new CompletionException(e);
                    }
                },
                command -> new Thread(command).start());
    }
}
