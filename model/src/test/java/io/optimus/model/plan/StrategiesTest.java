package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import org.junit.Test;

public class StrategiesTest {
    @Test
    public void namesEachStrategyOnce() {
        assertThat(Strategies.names()).doesNotHaveDuplicates().contains("optimus");
        assertThat(Strategies.all())
                .allSatisfy(each -> assertThat(Strategies.named(each.name())).isSameAs(each));
    }

    @Test
    public void listsNoOracleForTheScheduler() {
        assertThat(Strategies.practicable()).contains("optimus");
        assertThat(Strategies.practicable())
                .allSatisfy(
                        name -> assertThat(Strategies.named(name).knowledge()).isEqualTo(KnowledgeSource.LEARNED));
    }

    @Test
    public void everyStrategyPlansARunnableJobOnAnEmptyCluster() {
        for (NamedStrategy named : Strategies.all()) {
            Strategy strategy = named.bySeed().apply(1);
            assertThat(strategy.policy()
                            .allocate(Clusters.ofGpus(2, 4), Jobs.snapshots(Jobs.small("a")))
                            .job("a")
                            .allocation()
                            .workers())
                    .as(named.name())
                    .isPositive();
        }
    }

    @Test
    public void refusesAnUnknownNameAndListsTheKnownOnes() {
        assertThatThrownBy(() -> Strategies.named("fastest"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fastest")
                .hasMessageContaining("optimus");
    }
}
