package io.optimus.model.exploration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.Test;

public class ExpectedImprovementTest {
    private static final SpeedForm SYNCHRONOUS = SpeedForm.of(TrainingMode.SYNCHRONOUS, 32);
    private static final SizeRange RANGE = new SizeRange(new Allocation(1, 1), new Allocation(12, 12));
    private static final Allocation HELD = new Allocation(2, 2);
    private static final MeasuredSizes ONE_SECOND = MeasuredSizes.of(Map.of(HELD, 1.0));
    private static final OptionalDouble HOUR = OptionalDouble.of(3600);

    private static Optional<Allocation> next(MeasuredSizes measured, OptionalDouble steps, double pauseSeconds) {
        return next(measured, Set.of(), steps, running(HELD, pauseSeconds));
    }

    private static Optional<Allocation> next(
            MeasuredSizes measured, Set<Allocation> givenUp, OptionalDouble steps, Running job) {
        return new ExpectedImprovement(RANGE)
                .next(new ExpectedSpeed(SYNCHRONOUS, measured), givenUp, steps, job, size -> true);
    }

    private static Running running(Allocation held, double pauseSeconds) {
        return new Running(held, Optional.empty(), 100, pauseSeconds, 60);
    }

    @Test
    public void triesASizeOnlyWhenTheJobIsLongAndThePauseIsShort() {
        assertThat(next(ONE_SECOND, HOUR, 1)).isPresent();
        assertThat(next(ONE_SECOND, OptionalDouble.of(60), 1)).isEmpty();
        assertThat(next(ONE_SECOND, HOUR, 3600)).isEmpty();
    }

    @Test
    public void triesNoSizeBeforeTheCurrentOneWasMeasured() {
        assertThat(next(MeasuredSizes.NONE, HOUR, 1)).isEmpty();
        assertThat(next(ONE_SECOND, Set.of(), HOUR, running(new Allocation(3, 3), 1)))
                .isEmpty();
        assertThat(next(ONE_SECOND, Set.of(), HOUR, running(Allocation.NONE, 1)))
                .isEmpty();
    }

    @Test
    public void triesNoSizeThatWasGivenUpOrDoesNotFit() {
        Allocation first = next(ONE_SECOND, HOUR, 1).orElseThrow();

        assertThat(next(ONE_SECOND, Set.of(first), HOUR, running(HELD, 1))).isNotEqualTo(Optional.of(first));
        assertThat(new ExpectedImprovement(RANGE)
                        .next(
                                new ExpectedSpeed(SYNCHRONOUS, ONE_SECOND),
                                Set.of(),
                                HOUR,
                                running(HELD, 1),
                                HELD::equals))
                .isEmpty();
    }

    @Test
    public void triesOneSizeUntilItWasMeasuredOrGivenUp() {
        Allocation tried = new Allocation(7, 3);
        Running onTheWay = new Running(HELD, Optional.of(tried), 100, 1, 60);
        Running there = new Running(tried, Optional.of(tried), 100, 1, 60);

        assertThat(next(ONE_SECOND, Set.of(), HOUR, onTheWay)).contains(tried);
        assertThat(next(ONE_SECOND, Set.of(), HOUR, there)).contains(tried);
        assertThat(next(ONE_SECOND, Set.of(tried), HOUR, there)).isEmpty();
    }

    @Test
    public void doesNotDependOnEarlierCalls() {
        ExpectedImprovement asked = new ExpectedImprovement(RANGE);
        ExpectedSpeed one = new ExpectedSpeed(SYNCHRONOUS, ONE_SECOND);
        ExpectedSpeed two =
                new ExpectedSpeed(SYNCHRONOUS, MeasuredSizes.of(Map.of(HELD, 1.0, new Allocation(4, 6), 0.7)));

        for (ExpectedSpeed expected : List.of(one, two, one)) {
            for (Allocation held : List.of(HELD, new Allocation(4, 6))) {
                for (double pauseSeconds : new double[] {1, 30, 300, 30}) {
                    Running job = running(held, pauseSeconds);
                    assertThat(asked.next(expected, Set.of(), HOUR, job, size -> true))
                            .isEqualTo(
                                    new ExpectedImprovement(RANGE).next(expected, Set.of(), HOUR, job, size -> true));
                }
            }
        }
    }

