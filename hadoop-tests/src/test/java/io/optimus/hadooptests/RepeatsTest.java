package io.optimus.hadooptests;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.hadooptests.Repeats.Verdict;
import java.util.Map;
import java.util.Optional;
import org.junit.Test;

public class RepeatsTest {
    @Test
    public void aTestThatIsRedAgainAndNeverOnStockIsARegression() {
        assertThat(new Repeats("test", 6, 0, 2).verdict()).isEqualTo(Verdict.REGRESSION);
        assertThat(new Repeats("test", 6, 0, 2)).hasToString("test: red in 2 of 6 runs, on stock in 0: regression");
    }

    @Test
    public void aTestThatIsRedOnStockTooIsUnstable() {
        assertThat(new Repeats("test", 6, 1, 6).verdict()).isEqualTo(Verdict.UNSTABLE_ON_BOTH);
    }

    @Test
    public void aTestThatIsRedOnlyOnceIsNoRegression() {
        assertThat(new Repeats("test", 6, 0, 1).verdict()).isEqualTo(Verdict.NOT_AGAIN);
    }

    @Test
    public void testsThatAreRedOrMissingOnOptimusOnlyDiffer() {
        RunResult stock = run(
                Map.of("green", Outcome.PASSED, "red", Outcome.FAILED, "worse", Outcome.PASSED, "lost", Outcome.PASSED),
                Optional.empty());
        RunResult optimus = run(
                Map.of("green", Outcome.PASSED, "red", Outcome.FAILED, "worse", Outcome.ERROR),
                Optional.of("no end after PT20M"));
        assertThat(ClassResult.redOnOptimusOnly(stock, optimus)).containsExactly("lost", "worse");
    }

    private static RunResult run(Map<String, Outcome> outcomes, Optional<String> problem) {
        return new RunResult(outcomes, 1, problem, false);
    }
}
