package io.optimus.model.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.Allocation;
import java.util.Optional;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class GoodputTest {
    private static final AllReduceThroughput CIFAR =
            new AllReduceThroughput(0.017, 0.0007, 0.12, 0.0024, 0.03, 0.001, 2);
    private static final BatchLimits LIMITS = new BatchLimits(128, 4096, 32, 1024);
    private static final GradientNoise NOISE = new GradientNoise(1, 10);

    private final Goodput goodput = new Goodput(CIFAR, NOISE, LIMITS, 4);

    @Test
    public void choosesTheLargestBatchWhenStepsTakeTheSameTime() {
        AllReduceThroughput oneSecond = new AllReduceThroughput(1, 1e-12, 1e-12, 0, 1e-12, 0, 1);
        Goodput speed = new Goodput(oneSecond, new GradientNoise(1, 3), new BatchLimits(10, 40, 1, 40), 4);

        assertThat(speed.batch(1, 2)).hasValue(new BatchSplit(20, 0));
        assertThat(speed.stepsPerSecond(new Allocation(0, 2))).isCloseTo(4 / 1.75, within(1e-9));
        assertThat(speed.withFixedBatch(20).stepsPerSecond(new Allocation(0, 2)))
                .isCloseTo(1.6, within(1e-9));
    }

    /** The search tries batches in equal ratios; the reference tries all batches. */
    @Test
    public void comesWithinOnePercentOfTheBestBatch() {
        for (int replicas : new int[] {1, 2, 3, 4, 8, 16, 40}) {
            int nodes = (replicas + 3) / 4;
            double best = 0;
            for (int batch = LIMITS.smallestBatch(replicas); batch <= LIMITS.maxBatch(); batch++) {
                best = Math.max(best, goodput.withFixedBatch(batch).stepsPerSecond(new Allocation(0, replicas), nodes));
            }
            assertThat(goodput.stepsPerSecond(new Allocation(0, replicas)))
                    .as("%d replicas", replicas)
                    .isBetween(0.99 * best, best);
        }
    }

    @Test
    public void isSlowerAcrossNodesThanOnOne() {
        Allocation four = new Allocation(0, 4);

        assertThat(goodput.stepsPerSecond(four)).isEqualTo(goodput.stepsPerSecond(four, 1));
        assertThat(goodput.stepsPerSecond(four, 4)).isLessThan(0.9 * goodput.stepsPerSecond(four, 1));
        assertThat(goodput.stepsPerSecond(new Allocation(0, 5)))
                .isEqualTo(goodput.stepsPerSecond(new Allocation(0, 5), 2));
    }

    @Test
    public void isZeroWithoutWorkersOrWithMoreWorkersThanSamples() {
        assertThat(goodput.stepsPerSecond(Allocation.NONE)).isZero();
        assertThat(goodput.stepsPerSecond(new Allocation(0, 128))).isPositive();
        assertThat(goodput.stepsPerSecond(new Allocation(0, 129))).isZero();
        assertThat(goodput.batch(33, 129)).isEmpty();
        assertThat(goodput.seconds(1, new Allocation(0, 129))).isInfinite();
    }

    @Test
    public void usesTheFixedBatchOfTheOwner() {
        Goodput fixed = goodput.withFixedBatch(256);

        assertThat(fixed.batch(1, 1)).hasValue(new BatchSplit(128, 1));
        assertThat(fixed.batch(1, 3)).hasValue(new BatchSplit(86, 0));
        // This is gain(258/128) over the seconds of a step of 86 samples.
        assertThat(fixed.stepsPerSecond(new Allocation(0, 3)))
                .isCloseTo(NOISE.gain(258 / 128.0) / CIFAR.stepSeconds(1, 3, 86), within(1e-12));
        assertThatThrownBy(() -> goodput.withFixedBatch(0)).hasMessageContaining("got 0");
    }

    @Test
    public void countsNoAllReduceForAccumulatedSteps() {
        BatchLimits tight = new BatchLimits(128, 4096, 32, 64);
        Goodput fixed = new Goodput(CIFAR, NOISE, tight, 4).withFixedBatch(512);

        assertThat(fixed.batch(1, 2)).hasValue(new BatchSplit(64, 3));
        assertThat(fixed.stepsPerSecond(new Allocation(0, 2)))
                .isCloseTo(
                        NOISE.gain(4) / (3 * CIFAR.gradientSeconds(64) + CIFAR.stepSeconds(1, 2, 64)), within(1e-12));
    }

    /** Results that were cached by earlier calls never change an answer. */
    @Property(trials = 20)
    public void doesNotDependOnEarlierCalls(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            int replicas = 1 + random.nextInt(120);
            int nodes = 1 + random.nextInt(replicas);
            Allocation size = new Allocation(0, replicas);
            Goodput fresh = new Goodput(CIFAR, NOISE, LIMITS, 4);
            assertThat(goodput.stepsPerSecond(size, nodes)).isEqualTo(fresh.stepsPerSecond(size, nodes));
            Optional<BatchSplit> batch = goodput.batch(nodes, replicas);
            assertThat(batch).isEqualTo(fresh.batch(nodes, replicas));
            assertThat(batch.orElseThrow().totalBatch(replicas)).isLessThanOrEqualTo(LIMITS.maxBatch());
        }
    }

    @Test
    public void hasEqualsHashCodeAndToString() {
        assertThat(goodput)
                .isEqualTo(new Goodput(CIFAR, NOISE, LIMITS, 4))
                .hasSameHashCodeAs(new Goodput(CIFAR, NOISE, LIMITS, 4))
                .isNotEqualTo(goodput.withFixedBatch(128))
                .isNotEqualTo(new Goodput(CIFAR, NOISE, LIMITS, 8));
        assertThat(goodput.toString()).contains("best batch").contains("4 workers a node");
    }
}
