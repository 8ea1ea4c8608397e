package io.optimus.yarn.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public final class ContainerLimitsTest {
    @Test
    public void readsTheLimitsOfTheQueue() {
        try (LocalResourceManager yarn = LocalResourceManager.withQueues(
                List.of("research=50", "service=50"),
                Map.of("yarn.scheduler.capacity.root.research.maximum-allocation-mb", "2048"))) {
            ContainerLimits limits = new ContainerLimits(yarn.scheduler());

            assertThat(limits.largestTask("root.research").amount(Resources.MEMORY_MB))
                    .isEqualTo(2048);
            assertThat(limits.largestTask("root.service").amount(Resources.MEMORY_MB))
                    .isEqualTo(8192);
            assertThat(limits.normalised("root.research", Resources.of(1000, 1, 1)))
                    .isEqualTo(Resources.of(1024, 1, 1));
        }
    }

    /** After a failover the nodes of a job may be the last that come back. */
    @Test
    public void countsOnNodesThatHaveNotRegistered() throws Exception {
        try (LocalResourceManager yarn = LocalResourceManager.withQueues(
                List.of("research=100"),
                Map.of("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "0"))) {
            yarn.node(1, 2048, 2, 0);
            ContainerLimits limits = new ContainerLimits(yarn.scheduler());
            Resources task = Resources.of(8192, 4, 2);

            assertThat(Amounts.of(yarn.scheduler().getMaximumResourceCapability("root.research"))
                            .amount(Resources.MEMORY_MB))
                    .as("what YARN grants now")
                    .isEqualTo(2048);
            assertThat(limits.largestTask("root.research").amount(Resources.MEMORY_MB))
                    .isEqualTo(8192);
            assertThat(limits.normalised("root.research", task)).isEqualTo(task);
        }
    }
}
