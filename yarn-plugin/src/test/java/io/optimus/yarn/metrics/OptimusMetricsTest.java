package io.optimus.yarn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

public final class OptimusMetricsTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final OptimusMetrics metrics = OptimusMetrics.unregistered(EveryMetric::gpus, nanos::get);

    @Test
    public void thePlanAgesUntilARoundDecides() {
        pass(70);
        metrics.round(EveryMetric.round());
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

    @Test
    public void tellsWhoHoldsTheGpusAndWhichIdleWhileJobsWait() {
        assertThat(CollectedMetrics.of(metrics)).as("no job waits").containsEntry("IdleGpusWhileJobsWait", 0L);

        metrics.round(EveryMetric.round());

        assertThat(CollectedMetrics.of(metrics))
                .containsEntry("IdleGpusWhileJobsWait", 3L)
                .containsEntry("OptimusCluster{State=training}.Gpus", 4L)
                .containsEntry("OptimusCluster{State=others}.Gpus", 5L)
                .containsEntry("OptimusCluster{State=idle}.Gpus", 3L)
                .containsEntry("OptimusQueue{Queue=root.a,State=training}.Gpus", 4L)
                .containsEntry("OptimusQueue{Queue=root.b,State=idle}.Gpus", 2L)
                .containsEntry("OptimusQueue{Queue=root.a}.GuaranteedGpus", 6L)
                .containsEntry("OptimusQueue{Queue=root.a}.WaitingJobs", 2L)
                .containsEntry("OptimusQueue{Queue=root.b}.Jobs", 0L);
    }

    @Test
    public void sumsUpTheTimesOfEachStepOverRounds() {
        StepDurations steps = new StepDurations(nanos::get);
        steps.run(RoundStep.FIT, () -> pass(3));
        steps.run(RoundStep.FIT, () -> pass(1));
        assertThat(steps.<String>place(() -> {
                    pass(2);
                    return "placed";
                }))
                .isEqualTo("placed");
        RoundFigures round = new RoundFigures(1, "enforce", 6_000, steps, JobFigures.NONE, 2, 5, List.of(), "planned");

        metrics.round(round);
        metrics.round(round);

        assertThat(CollectedMetrics.of(metrics))
                .containsEntry("OptimusStep{Step=fit}.Millis", 8_000L)
                .containsEntry("OptimusStep{Step=place}.Millis", 4_000L)
                .containsEntry("OptimusStep{Step=collect}.Millis", 0L)
                .containsEntry("OptimusStep{Step=collect}.Runs", 2L)
                .containsEntry("PlanChanges", 4L)
                .containsEntry("Rounds", 2L);
    }

    @Test
    public void sumsUpResizesAndWhatTheyCost() {
        metrics.resized(2, 1_500);
        metrics.resized(0, 0);
        metrics.resized(1, 250);

        assertThat(CollectedMetrics.of(metrics))
                .containsEntry("Resizes", 3L)
                .containsEntry("ResizePauseMillis", 1_750L);
    }

    @Test
    public void tellsFitsThatThrewAndHowFarFitsAreOff() {
        metrics.fits(new FitFigures(5, 2, OptionalDouble.empty(), OptionalDouble.of(0.07)));

        assertThat(CollectedMetrics.of(metrics))
                .containsEntry("FitFailures", 2L)
                .containsEntry("SpeedFitErrorPercent", 7L)
                .doesNotContainKey("CurveErrorPercent");
    }

    @Test
    public void aRoundIsOneLineOfTheLog() {
        assertThat(EveryMetric.round().inLog())
                .isEqualTo(
                        "number=7 mode=advise millis=12 collectMillis=0 snapshotMillis=0 fitMillis=0 allocateMillis=0"
                                + " placeMillis=0 publishMillis=0 jobs=3 unplanned=0 waiting=1 starting=1 silent=0 changes=2"
                                + " plan=1001 triggers=arrival outcome=\"planned\"");
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }
}
