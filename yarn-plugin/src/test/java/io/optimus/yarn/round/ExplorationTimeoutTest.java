package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.decision.Explanation;
import io.optimus.model.job.Placement;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Before;
import org.junit.Test;

public final class ExplorationTimeoutTest {
    private static final long PATIENCE = 1000;

    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final ExplorationTimeout clock = new ExplorationTimeout(() -> PATIENCE, () -> true, registry);
    private final ApplicationFacts caller = new FakeApplications().run(Jobs.attempt(1, 1));
    private final ApplicationId id = caller.attempt().getApplicationId();

    @Before
    public void register() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
    }

    @Test
    public void givesUpASizeWithoutSampleInTime() {
        advance(exploring(1, 3), 0);
        advance(exploring(1, 3), PATIENCE - 1);
        assertThat(job().measured().givenUp()).isEmpty();

        advance(exploring(1, 3), PATIENCE);

        assertThat(job().measured().givenUp()).containsExactly(new Allocation(1, 3));
    }

    @Test
    public void givesUpNoSizeIfPlansAreNotCarriedOut() {
        ExplorationTimeout advising = new ExplorationTimeout(() -> PATIENCE, () -> false, registry);
        advising.advance(exploring(1, 3), registry.views(), 0);
        advising.advance(exploring(1, 3), registry.views(), PATIENCE);

        assertThat(job().measured().givenUp()).isEmpty();
    }

    @Test
    public void waitsTheFullTimeForEachSize() {
        advance(exploring(1, 3), 0);
        advance(exploring(1, 4), PATIENCE - 1);
        advance(exploring(1, 4), PATIENCE + 1);

        assertThat(job().measured().givenUp()).isEmpty();
    }

    @Test
    public void givesUpNoMeasuredSize() throws Exception {
        advance(exploring(1, 3), 0);
        registry.report(caller, Jobs.report(1).addSpeeds(Jobs.speed(1, 3, 5)).build());

        advance(exploring(1, 3), 2 * PATIENCE);

        assertThat(job().measured().givenUp()).isEmpty();
    }

    @Test
    public void countsOnlyWhileTheSizeIsExplored() {
        advance(exploring(1, 3), 0);
        advance(PublishedPlan.NONE, PATIENCE - 1);
        advance(exploring(1, 3), PATIENCE);

        assertThat(job().measured().givenUp()).isEmpty();
    }

    private void advance(PublishedPlan plan, long nowMillis) {
        clock.advance(plan, registry.views(), nowMillis);
    }

    private JobView job() {
        return registry.view(id).orElseThrow();
    }

    private PublishedPlan exploring(int servers, int workers) {
        JobPlan part = new JobPlan(
                1,
                Placement.of(Map.of("a:1", Jobs.size(servers, workers))),
                Placement.of(Map.of("a:1", Jobs.size(servers, workers))),
                Allocation.NONE,
                Explanation.NONE,
                true,
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty());
        return new PublishedPlan(1, false, new TreeMap<>(Map.of(id, part)));
    }
}
