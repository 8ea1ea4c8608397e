package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.Test;

public final class SampleOrderTest {
    private final SampleOrder order = new SampleOrder(7, 100);

    @Test
    public void membersTogetherTakeWhatOneWouldTake() {
        for (long step = 0; step < 20; step++) {
            int[] alone = order.synchronous(step, 32, 0, 1);
            for (int workers = 2; workers < 7; workers++) {
                IntStream together = IntStream.empty();
                for (int rank = 0; rank < workers; rank++) {
                    together = IntStream.concat(together, Arrays.stream(order.synchronous(step, 32, rank, workers)));
                }
                assertThat(together.toArray()).isEqualTo(alone);
            }
        }
    }

    @Test
    public void takesEverySampleOnceInAnEpoch() {
        IntStream epoch =
                IntStream.range(0, 5).boxed().flatMapToInt(step -> Arrays.stream(order.synchronous(step, 20, 0, 1)));
        assertThat(epoch.sorted().toArray()).isEqualTo(IntStream.range(0, 100).toArray());
    }

    @Test
    public void partsDifferByOneAtMost() {
        for (int rank = 0; rank < 3; rank++) {
            assertThat(order.synchronous(4, 10, rank, 3).length).isBetween(3, 4);
        }
    }

    @Test
    public void orderDependsOnSeedAndEpoch() {
        int[] first = order.synchronous(0, 100, 0, 1);
        assertThat(order.synchronous(1, 100, 0, 1)).isNotEqualTo(first);
        assertThat(new SampleOrder(8, 100).synchronous(0, 100, 0, 1)).isNotEqualTo(first);
        assertThat(new SampleOrder(7, 100).synchronous(0, 100, 0, 1)).isEqualTo(first);
    }

    @Test
    public void asynchronousWorkersTakeBatchesInTurn() {
        assertThat(order.asynchronous(3, 2, 10, 1, 4)).isEqualTo(order.synchronous(3 + 2 * 4 + 1, 10, 0, 1));
    }
}
