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
}
