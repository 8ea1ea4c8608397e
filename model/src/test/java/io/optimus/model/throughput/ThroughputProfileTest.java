package io.optimus.model.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.Test;

public class ThroughputProfileTest {
    private final ThroughputProfile profile = new ThroughputProfile(3);

    @Test
    public void isNewOnceForEachPlacementAndBatch() {
        assertThat(profile.add(new ThroughputObservation(1, 2, 8, 0.1, 0.2))).isTrue();
        assertThat(profile.add(new ThroughputObservation(1, 2, 8, 0.1, 0.2))).isFalse();
        assertThat(profile.add(new ThroughputObservation(2, 2, 8, 0.1, 0.2))).isTrue();
        assertThat(profile.add(new ThroughputObservation(2, 2, 9, 0.1, 0.2))).isTrue();
        assertThat(profile.mostReplicas()).isEqualTo(2);
    }

    @Test
    public void averagesRepeats() {
        profile.add(new ThroughputObservation(1, 2, 8, 0.1, 0.2));
        profile.add(new ThroughputObservation(1, 2, 8, 0.3, 0.6));

        assertThat(profile.observations().get(0).accumulatedStepSeconds()).isCloseTo(0.2, within(1e-12));
        assertThat(profile.observations().get(0).stepSeconds()).isCloseTo(0.4, within(1e-12));
    }

    @Test
    public void followsALastingChangeOfSpeed() {
        for (int i = 0; i < 1000; i++) {
            profile.add(new ThroughputObservation(1, 1, 8, 0.1, 0.1));
        }
        for (int i = 0; i < 30; i++) {
            profile.add(new ThroughputObservation(1, 1, 8, 0.2, 0.2));
        }

        assertThat(profile.observations().get(0).stepSeconds()).isBetween(0.19, 0.2);
    }

    @Test
    public void forgetsTheStepsMeasuredLeastRecently() {
        for (int replicas : new int[] {1, 2, 3, 1, 4}) {
            profile.add(new ThroughputObservation(1, replicas, 8, 0.1, 0.2));
        }

        assertThat(profile.observations())
                .extracting(ThroughputObservation::replicas)
                .containsExactly(1, 3, 4);
    }

    @Test
    public void ignoresAndCountsInvalidSteps() {
        assertThat(profile.add(new ThroughputObservation(2, 1, 8, 0.1, 0.2))).isFalse();
        assertThat(profile.add(new ThroughputObservation(0, 1, 8, 0.1, 0.2))).isFalse();
        assertThat(profile.add(new ThroughputObservation(1, 1, 0, 0.1, 0.2))).isFalse();
        assertThat(profile.add(new ThroughputObservation(1, 1, 8, Double.NaN, 0.2)))
                .isFalse();
        assertThat(profile.add(new ThroughputObservation(1, 1, 8, 0.1, Double.POSITIVE_INFINITY)))
                .isFalse();
        assertThat(profile.add(new ThroughputObservation(1, 1, 8, 0.1, 0))).isFalse();

        assertThat(profile.observations()).isEmpty();
        assertThat(profile.ignored()).isEqualTo(6);
    }
}
