package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepPart.Worker;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.Test;

public final class SampleOrderTest {
    private final SampleOrder order = new SampleOrder(7, 100);

    @Test
    public void membersTogetherTakeWhatOneWouldTake() {
        for (long step = 0; step < 20; step++) {
            int[] alone = order.synchronous(step, new Worker(0, 1, 32)).samples();
            for (int workers = 2; workers < 7; workers++) {
                IntStream together = IntStream.empty();
                for (int rank = 0; rank < workers; rank++) {
                    together = IntStream.concat(
                            together,
                            Arrays.stream(order.synchronous(step, new Worker(rank, workers, 32))
                                    .samples()));
                }
                assertThat(together.toArray()).isEqualTo(alone);
            }
        }
    }

    @Test
    public void takesEverySampleOnceInAnEpoch() {
        IntStream epoch = IntStream.range(0, 5)
                .boxed()
                .flatMapToInt(step -> Arrays.stream(
                        order.synchronous(step, new Worker(0, 1, 20)).samples()));
        assertThat(epoch.sorted().toArray()).isEqualTo(IntStream.range(0, 100).toArray());
    }

    @Test
    public void partsDifferByOneAtMost() {
        for (int rank = 0; rank < 3; rank++) {
            assertThat(order.synchronous(4, new Worker(rank, 3, 10)).count()).isBetween(3, 4);
        }
    }

    @Test
    public void orderDependsOnSeedAndEpoch() {
        int[] first = order.synchronous(0, new Worker(0, 1, 100)).samples();
        assertThat(order.synchronous(1, new Worker(0, 1, 100)).samples()).isNotEqualTo(first);
        assertThat(new SampleOrder(8, 100).synchronous(0, new Worker(0, 1, 100)).samples())
                .isNotEqualTo(first);
        assertThat(new SampleOrder(7, 100).synchronous(0, new Worker(0, 1, 100)).samples())
                .isEqualTo(first);
    }

    @Test
    public void asynchronousWorkersTakeBatchesInTurn() {
        assertThat(order.asynchronous(3, 2, new Worker(1, 4, 10)).samples())
                .isEqualTo(
                        order.synchronous(3 + 2 * 4 + 1, new Worker(0, 1, 10)).samples());
    }

    @Test
    public void nextPartBeginsOneStrideLater() {
        StepPart part = order.synchronous(4, new Worker(1, 3, 10));
        assertThat(order.synchronous(5, new Worker(1, 3, 10)).from()).isEqualTo(part.from() + part.stride());
        StepPart own = order.asynchronous(3, 2, new Worker(1, 4, 10));
        assertThat(order.asynchronous(3, 3, new Worker(1, 4, 10)).from()).isEqualTo(own.from() + own.stride());
    }
}
