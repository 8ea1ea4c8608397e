package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import java.util.Map;
import org.junit.Test;

public final class PlausibleSpeedsTest {
    private static Allocation size(int servers, int workers) {
        return new Allocation(servers, workers);
    }

    @Test
    public void cutsSpeedsThatGrowFasterThanTheirTasks() {
        MeasuredSizes claimed = MeasuredSizes.of(Map.of(size(1, 1), 10.0, size(1, 4), 500.0, size(2, 8), 5000.0));

        MeasuredSizes plausible = claimed.plausible();

        assertThat(plausible.stepsPerSecond(size(1, 1))).hasValue(10);
        assertThat(plausible.stepsPerSecond(size(1, 4)).orElseThrow()).isBetween(40.0, 50.0);
        assertThat(plausible.stepsPerSecond(size(2, 8)).orElseThrow()).isBetween(80.0, 100.0);
    }

    @Test
    public void leavesHonestSpeedsAsTheyAre() {
        MeasuredSizes perfect = MeasuredSizes.of(Map.of(size(1, 1), 10.0, size(1, 4), 42.0, size(2, 2), 19.0));

        assertThat(perfect.plausible()).isSameAs(perfect);
    }
}
