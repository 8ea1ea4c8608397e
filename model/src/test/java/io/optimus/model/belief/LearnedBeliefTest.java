package io.optimus.model.belief;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Test;

public final class LearnedBeliefTest {
    private static final CurveFit NO_CURVE = new CurveFit.NotYet(0, 8);
    private static final SynchronousSpeed TRUTH = new SynchronousSpeed(32, 0.01, 0.1, 0.02, 0.01, 0.001);
    private static final Allocation SIZE = new Allocation(2, 3);

    private final LearnedBelief estimator = estimator(Optional.of(new StopRule.MaxEpochs(10)));

    private static LearnedBelief estimator(Optional<StopRule> stop) {
        return new LearnedBelief(
                SpeedForm.of(TrainingMode.SYNCHRONOUS, 32),
                new SizeRange(new Allocation(1, 1), new Allocation(4, 8)),
                stop,
                20);
    }

    @Test
    public void believesATypicalSpeedThroughWhatWasMeasuredBeforeThereIsAFit() {
        Estimate estimate =
                estimator.estimate(NO_CURVE, EpochLosses.NONE, MeasuredSizes.of(Map.of(new Allocation(1, 1), 2.0)), 50);

        assertThat(estimate.speed().fitted()).isEmpty();
        assertThat(estimate.believed().orElseThrow().stepsPerSecond(new Allocation(1, 1)))
                .isEqualTo(2.0);
        assertThat(estimate.young()).isTrue();
        assertThat(estimate.remaining().toOptional()).hasValue(150);
    }

    @Test
    public void laterItHasLessBeforeIt() {
        Estimate estimate = estimator.estimate(NO_CURVE, EpochLosses.NONE, MeasuredSizes.NONE, 50);

        assertThat(estimator.later(estimate, EpochLosses.NONE, 170).remaining().toOptional())
                .hasValue(30);
    }

    @Test
    public void predictsTheTimeToTheEndOnASizeWithATaskOfEachRole() {
        Estimate estimate = estimator.estimate(NO_CURVE, EpochLosses.NONE, measured(), 100);

        RemainingTime time = estimate.remainingTime(SIZE, 1).orElseThrow();

        assertThat(time.seconds()).hasValueCloseTo(TRUTH.seconds(100, SIZE), within(1e-9));
        assertThat(time.mostSeconds()).isEqualTo(time.fewestSeconds());
        assertThat(estimate.remainingTime(SIZE, 2).orElseThrow().seconds())
                .hasValueCloseTo(TRUTH.seconds(100, SIZE) / 2, within(1e-9));
        assertThat(estimate.remainingTime(Allocation.NONE, 1)).isEmpty();
        assertThat(estimate.remainingTime(new Allocation(0, 3), 1)).isEmpty();
    }

    @Test
    public void givesARangeOfTimesForAVaguePrediction() {
        Estimate sure = estimator.estimate(NO_CURVE, EpochLosses.NONE, measured(), 100);
        RemainingSteps vague = new Predicted(300, 150, 1200, 300, new StopRule.MaxEpochs(1));

        RemainingTime time = new Estimate(NO_CURVE, sure.measured(), sure.speed(), sure.believed(), vague)
                .remainingTime(SIZE, 1)
                .orElseThrow();

        assertThat(time.seconds()).isEmpty();
        assertThat(time.fewestSeconds()).isCloseTo(TRUTH.seconds(150, SIZE), within(1e-9));
        assertThat(time.mostSeconds()).isCloseTo(TRUTH.seconds(1200, SIZE), within(1e-9));
    }

    @Test
    public void expectsAnewOnlyWhereSpeedsAreNew() {
        Estimate first = estimator.estimate(NO_CURVE, EpochLosses.NONE, measured(), 100);
        ExpectedSpeed expected = estimator.expected(first);

        assertThat(estimator.expected(estimator.later(first, EpochLosses.NONE, 101)))
                .isSameAs(expected);
        assertThat(estimator.expected(estimator.estimate(NO_CURVE, EpochLosses.NONE, measured(), 102)))
                .isSameAs(expected);
        assertThat(estimator.expected(estimator.estimate(NO_CURVE, EpochLosses.NONE, MeasuredSizes.NONE, 103)))
                .isNotSameAs(expected);
    }

    private static MeasuredSizes measured() {
        SortedMap<Allocation, Double> speeds = new TreeMap<>();
        for (int servers = 1; servers <= 4; servers++) {
            for (int workers = 1; workers <= 8; workers++) {
                Allocation size = new Allocation(servers, workers);
                speeds.put(size, TRUTH.stepsPerSecond(size));
            }
        }
        return MeasuredSizes.of(speeds);
    }

    @Test
    public void takesAPartOfTheWholeWork() {
        Estimate estimate = estimator.estimate(NO_CURVE, EpochLosses.NONE, MeasuredSizes.NONE, 50);

        assertThat(estimate.partOfWork(10, 50)).hasValue(0.05);
        assertThat(estimator(Optional.empty())
                        .estimate(NO_CURVE, EpochLosses.NONE, MeasuredSizes.NONE, 50)
                        .partOfWork(10, 50))
                .isEmpty();
    }

    @Test
    public void theLastResizesTellWhatTheNextOneCosts() {
        assertThat(ResizeCost.seconds(List.of(), 1500)).isEqualTo(1.5);
        assertThat(ResizeCost.seconds(List.of(90_000L, 1000L, 1000L, 1000L, 1000L, 2000L, 2000L, 2000L, 2000L), 0))
                .isEqualTo(1.5);
    }
}
