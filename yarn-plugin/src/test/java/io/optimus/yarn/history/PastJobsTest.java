package io.optimus.yarn.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.belief.LastRun;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.history.PastJob.Outcome;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.CheckedLife;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobEnd;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.jobs.Prediction;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public final class PastJobsTest {
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final FakeApplications applications = new FakeApplications();
    private final AtomicInteger most = new AtomicInteger(2);
    private final PastJobs past = new PastJobs(most::get, () -> 5_000);

    private ApplicationId run(int job) throws Exception {
        registry.register(
                applications.run(Jobs.attempt(job, 1)),
                Jobs.LIMITS,
                Jobs.registration().build());
        past.observe(registry.views(), PublishedPlan.NONE);
        return Jobs.attempt(job, 1).getApplicationId();
    }

    @Test
    public void keepsWhatWasLastSeenOfAJob() throws Exception {
        ApplicationId id = run(1);
        registry.report(
                applications.run(Jobs.attempt(1, 1)),
                Jobs.report(1).setCurrentStep(70).addLosses(Jobs.loss(70, 0.5)).build());
        past.finished(registry.view(id).orElseThrow(), true, Optional.of(life(id, 40, 50)), registry.end(id));
        past.observe(registry.views(), PublishedPlan.NONE);
        registry.remove(id);

        PastJob job = past.find(id, registry::contains).orElseThrow();
        assertThat(job.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(job.result().step()).isEqualTo(70);
        assertThat(job.result().loss()).hasValue(0.5);
        assertThat(job.end().losses()).containsExactly(new LossPoint(70, 0.5));
        assertThat(job.endedMillis()).isEqualTo(5_000);
        assertThat(job.checked()).isEqualTo(life(id, 40, 50).checked());
    }

    @Test
    public void keepsTheLastReasonBeforeTheEnd() throws Exception {
        ApplicationId id = run(1);
        past.observe(registry.views(), planned(id, new SchedulerReason.QueueDrained("root.a")));
        registry.finish(
                applications.run(Jobs.attempt(1, 1)),
                FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(true)
                        .setFinalStep(9)
                        .build());
        past.observe(registry.views(), planned(id, new SchedulerReason.Ended()));
        registry.remove(id);

        assertThat(past.find(id, registry::contains).orElseThrow().result().reason())
                .isEqualTo(new SchedulerReason.QueueDrained("root.a").sentence());
    }

    private static PublishedPlan planned(ApplicationId job, SchedulerReason why) {
        JobPlan part = new JobPlan(
                1,
                Placement.NONE,
                Placement.NONE,
                Allocation.NONE,
                Explanation.of(why),
                false,
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty());
        return new PublishedPlan(1, false, new TreeMap<>(Map.of(job, part)));
    }

    @Test
    public void knowsTheLastRunOfAJobThatTrainsInTheSameWay() throws Exception {
        ApplicationId first = run(1);
        registry.holds(first, Jobs.size(1, 3), 1_000);
        registry.report(
                applications.run(Jobs.attempt(1, 1)),
                Jobs.report(1).setCurrentStep(70).build());
        past.learned(
                registry.view(first).orElseThrow(),
                Optional.empty(),
                Optional.of(new CheckedLife(first, 7, 70, List.of())));

        LastRun last = past.lastRun(registry.view(run(2)).orElseThrow()).orElseThrow();
        assertThat(last.steps()).isEqualTo(70);
        assertThat(last.speed().stepsPerSecond(Jobs.size(1, 3)))
                .as("its mean speed")
                .isCloseTo(10, within(1e-9));

        RegisterJobRequestProto.Builder other = Jobs.registration();
        assertThat(lastRunOf(3, other.clone().setGlobalBatch(other.getGlobalBatch() + 1)))
                .isEmpty();
        assertThat(lastRunOf(4, other.clone().setName("other"))).isEmpty();
        assertThat(lastRunOf(5, other.clone().setStop(StopRuleProto.newBuilder().setMaxEpochs(77))))
                .isEmpty();
    }

    @Test
    public void theJobsOfOneUserDoNotDisplaceThoseOfAnother() throws Exception {
        learn("bob", 1, "only one");
        for (int job = 2; job <= 300; job++) {
            learn("alice", job, "job " + job);
        }

        assertThat(past.learned("bob", "only one")).isPresent();
        assertThat(past.learned("alice", "job 2")).isEmpty();
        assertThat(past.learned("alice", "job 300")).isPresent();
    }

    private void learn(String user, int job, String name) throws Exception {
        ApplicationId id = Jobs.attempt(job, 1).getApplicationId();
        ApplicationFacts caller = new ApplicationFacts(Jobs.attempt(job, 1), user, "root.default", job, 0);
        registry.register(caller, Jobs.LIMITS, Jobs.registration().setName(name).build());
        registry.holds(id, Jobs.size(1, 1), 1_000);
        registry.report(caller, Jobs.report(1).setCurrentStep(70).build());
        past.learned(
                registry.view(id).orElseThrow(), Optional.empty(), Optional.of(new CheckedLife(id, 7, 70, List.of())));
        registry.remove(id);
    }

    private Optional<LastRun> lastRunOf(int job, RegisterJobRequestProto.Builder registration) throws Exception {
        registry.register(applications.run(Jobs.attempt(job, 1)), Jobs.LIMITS, registration.build());
        return past.lastRun(
                registry.view(Jobs.attempt(job, 1).getApplicationId()).orElseThrow());
    }

    @Test
    public void keepsAsManyLossesAsAChartCanShow() {
        List<LossPoint> losses = LongStream.range(0, 1_001)
                .mapToObj(step -> new LossPoint(step, 1))
                .toList();

        assertThat(PastJob.thinned(losses))
                .hasSizeLessThanOrEqualTo(PastJob.MOST_LOSSES)
                .hasSizeGreaterThan(PastJob.MOST_LOSSES / 2)
                .endsWith(new LossPoint(1_000, 1));
        assertThat(PastJob.thinned(losses.subList(0, 200))).hasSize(200);
        assertThat(PastJob.thinned(List.of())).isEmpty();
    }

    @Test
    public void tellsTheMedianErrorsOfWhatWasPredictedOfJobsThatHaveEnded() throws Exception {
        assertThat(past.medianErrors(CheckedPrediction::errorOfEnd)).isEmpty();
        for (int job = 1; job <= 2; job++) {
            ApplicationId id = run(job);
            past.finished(
                    registry.view(id).orElseThrow(), true, Optional.of(life(id, 40 + 10 * job, 100)), JobEnd.UNTOLD);
            registry.remove(id);
        }
        ApplicationId last = run(3);
        past.finished(registry.view(last).orElseThrow(), true, Optional.of(life(last, 90, 100)), JobEnd.UNTOLD);

        assertThat(past.medianErrors(CheckedPrediction::errorOfEnd)).containsOnly(entry(0.5, 0.4));
    }

    /** Half of its life had passed when its end was predicted in {@code predicted} seconds; it came in {@code came}. */
    private static CheckedLife life(ApplicationId id, double predicted, double came) {
        Prediction then = new Prediction(OptionalDouble.of(predicted), OptionalDouble.empty(), OptionalDouble.empty());
        return new CheckedLife(id, 2 * came, 20, List.of(new CheckedPrediction(0.5, then, came, 10)));
    }

    @Test
    public void hasNotEndedBeforeItsApplicationHas() throws Exception {
        ApplicationId id = run(1);
        past.finished(registry.view(id).orElseThrow(), true, Optional.empty(), JobEnd.UNTOLD);

        assertThat(past.newestFirst(registry::contains)).isEmpty();
    }

    @Test
    public void tellsHowTheApplicationEndedWhereItsMasterDidNot() throws Exception {
        ApplicationId killed = run(1);
        ApplicationId lost = run(2);
        past.applicationEnded(killed, Outcome.KILLED);
        registry.remove(killed);
        registry.remove(lost);

        assertThat(past.find(killed, registry::contains).orElseThrow().outcome())
                .isEqualTo(Outcome.KILLED);
        assertThat(past.find(lost, registry::contains).orElseThrow().outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    public void keepsTheNewest() throws Exception {
        for (int job = 1; job <= 3; job++) {
            registry.remove(run(job));
            past.observe(registry.views(), PublishedPlan.NONE);
        }

        assertThat(past.newestFirst(registry::contains))
                .extracting(job -> job.id().getId())
                .containsExactly(3, 2);
        most.set(0);
        assertThat(past.newestFirst(registry::contains)).isEmpty();
    }
}
