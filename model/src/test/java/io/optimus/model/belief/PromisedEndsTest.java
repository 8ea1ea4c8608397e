package io.optimus.model.belief;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public final class PromisedEndsTest {
    private final PromisedEnds promised = new PromisedEnds();

    /** The job runs for some seconds at 10 steps/s by its own words. */
    private void run(int seconds, double stepsPerSecond, double left) {
        for (int i = 0; i < seconds; i++) {
            promised.held(1, 10);
            promised.promise(left - i * stepsPerSecond);
        }
    }

    @Test
    public void anHonestJobIsNeverLate() {
        run(1000, 10, 10_000);

        assertThat(promised.lateSteps()).isZero();
    }

    @Test
    public void aJobThatIsAlwaysNearlyDoneIsBelievedLessAndLess() {
        for (int i = 0; i < 100; i++) {
            promised.held(1, 10);
            promised.promise(1);
        }
        double late = promised.lateSteps();
        assertThat(late).isBetween(150.0, 500.0);

        for (int i = 0; i < 900; i++) {
            promised.held(1, 10);
            promised.promise(1);
        }
        assertThat(promised.lateSteps()).isGreaterThan(5 * late);
    }

    @Test
    public void aPoorPredictionOfItsYouthIsForgotten() {
        promised.promise(1);
        run(1000, 10, 20_000);

        assertThat(promised.lateSteps()).isZero();
    }

    @Test
    public void aPauseIsForgiven() {
        run(300, 10, 10_000);
        promised.held(100, 10);
        promised.promise(7000);

        assertThat(promised.lateSteps()).isZero();
    }
}
