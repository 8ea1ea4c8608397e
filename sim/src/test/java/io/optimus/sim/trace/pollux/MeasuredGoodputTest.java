package io.optimus.sim.trace.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.throughput.AllReduceThroughput;
import io.optimus.model.throughput.Goodput;
import io.optimus.model.throughput.GradientNoise;
import org.junit.Test;

public final class MeasuredGoodputTest {
    private static final int PER_NODE = 4;

    private final Profile profile = Models.simple();
    private final MeasuredGoodput measured = new MeasuredGoodput(profile, 0, PER_NODE);

    /** One replica computes 20 samples in two parts, which takes 2 s and is worth 1.5 steps: 10 samples in 1 s are better. */
    @Test
    public void trainsWithTheBatchThatIsBestThere() {
        assertThat(measured.stepsPerSecond(workers(1), 1)).isCloseTo(1, within(1e-9));
        assertThat(measured.stepsPerSecond(workers(2), 1)).isCloseTo(2, within(1e-9));
    }

    @Test
    public void isAsSlowAsStepsAreOnSeveralNodes() {
        assertThat(measured.stepsPerSecond(workers(2), 2)).isCloseTo(1, within(1e-9));
    }

    @Test
    public void assumesTheFewestNodesThatHoldTheReplicas() {
        assertThat(measured.stepsPerSecond(workers(4))).isEqualTo(measured.stepsPerSecond(workers(4), 1));
        assertThat(measured.stepsPerSecond(workers(5))).isEqualTo(measured.stepsPerSecond(workers(5), 2));
    }

    @Test
    public void standsStillWithoutReplicasBeyondTheSamplesAndAfterTheLastEpoch() {
        assertThat(measured.stepsPerSecond(workers(0), 1)).isZero();
        assertThat(measured.stepsPerSecond(workers(9), 3)).isZero();
        assertThat(new MeasuredGoodput(profile, profile.epochs().count(), PER_NODE).stepsPerSecond(workers(1), 1))
                .isZero();
    }

    @Test
    public void triesFiftyBatchesInEqualRatios() {
        double[] candidates = MeasuredGoodput.candidates(profile.batches(), 1);

        assertThat(candidates).hasSize(50);
        assertThat(candidates[0]).isEqualTo(10);
        assertThat(candidates[49]).isCloseTo(40, within(1e-9));
        assertThat(candidates[2] / candidates[1]).isCloseTo(candidates[49] / candidates[48], within(1e-9));
    }

    /** Steps take 1 s on a node with any batch, which a throughput model can express exactly. */
    @Test
    public void equalsAnExactFit() {
        AllReduceThroughput exact = new AllReduceThroughput(1, 1e-12, 1, 0, 1e-12, 0, 1);
        Goodput fitted = new Goodput(exact, new GradientNoise(1, 2), profile.batches(), PER_NODE);

        for (int replicas = 1; replicas <= 8; replicas++) {
            assertThat(measured.stepsPerSecond(workers(replicas), 1))
                    .as("%d replicas", replicas)
                    .isCloseTo(fitted.stepsPerSecond(workers(replicas), 1), within(1e-9));
        }
    }

    private static Allocation workers(int count) {
        return new Allocation(0, count);
    }
}
