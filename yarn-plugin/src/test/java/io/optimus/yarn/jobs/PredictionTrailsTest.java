package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public final class PredictionTrailsTest {
    private static final long START = 5_000_000;

    private final AtomicLong clock = new AtomicLong(START);
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final FakeApplications applications = new FakeApplications();
    private final PredictionTrails trails = new PredictionTrails(clock::get);
    private long sequence;

    @Test
    public void holdsPredictionsOfAQuarterHalfAndThreeQuartersAgainstWhatCame() throws Exception {
        register(1);
        clock.addAndGet(7_000);
        trails.observe(registry.views(), job -> predicted(1, 1, 1));
        // Ten steps a second for 100 s; it is always said that another 60 s and 900 steps are left.
        for (int second = 0; second < 100; second++) {
            step(1, 10L * second);
            trails.observe(registry.views(), job -> predicted(60, 900, 8));
            clock.addAndGet(1_000);
        }
        CheckedLife job = finish(1, 1000);

        assertThat(job.lifeSeconds()).isEqualTo(100);
        assertThat(job.checked()).extracting(CheckedPrediction::fraction).containsExactly(0.25, 0.5, 0.75);
        CheckedPrediction half = job.checked().get(1);
        assertThat(half.seconds()).isEqualTo(50);
        assertThat(half.steps()).isCloseTo(500, within(20.0));
        assertThat(half.predicted().seconds()).hasValueCloseTo(60.0, within(3.2));
        assertThat(half.errorOfEnd()).hasValueCloseTo(0.2, within(0.07));
        assertThat(half.errorOfSpeed()).hasValueCloseTo(0.2, within(0.05));
    }

    @Test
    public void countsDownBetweenTwoPredictions() throws Exception {
        register(1);
        step(1, 0);
        trails.observe(registry.views(), job -> predicted(80, 80, 1));
        clock.addAndGet(100_000);
        CheckedLife job = finish(1, 100);

        assertThat(job.checked())
                .extracting(each -> each.predicted().seconds().getAsDouble())
                .containsExactly(55.0, 30.0, 5.0);
        assertThat(job.checked()).extracting(CheckedPrediction::steps).containsExactly(75.0, 50.0, 25.0);
        assertThat(job.checked())
                .extracting(each -> each.predicted().steps().getAsDouble())
                .containsExactly(55.0, 30.0, 5.0);
    }

    @Test
    public void saysWhereThereWasNoPrediction() throws Exception {
        register(1);
        step(1, 0);
        trails.observe(registry.views(), job -> Prediction.NONE);
        clock.addAndGet(10_000);
        CheckedLife job = finish(1, 100);

        assertThat(job.checked()).allSatisfy(each -> {
            assertThat(each.errorOfEnd()).isEmpty();
            assertThat(each.errorOfSpeed()).isEmpty();
        });
        assertThat(job.inLog()).contains("after=0.50 predictedSeconds=none seconds=5.0");
    }

    @Test
    public void forgetsAJobThatNeverTrainedOrVanished() throws Exception {
        register(1);
        trails.observe(registry.views(), job -> Prediction.NONE);
        clock.addAndGet(10_000);
        registry.finish(
                applications.find(id(1)).orElseThrow(),
                FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(false)
                        .setFinalStep(0)
                        .build());
        assertThat(trails.end(registry.view(id(1)).orElseThrow())).isEmpty();

        register(2);
        step(2, 5);
        trails.observe(registry.views(), job -> Prediction.NONE);
        JobView running = registry.view(id(2)).orElseThrow();
        assertThat(trails.end(running)).as("it has not ended").isEmpty();
        trails.observe(List.of(), job -> Prediction.NONE);
        clock.addAndGet(10_000);
        registry.finish(
                applications.find(id(2)).orElseThrow(),
                FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(true)
                        .setFinalStep(9)
                        .build());
        assertThat(trails.end(registry.view(id(2)).orElseThrow())).isEmpty();
    }

    private static Prediction predicted(double seconds, double steps, double stepsPerSecond) {
        return new Prediction(OptionalDouble.of(seconds), OptionalDouble.of(steps), OptionalDouble.of(stepsPerSecond));
    }

    private static ApplicationId id(int job) {
        return Jobs.attempt(job, 1).getApplicationId();
    }

    private void register(int job) throws Exception {
        registry.register(
                applications.run(Jobs.attempt(job, 1)),
                Jobs.LIMITS,
                Jobs.registration().build());
        sequence = 0;
    }

    private void step(int job, long step) throws Exception {
        registry.report(
                applications.find(id(job)).orElseThrow(),
                Jobs.report(++sequence)
                        .setCurrentStep(step)
                        .addMembers(
                                NodeAllocationProto.newBuilder().setNode("a:1").setAllocation(Jobs.allocation(1, 1)))
                        .build());
    }

    private CheckedLife finish(int job, long step) throws Exception {
        registry.finish(
                applications.find(id(job)).orElseThrow(),
                FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(true)
                        .setFinalStep(step)
                        .build());
        return trails.end(registry.view(id(job)).orElseThrow()).orElseThrow();
    }
}