    @Test
    public void expectsAJobOfUnknownEndToRunForItsAgeAgain() {
        Running young = new Running(HELD, Optional.empty(), 0, 120, 60);
        Running old = new Running(HELD, Optional.empty(), 36_000, 120, 60);

        assertThat(next(ONE_SECOND, Set.of(), OptionalDouble.empty(), young)).isEmpty();
        assertThat(next(ONE_SECOND, Set.of(), OptionalDouble.empty(), old)).isPresent();
    }

    @Test
    public void measurementsReduceTheDeviationUntilNoSizeIsTried() {
        SynchronousSpeed truth = new SynchronousSpeed(32, .0039, .4178, .4213, .0074, 0);
        TreeMap<Allocation, Double> measured = new TreeMap<>();
        measured.put(HELD, truth.stepsPerSecond(HELD));
        double before = deviation(measured);
        Allocation held = HELD;
        int tried = 0;
        for (Optional<Allocation> next = Optional.of(HELD); next.isPresent() && tried < 50; tried++) {
            measured.put(next.get(), truth.stepsPerSecond(next.get()));
            held = truth.stepsPerSecond(next.get()) > truth.stepsPerSecond(held) ? next.get() : held;
            assertThat(deviation(measured)).isLessThanOrEqualTo(before);
            before = deviation(measured);
            next = next(MeasuredSizes.of(measured), Set.of(), OptionalDouble.of(36_000), running(held, 30));
        }

        assertThat(tried).isLessThan(10);
    }

    @Test
    public void gainAndCostOfATrialAreBoundedForAnyMeasurements() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Map<Allocation, Double> measured = new TreeMap<>(Map.of(HELD, 1.0));
            for (int i = 0; i < 5; i++) {
                Allocation size = new Allocation(1 + random.nextInt(12), 1 + random.nextInt(12));
                measured.put(size, Math.pow(10, 18 * random.nextDouble() - 9));
            }
            ExpectedSpeed expected = new ExpectedSpeed(SYNCHRONOUS, MeasuredSizes.of(measured));
            ExpectedImprovement.Trials trials = new ExpectedImprovement.Trials(expected, running(HELD, 30), RANGE);
            for (Allocation size : RANGE.grid()) {
                assertThat(trials.of(size).gain()).as("seed %s, %s", seed, size).isBetween(-1e-9, 1.0);
                assertThat(trials.of(size).costSeconds())
                        .as("seed %s, %s", seed, size)
                        .isBetween(29.9, 120.1);
            }
        }
    }

    private static double deviation(Map<Allocation, Double> measured) {
        return new ExpectedSpeed(SYNCHRONOUS, MeasuredSizes.of(measured))
                .deviation(new Allocation(12, 12), new Allocation(1, 1));
    }

    /** Follows the example of the class comment. */
    @Test
    public void weighsTheExpectedGainOfASizeAgainstTheCostOfTryingIt() {
        assertThat(worth(new Allocation(3, 5), 30)).isCloseTo(4, within(0.5));
        assertThat(worth(new Allocation(3, 5), 1)).isCloseTo(57, within(0.5));
        assertThat(worth(new Allocation(12, 3), 30)).isCloseTo(726, within(0.5));
        assertThat(next(ONE_SECOND, HOUR, 30)).contains(new Allocation(12, 3));
    }

    private static double worth(Allocation size, double pauseSeconds) {
        ExpectedSpeed expected = new ExpectedSpeed(SYNCHRONOUS, ONE_SECOND);
        return new ExpectedImprovement.Trials(expected, running(HELD, pauseSeconds), RANGE)
                .of(size)
                .worth(3600, 60);
    }
}
