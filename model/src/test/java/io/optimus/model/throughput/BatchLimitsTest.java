package io.optimus.model.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.Test;

public class BatchLimitsTest {
    private final BatchLimits limits = new BatchLimits(64, 1000, 8, 32);

    @Test
    public void splitsABatchIntoTheFewestEqualPartsThatFit() {
        assertThat(limits.split(100, 2)).hasValue(new BatchSplit(25, 1));
        assertThat(limits.split(64, 2)).hasValue(new BatchSplit(32, 0));
        assertThat(limits.split(64.5, 2)).hasValue(new BatchSplit(17, 1));
        assertThat(limits.split(1000, 4)).hasValue(new BatchSplit(31, 7));
        assertThat(new BatchSplit(25, 1).totalBatch(2)).isEqualTo(100);
    }

    @Test
    public void accumulatesOnOneReplicaWhenTheBatchExceedsTheInitialOne() {
        BatchLimits roomy = new BatchLimits(64, 1000, 8, 500);

        assertThat(roomy.split(64, 1)).hasValue(new BatchSplit(64, 0));
        assertThat(roomy.split(100, 1)).hasValue(new BatchSplit(50, 1));
        assertThat(roomy.split(200, 2)).hasValue(new BatchSplit(100, 0));
    }

    @Test
    public void staysWithinTheLargestBatch() {
        assertThat(limits.split(1000, 7)).hasValue(new BatchSplit(28, 4));
        assertThat(limits.split(1000, 999)).hasValue(new BatchSplit(1, 0));
        assertThat(limits.split(64, 1001)).isEmpty();
    }

    @Test
    public void smallestBatchIsTheInitialOneOrTheLeastOfEachReplica() {
        assertThat(limits.smallestBatch(2)).isEqualTo(64);
        assertThat(limits.smallestBatch(10)).isEqualTo(80);
        assertThat(limits.smallestBatch(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(limits.maxReplicas()).isEqualTo(125);
    }

    @Test
    public void rejectsContradictoryLimits() {
        assertThatThrownBy(() -> new BatchLimits(64, 32, 8, 32)).hasMessageContaining("got 64 to 32");
        assertThatThrownBy(() -> new BatchLimits(64, 64, 8, 4)).hasMessageContaining("parts of 8 to 4");
        assertThatThrownBy(() -> new BatchSplit(0, 0)).hasMessageContaining("got 0 and 0");
    }

    @Test
    public void computesTheGainOfALargerBatch() {
        GradientNoise noise = new GradientNoise(1, 3);

        assertThat(noise.gain(1)).isEqualTo(1);
        assertThat(noise.gain(2)).isCloseTo(1.6, within(1e-12));
        assertThat(noise.gain(1e12)).isCloseTo(4, within(1e-9));
        // (φ + M0)/(φ + M) with M0 = 10, M = 20 and φ = 10 · 3/1.
        assertThat(noise.gain(2) / 2).isCloseTo((30 + 10.0) / (30 + 20), within(1e-12));
        assertThat(new GradientNoise(0, 0).gain(8)).isEqualTo(1);
        assertThat(new GradientNoise(0, 2).gain(8)).isEqualTo(8);
        assertThatThrownBy(() -> new GradientNoise(-1, 0)).hasMessageContaining("-1.0");
    }
}
