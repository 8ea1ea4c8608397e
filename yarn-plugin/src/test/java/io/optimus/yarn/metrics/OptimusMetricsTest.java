package io.optimus.yarn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

public final class OptimusMetricsTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final OptimusMetrics metrics = OptimusMetrics.unregistered(nanos::get);

    @Test
    public void thePlanAgesUntilARoundDecides() {
        pass(70);
        metrics.round(5, 1, 1);
        assertThat(CollectedMetrics.of(metrics)).containsEntry("PlanAgeMillis", 70_000L);

        metrics.decided();
        pass(3);
        assertThat(CollectedMetrics.of(metrics)).containsEntry("PlanAgeMillis", 3_000L);
    }

    @Test
    public void aStepAgesWhileItRuns() {
        assertThat(CollectedMetrics.of(metrics)).containsEntry("StepAgeMillis", 0L);
        metrics.stepBegins();
        pass(42);
        assertThat(CollectedMetrics.of(metrics)).containsEntry("StepAgeMillis", 42_000L);
        metrics.stepEnds();
        assertThat(CollectedMetrics.of(metrics)).containsEntry("StepAgeMillis", 0L);
    }

    @Test
    public void tellsTheErrorsOfPredictionsOnceThereAreAny() {
        assertThat(CollectedMetrics.of(metrics))
                .doesNotContainKey("EndErrorPercentAt50")
                .containsEntry("CheckedJobs", 0L);

        metrics.ended(true, Map.of(0.25, 0.4, 0.5, 0.125), Map.of(0.5, 0.07));
        metrics.ended(false, Map.of(0.25, 0.4, 0.5, 0.125), Map.of(0.5, 0.07));

        assertThat(CollectedMetrics.of(metrics))
                .containsEntry("CheckedJobs", 2L)
                .containsEntry("UnpredictedJobs", 1L)
                .containsEntry("EndErrorPercentAt25", 40L)
                .containsEntry("EndErrorPercentAt50", 12L)
                .containsEntry("SpeedErrorPercentAt50", 7L);
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }
}
