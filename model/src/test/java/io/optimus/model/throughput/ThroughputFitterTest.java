package io.optimus.model.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class ThroughputFitterTest {
    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final ThroughputFitter fitter = new ThroughputFitter();

    /** The priors change the parameters a little and the predictions hardly at all. */
    @Test
    public void predictsAModelMeasuredOnEveryKindOfPlacement() {
        AllReduceThroughput truth = new AllReduceThroughput(0.05, 0.002, 0.2, 0.01, 0.08, 0.004, 1.5);
        List<ThroughputObservation> seen = new ArrayList<>();
        for (int replicas : new int[] {1, 2, 4}) {
            for (int batch : new int[] {8, 64, 256}) {
                seen.add(observed(truth, 1, replicas, batch));
                seen.add(observed(truth, 2, replicas + 2, batch));
            }
        }

        AllReduceThroughput fitted = fitted(seen);

        assertThat(fitted.stepSeconds(4, 16, 100)).isCloseTo(truth.stepSeconds(4, 16, 100), within(0.03 * 0.5));
        assertThat(fitted.gradientSeconds(100)).isCloseTo(truth.gradientSeconds(100), within(1e-3));
        assertThat(fitted.overlap()).isBetween(1.2, 1.8);
    }

    @Test
    public void assumesThatHalfOfAStepIsFixedAfterOneBatch() {
        AllReduceThroughput fitted = fitted(List.of(new ThroughputObservation(1, 1, 10, 0.2, 0.2)));

        assertThat(fitted.secondsFixed()).isCloseTo(0.1, within(1e-9));
        assertThat(fitted.secondsPerSample()).isCloseTo(0.01, within(1e-4));
        assertThat(fitted.stepSeconds(4, 16, 10)).isCloseTo(0.2, within(1e-3));
    }

    @Test
    public void assumesThatSeveralNodesAreATenthSlowerUntilMeasured() {
        AllReduceThroughput fitted = fitted(List.of(
                new ThroughputObservation(1, 2, 8, 0.1, 0.2),
                new ThroughputObservation(1, 4, 8, 0.1, 0.3),
                new ThroughputObservation(1, 1, 16, 0.15, 0.15)));

        assertThat(fitted.secondsWithinNode()).isGreaterThan(0.05);
        assertThat(fitted.secondsAcrossNodes()).isEqualTo(1.1 * fitted.secondsWithinNode());
        assertThat(fitted.secondsPerReplicaAcrossNodes()).isEqualTo(1.1 * fitted.secondsPerReplicaWithinNode());
    }

    @Test
    public void assumesConstantSynchronizationUntilThreeReplicasWereMeasured() {
        AllReduceThroughput fitted = fitted(List.of(
                new ThroughputObservation(1, 1, 8, 0.1, 0.1),
                new ThroughputObservation(1, 2, 8, 0.1, 0.2),
                new ThroughputObservation(2, 2, 16, 0.15, 0.5)));

        assertThat(fitted.secondsPerReplicaWithinNode()).isZero();
        assertThat(fitted.secondsPerReplicaAcrossNodes()).isZero();
        assertThat(fitted.secondsAcrossNodes()).isGreaterThan(2 * fitted.secondsWithinNode());
    }

    @Test
    public void fitsNothingWithoutValidSteps() {
        assertThat(fitter.fit(List.of())).isEmpty();
        assertThat(fitter.fit(List.of(new ThroughputObservation(2, 1, 1, 1, 1))))
                .isEmpty();
        assertThat(fitter.fit(List.of(new ThroughputObservation(1, 1, 1, Double.NaN, 1))))
                .isEmpty();
    }

    /** For any accepted steps, the model is above 0 and finite everywhere, and a second fit gives the same model. */
    @Property(trials = 200)
    public void isPositiveAndFiniteForAnySteps(long seed, @InRange(minInt = 1, maxInt = 30) int count) {
        Random random = new Random(seed);
        ThroughputProfile profile = new ThroughputProfile(20);
        for (int i = 0; i < count; i++) {
            profile.add(new ThroughputObservation(
                    random.nextInt(5),
                    random.nextInt(17),
                    random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(512),
                    Math.exp(8 * random.nextGaussian()),
                    Math.exp(8 * random.nextGaussian())));
        }

        fitter.fit(profile.observations()).ifPresent(fit -> {
            assertThat(fitter.fit(profile.observations())).hasValue(fit);
            for (int replicas = 1; replicas <= 64; replicas *= 2) {
                assertThat(fit.throughput().stepSeconds(1, replicas, 1))
                        .isPositive()
                        .isFinite();
                assertThat(fit.throughput().stepSeconds(2, replicas, 1 << 20))
                        .isPositive()
                        .isFinite();
            }
        });
    }

    private AllReduceThroughput fitted(List<ThroughputObservation> seen) {
        return fitter.fit(seen).orElseThrow().throughput();
    }

    private static ThroughputObservation observed(AllReduceThroughput truth, int nodes, int replicas, int batch) {
        return new ThroughputObservation(
                nodes, replicas, batch, truth.gradientSeconds(batch), truth.stepSeconds(nodes, replicas, batch));
    }
}
