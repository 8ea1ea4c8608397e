package io.optimus.model.belief;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Test;

public final class LearnedBeliefTest {
    private static final SynchronousSpeed TRUTH = new SynchronousSpeed(32, 0.01, 0.1, 0.02, 0.01, 0.001);
    private static final Allocation SIZE = new Allocation(2, 3);

    @Test
    public void believesATypicalSpeedThroughTheMeasurementsBeforeAFitIsPossible() {
        Estimate estimate = Observed.ofTenEpochs(Observed.speeds(Map.of(new Allocation(1, 1), 2.0), 50))
                .estimate();

        assertThat(estimate.speed().fitted()).isEmpty();
        assertThat(estimate.believed().orElseThrow().stepsPerSecond(new Allocation(1, 1)))
                .isEqualTo(2.0);
        assertThat(estimate.young()).isTrue();
        assertThat(estimate.remaining().toOptional()).hasValue(150);
    }

    /** Its epochs get longer and longer, so that one step is always left. */
    @Test
    public void aJobThatDescribesItselfAnewAgainAndAgainIsHeldToItsPromises() {
        JobDemand demand = new JobDemand(
                new RoleDemand(Resources.of(1024, 1, 0), 1, 4), new RoleDemand(Resources.of(1024, 1, 1), 1, 8));
        LearnedBelief belief = Observed.belief(Optional.of(new StopRule.MaxEpochs(1)), running(19, 0));
        for (int minute = 1; minute <= 100; minute++) {
            double stepsPerEpoch = 20 + minute;
            belief = belief.describedAnew(
                    demand,
                    new SpeedForm.Synchronous(32),
                    Optional.of(new ConvergencePrediction(new StopRule.MaxEpochs(1), stepsPerEpoch)),
                    Optional.empty(),
                    running(19 + minute, 60 * minute));
        }

        assertThat(belief.estimate().remaining().toOptional()).hasValue(1);
        assertThat(belief.remaining().steps().orElseThrow()).isGreaterThan(1_000);
    }

    private static Observations running(long step, double seconds) {
        return new Observations(
                Observed.NO_CURVE,
                EpochLosses.NONE,
                MeasuredSizes.of(Map.of(SIZE, 2.0)),
                Set.of(),
                0,
                step,
                new HeldTime(SIZE, seconds, 1));
    }

    @Test
    public void fewerStepsRemainLater() {
        LearnedBelief belief = Observed.ofTenEpochs(Observed.nothing(50));

        assertThat(belief.update(Observed.nothing(170)).remaining().toOptional())
                .hasValue(30);
    }

    @Test
    public void predictsTheTimeToTheEndOnASizeWithATaskOfEachRole() {
        Estimate estimate =
                Observed.ofTenEpochs(Observed.speeds(measured(), 100)).estimate();

        RemainingTime time = estimate.remainingTime(SIZE, 1, 100).orElseThrow();

        assertThat(time.seconds()).hasValueCloseTo(TRUTH.seconds(100, SIZE), within(1e-9));
        assertThat(time.mostSeconds()).isEqualTo(time.fewestSeconds());
        assertThat(estimate.remainingTime(SIZE, 2, 100).orElseThrow().seconds())
                .hasValueCloseTo(TRUTH.seconds(100, SIZE) / 2, within(1e-9));
        assertThat(estimate.remainingTime(Allocation.NONE, 1, 100)).isEmpty();
        assertThat(estimate.remainingTime(new Allocation(0, 3), 1, 100)).isEmpty();
    }

    @Test
    public void predictsTheTimeToTheEndFromTheFirstMeasuredSpeedOn() {
        Estimate estimate =
                Observed.ofTenEpochs(Observed.speeds(Map.of(SIZE, 2.0), 100)).estimate();

        assertThat(estimate.speed().fitted()).isEmpty();
        assertThat(estimate.remainingTime(SIZE, 1, 100).orElseThrow().seconds()).hasValue(50);
    }

    @Test
    public void theTimeToTheEndCountsDownWithTheSteps() {
        Estimate estimate =
                Observed.ofTenEpochs(Observed.speeds(measured(), 100)).estimate();

        RemainingTime time = estimate.remainingTime(SIZE, 1, 160).orElseThrow();

        assertThat(time.seconds()).hasValueCloseTo(TRUTH.seconds(40, SIZE), within(1e-9));
        assertThat(time.mostSeconds()).isCloseTo(TRUTH.seconds(40, SIZE), within(1e-9));
        assertThat(estimate.remainingSteps(500).toOptional()).hasValue(0);
    }

    @Test
    public void resizesThatAreForeseenMoveTheEnd() {
        Estimate estimate = Observed.ofTenEpochs(Observed.speeds(measured(), 100))
                .estimate()
                .with(new Outlook(SIZE, 1, 0.5));

        assertThat(estimate.remainingTime(SIZE, 1, 100).orElseThrow().seconds())
                .hasValueCloseTo(TRUTH.seconds(50, SIZE), within(1e-9));
        assertThat(estimate.remainingTime(new Allocation(2, 4), 1, 100)
                        .orElseThrow()
                        .seconds())
                .as("on other tasks than those of the forecast")
                .hasValueCloseTo(TRUTH.seconds(100, new Allocation(2, 4)), within(1e-9));
        assertThat(estimate.remainingTimeOn(SIZE, 1, 100).orElseThrow().seconds())
                .hasValueCloseTo(TRUTH.seconds(100, SIZE), within(1e-9));
    }

