package io.optimus.sim.trace.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import org.junit.Test;

public class BestGoodputTest {
    private final Profile profile = Models.simple();
    private final BestGoodput perfect = new BestGoodput(profile, 4);

    /** Two replicas process 40 samples at once: a step takes 1 s and is worth two steps of the initial batch. */
    @Test
    public void hasTheBestBatchOnTheBestPlacement() {
        assertThat(perfect.stepsPerSecond(0, 2)).isCloseTo(2, within(1e-9));
    }

    @Test
    public void isNoLessThanAnyMeasurement() {
        for (int replicas = 1; replicas <= 8; replicas++) {
            for (int nodes = (replicas + 3) / 4; nodes <= Math.min(4, replicas); nodes++) {
                MeasuredGoodput measured = new MeasuredGoodput(profile, 1, 4);
                assertThat(perfect.stepsPerSecond(1, replicas))
                        .isGreaterThanOrEqualTo(measured.stepsPerSecond(new Allocation(0, replicas), nodes));
            }
        }
    }

    @Test
    public void standsStillOnMoreReplicasThanThereAreSamplesFor() {
        assertThat(perfect.stepsPerSecond(0, 9)).isZero();
    }
}
