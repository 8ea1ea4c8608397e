package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.losses.LossPoint;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Before;
import org.junit.Test;

public final class JobTimelineTest {
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final ApplicationFacts caller = new FakeApplications().run(Jobs.attempt(1, 1));
    private final ApplicationId id = Jobs.attempt(1, 1).getApplicationId();

    @Before
    public void register() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
    }

    @Test
    public void tellsTheLossesTheSizesAndTheDecisionsInTheirOrder() throws Exception {
        registry.planned(id, 7, Jobs.size(1, 1), false, "starts");
        registry.holds(id, Jobs.size(1, 1), 100);
        registry.holds(id, Jobs.size(1, 1), 200);
        registry.planned(id, 8, Jobs.size(1, 2), true, "tries");
        registry.holds(id, Jobs.size(1, 2), 300);
        registry.report(
                caller,
                Jobs.report(1)
                        .addLosses(Jobs.loss(10, 3))
                        .addLosses(Jobs.loss(20, 2))
                        .build());

        JobTimeline timeline = registry.timeline(id).orElseThrow();

        assertThat(timeline.losses()).containsExactly(new LossPoint(10, 3), new LossPoint(20, 2));
        assertThat(registry.losses(id)).isEqualTo(timeline.losses());
        assertThat(timeline.sizes())
                .containsExactly(
                        new JobTimeline.Size(100, Jobs.size(1, 1)), new JobTimeline.Size(300, Jobs.size(1, 2)));
        assertThat(timeline.decisions())
                .extracting(JobTimeline.Decision::planned)
                .containsExactly(Jobs.size(1, 1), Jobs.size(1, 2));
        assertThat(timeline.decisions())
                .extracting(JobTimeline.Decision::reason)
                .containsExactly("starts", "tries");
        assertThat(timeline.decisions())
                .extracting(JobTimeline.Decision::exploring)
                .containsExactly(false, true);
    }

    @Test
    public void keepsAsManyAsResizesAreKept() {
        for (int i = 1; i <= 50; i++) {
            registry.planned(id, i, Jobs.size(1, 1 + i % 2), false, "plan " + i);
            registry.holds(id, Jobs.size(1, 1 + i % 2), i);
        }

        JobTimeline timeline = registry.timeline(id).orElseThrow();

        assertThat(timeline.sizes()).hasSize(Jobs.MEMORY.resizes());
        assertThat(timeline.sizes().get(Jobs.MEMORY.resizes() - 1).atMillis()).isEqualTo(50);
        assertThat(timeline.decisions()).hasSize(Jobs.MEMORY.resizes());
        assertThat(timeline.decisions().get(0).reason()).isEqualTo("plan " + (51 - Jobs.MEMORY.resizes()));
    }
}
