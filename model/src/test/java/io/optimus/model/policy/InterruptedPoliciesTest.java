package io.optimus.model.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.RandomRound;
import io.optimus.model.plan.Strategies;
import io.optimus.model.plan.Strategy;
import java.util.List;
import java.util.Set;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Every policy that searches gives up when its time is over, which the scheduler tells it by an interrupt. */
@RunWith(Parameterized.class)
public class InterruptedPoliciesTest {
    private static final int ROUNDS = 20;
    /** They look at each job once. */
    private static final Set<String> WITHOUT_SEARCH = Set.of("fifo", "tiresias");

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final Strategy strategy;

    public InterruptedPoliciesTest(String name) {
        strategy = Strategies.named(name).bySeed().apply(1);
    }

    @Parameters(name = "{0}")
    public static List<String> names() {
        return Strategies.practicable().stream()
                .filter(name -> !WITHOUT_SEARCH.contains(name))
                .toList();
    }

    @Test
    public void endsItsSearchOnceItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThat(endedEarly()).isGreaterThan(0);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private int endedEarly() {
        int ended = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomRound round = RandomRound.of(seed);
            try {
                strategy.policy().allocate(round.cluster(), round.jobs());
            } catch (InterruptedComputationException e) {
                ended++;
            }
        }
        return ended;
    }
}
