package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.plan.Strategies;
import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.OptimusConfiguration.Policies;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public final class QueueStrategiesTest {
    private final QueueStrategies strategies =
            new QueueStrategies(name -> Strategies.named(name).bySeed().apply(1L));
    private final Policies policies =
            OptimusConfiguration.read(new Configuration(false)).policies();

    @Test
    public void aQueueKeepsItsStrategyWhichMayHaveMemory() {
        Strategy first = strategies.of("root.a", policies);
        strategies.keepOnly(Set.of("root.a", "root.b"));
        assertThat(strategies.of("root.a", policies)).isSameAs(first);
    }

    @Test
    public void forgetsTheStrategiesOfQueuesThatAreGone() {
        Strategy first = strategies.of("root.a", policies);
        strategies.keepOnly(Set.of("root.b"));
        assertThat(strategies.of("root.a", policies)).isNotSameAs(first);
    }
}
