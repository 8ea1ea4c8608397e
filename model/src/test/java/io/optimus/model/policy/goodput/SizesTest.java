package io.optimus.model.policy.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Jobs;
import java.util.List;
import org.junit.Test;

public class SizesTest {
    private static List<Allocation> chain(Jobs job) {
        return new Sizes(
                        job.snapshot(),
                        new Allocation(8, 8),
                        job.snapshot().speed().orElseThrow()::stepsPerSecond)
                .chain(Allocation::tasks, Allocation.NONE).stream()
                        .map(Size::tasks)
                        .toList();
    }

    @Test
    public void growsByWhatGainsMostAndEndsWhereNothingGains() {
        Jobs job =
                Jobs.small("a").speed(size -> Math.min(size.workers(), 3) + 0.1 * Math.min(size.parameterServers(), 2));

        assertThat(chain(job))
                .containsExactly(
                        new Allocation(1, 1), new Allocation(1, 2), new Allocation(1, 3), new Allocation(2, 3));
    }

    /** Six tasks are slower than four on one node, ten are faster. */
    @Test
    public void leapsOverSizesThatAreSlowerBecauseTheyOutgrowANode() {
        Jobs job = Jobs.small("a")
                .speed(size -> Math.min(size.parameterServers(), size.workers()) * (size.tasks() > 4 ? 0.5 : 1));

        assertThat(chain(job))
                .startsWith(new Allocation(1, 1), new Allocation(2, 2))
                .endsWith(new Allocation(8, 8));
    }
}