    @Test
    public void givesARangeOfTimesForAVaguePrediction() {
        Estimate sure = Observed.ofTenEpochs(Observed.speeds(measured(), 100)).estimate();
        RemainingSteps vague = new Predicted(300, 150, 1200, 300, new StopRule.MaxEpochs(1));

        RemainingTime time = new Estimate(
                        Observed.NO_CURVE,
                        sure.speed(),
                        sure.believed(),
                        Optional.empty(),
                        vague,
                        Optional.empty(),
                        Optional.empty())
                .remainingTime(SIZE, 1, 0)
                .orElseThrow();

        assertThat(time.seconds()).isEmpty();
        assertThat(time.fewestSeconds()).isCloseTo(TRUTH.seconds(150, SIZE), within(1e-9));
        assertThat(time.mostSeconds()).isCloseTo(TRUTH.seconds(1200, SIZE), within(1e-9));
    }

    @Test
    public void aJobThatHasReportedNothingIsExpectedToTrainAsItsLastRun() {
        StopRule.TargetLoss target = new StopRule.TargetLoss(0.1);
        Estimate estimate = Observed.again(target, new LastRun(TRUTH, 900, true), Observed.nothing(100))
                .estimate();

        assertThat(estimate.remainingSteps(100)).isEqualTo(new Predicted(800, 350, 1_700, 900, Optional.empty()));
        assertThat(estimate.remainingTime(SIZE, 1, 100).orElseThrow().seconds())
                .hasValueCloseTo(TRUTH.seconds(800, SIZE), within(1e-9));
        assertThat(estimate.remainingSteps(700)).isEqualTo(new Predicted(200, 0, 1_100, 900, Optional.empty()));
        assertThat(estimate.remainingSteps(900).toOptional())
                .as("longer than the last run")
                .isEmpty();
    }

    @Test
    public void theLastRunDoesNotContradictTheLosses() {
        SpeedFunction speed = TRUTH;
        Predicted vague = new Predicted(300, 250, 1_200, 300, new StopRule.MaxEpochs(1));
        RemainingSteps diverging = new RemainingSteps.Unknown("the loss rises", true);

        assertThat(new LastRun(speed, 400, false).remaining(vague, 0))
                .as("within the range of the losses")
                .isEqualTo(new Predicted(400, 250, 800, 400, Optional.empty()));
        assertThat(new LastRun(speed, 100, false).remaining(vague, 0))
                .as("shorter than any plausible end")
                .isEqualTo(vague);
        assertThat(new LastRun(speed, 400, false).remaining(diverging, 0)).isEqualTo(diverging);
    }

    @Test
    public void policiesDoNotKnowTheLastRun() {
        StopRule.TargetLoss target = new StopRule.TargetLoss(0.1);
        LearnedBelief belief = Observed.again(target, new LastRun(TRUTH, 900, true), Observed.nothing(100));

        assertThat(belief.remaining()).isEqualTo(RemainingBelief.UNKNOWN);
        assertThat(belief.speed()).isEmpty();
    }

    @Test
    public void theOwnReportsOfAJobCountMoreThanItsLastRun() {
        StopRule.MaxEpochs tenEpochs = new StopRule.MaxEpochs(10);
        Estimate estimate = Observed.again(
                        tenEpochs, new LastRun(TRUTH, 900, true), Observed.speeds(Map.of(SIZE, 2.0), 100))
                .estimate();

        assertThat(estimate.remainingSteps(100)).isEqualTo(new Predicted(100, 100, 100, 200, tenEpochs));
        assertThat(estimate.stepsPerSecond(SIZE, 1, 100)).hasValue(2);
    }

    @Test
    public void theMeanSpeedOfABriefLastRunCountsMoreThanFirstMeasurements() {
        StopRule.TargetLoss target = new StopRule.TargetLoss(0.1);
        Observations slow = Observed.speeds(Map.of(SIZE, 0.01), 100);

        assertThat(Observed.again(target, new LastRun(TRUTH, 900, true), slow)
                        .estimate()
                        .stepsPerSecond(SIZE, 1, 100))
                .hasValueCloseTo(TRUTH.stepsPerSecond(SIZE), within(1e-9));
        assertThat(Observed.again(target, new LastRun(TRUTH, 900, false), slow)
                        .estimate()
                        .stepsPerSecond(SIZE, 1, 100))
                .hasValueCloseTo(0.01, within(1e-9));
    }

    @Test
    public void computesTheExpectedSpeedOnlyWhereSpeedsAreNew() {
        LearnedBelief belief = Observed.ofTenEpochs(Observed.speeds(measured(), 100));
        SpeedFunction expected = belief.expectedSpeed().orElseThrow();

        belief.update(Observed.speeds(measured(), 102));
        assertThat(belief.expectedSpeed().orElseThrow()).isSameAs(expected);
        belief.update(Observed.nothing(103));
        assertThat(belief.expectedSpeed().orElseThrow()).isNotSameAs(expected);
    }

    private static SortedMap<Allocation, Double> measured() {
        SortedMap<Allocation, Double> speeds = new TreeMap<>();
        for (int servers = 1; servers <= 4; servers++) {
            for (int workers = 1; workers <= 8; workers++) {
                Allocation size = new Allocation(servers, workers);
                speeds.put(size, TRUTH.stepsPerSecond(size));
            }
        }
        return speeds;
    }

    @Test
    public void computesThePartOfTheWorkThatRemains() {
        assertThat(Observed.ofTenEpochs(Observed.nothing(50)).estimate().partOfWork(10, 50))
                .hasValue(0.05);
        assertThat(Observed.belief(Optional.empty(), Observed.nothing(50))
                        .estimate()
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
