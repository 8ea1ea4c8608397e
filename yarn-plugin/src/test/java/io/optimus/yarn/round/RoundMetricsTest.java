package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategy;
import io.optimus.model.policy.OptimusPolicy;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.WholeLog;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.CollectedMetrics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Lets what the metrics count happen in rounds. */
public final class RoundMetricsTest {
    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final RoundFixture fixture = new RoundFixture(new FakeApplications(), new FakeCluster("a:1", "b:1"));
    private Round round = fixture.round(Strategy.of(new OptimusPolicy()), Set.of());

    @After
    public void endThreads() {
        fixture.close();
    }

    @Test
    public void sayWhoWaitsForWhatAndSinceWhen() throws Exception {
        register(1, 8);
        register(2, 8);
        register(3, 8);
        round.refresh();
        assertThat(metrics())
                .containsEntry("OptimusWaiting{Reason=first-plan}.Jobs", 3L)
                .containsEntry("UnplannedJobs", 3L);

        round.run(Set.of());
        pass(90);
        holdsWhatIsPlanned(1);
        holdsWhatIsPlanned(2);
        round.refresh();

        assertThat(part(3)).isEqualTo(Placement.NONE);
        assertThat(metrics())
                .doesNotContainKey("OptimusWaiting{Reason=first-plan}.Jobs")
                .containsEntry("OptimusWaiting{Reason=no-room}.Jobs", 1L)
                .containsEntry("OptimusWaiting{Reason=no-room}.LongestMillis", 90_000L)
                .containsEntry("WaitingJobs", 1L)
                .containsEntry("StartingJobs", 0L);

        end(2);
        round.run(Set.of());
        fixture.cluster().hold(2, Placement.NONE);
        round.refresh();
        pass(10);
        round.refresh();

        assertThat(metrics())
                .containsEntry("OptimusWaiting{Reason=starting}.Jobs", 1L)
                .containsEntry("OptimusWaiting{Reason=starting}.LongestMillis", 100_000L)
                .containsEntry("StartingJobs", 1L);

        holdsWhatIsPlanned(3);
        round.refresh();
        assertThat(metrics()).as("all train").doesNotContainKey("OptimusWaiting{Reason=starting}.Jobs");
    }

    @Test
    public void nameJobsThatDoNotReportAnyMore() throws Exception {
        register(1, 1);
        register(2, 1);
        round.run(Set.of());
        pass(25);
        report(1, Jobs.report(1).setCurrentStep(1));
        pass(10);

        round.refresh();
        assertThat(metrics()).containsEntry("SilentJobs", 1L).containsEntry("LongestSilenceMillis", 35_000L);

        end(2);
        round.refresh();
        assertThat(metrics())
                .as("a job that has ended may be silent")
                .containsEntry("SilentJobs", 0L)
                .containsEntry("LongestSilenceMillis", 10_000L);
    }

    @Test
    public void countFitsAndTheirFailuresAndHowFarTheyAreOff() throws Exception {
        register(1, 1);
        assertThat(metrics()).containsEntry("Fits", 0L).doesNotContainKey("CurveErrorPercent");
        ReportRequestProto.Builder losses = Jobs.report(1).setCurrentStep(4_000);
        for (int i = 1; i <= 40; i++) {
            losses.addLosses(Jobs.loss(100L * i, 2.0 / (1 + 0.02 * i) + (i % 2 == 0 ? 0.01 : -0.01)));
        }
        report(1, losses);

        round.run(Set.of());
        round.run(Set.of());

        assertThat(metrics())
                .as("the second round had no new losses")
                .containsEntry("Fits", 1L)
                .containsEntry("FitFailures", 0L)
                .hasEntrySatisfying(
                        "CurveErrorPercent", percent -> assertThat(percent).isBetween(0L, 5L));
    }

    @Test
    public void tellHowFarMeasuredSpeedsAreFromTheFittedFunction() throws Exception {
        fixture.registry()
                .register(
                        fixture.applications().run(Jobs.attempt(1, 1)),
                        Jobs.LIMITS,
                        Jobs.registration().build());
        long reports = 0;
        for (int servers = 1; servers <= 2; servers++) {
            for (int workers = 1; workers <= 4; workers++) {
                double noise = workers % 2 == 0 ? 1.02 : 0.98;
                double speed = noise / (0.1 + 0.8 / workers + 0.1 * workers / servers);
                report(
                        1,
                        Jobs.report(++reports)
                                .setCurrentStep(100 * reports)
                                .addMembers(NodeAllocationProto.newBuilder()
                                        .setNode("a:1")
                                        .setAllocation(Jobs.allocation(servers, workers)))
                                .addSpeeds(Jobs.speed(servers, workers, speed)));
            }
        }

        round.run(Set.of());

        assertThat(metrics()).hasEntrySatisfying("SpeedFitErrorPercent", percent -> assertThat(percent)
                .isBetween(1L, 5L));
    }

    @Test
    public void haveTheTimesOfStepsAndTheChangesOfPlans() throws Exception {
        register(1, 1);
        round.run(Set.of());
        round.run(Set.of());

        assertThat(metrics())
                .containsEntry("Rounds", 2L)
                .containsEntry("OptimusStep{Step=publish}.Runs", 2L)
                .containsEntry("PlanChanges", 1L)
                .containsEntry("RoundFailures", 0L);
    }

    @Test
    public void sayThatThePlanIsFrozenAfterARestartAndThatItIsOnlyAdvice() throws Exception {
        ApplicationId other =
                fixture.applications().run(Jobs.attempt(2, 1)).attempt().getApplicationId();
        Configuration advise = new Configuration(false);
        advise.set("yarn.scheduler.optimus.mode", "advise");
        round = fixture.round(Strategy.of(new OptimusPolicy()), Set.of(other), advise);
        register(1, 1);
        round.run(Set.of());

        assertThat(metrics()).containsEntry("Frozen", 1L).containsEntry("Enforcing", 0L);

        pass(121);
        round.run(Set.of());
        assertThat(metrics()).containsEntry("Frozen", 0L);
    }

    @Test
    public void everyRoundIsOneLineOfTheLog() throws Exception {
        register(1, 1);
        try (WholeLog log = new WholeLog()) {
            round.run(Set.of(RoundTrigger.ARRIVAL));

            assertThat(log.events())
                    .filteredOn(line -> line.startsWith("round "))
                    .singleElement()
                    .asString()
                    .startsWith("round number=1 mode=enforce millis=")
                    .contains(" jobs=1 ", " starting=1 ", " changes=1 ", " triggers=arrival outcome=\"planned\"");
        }
    }

    private Map<String, Long> metrics() {
        return CollectedMetrics.of(fixture.metrics());
    }

    private void pass(long seconds) {
        fixture.clock().addAndGet(TimeUnit.SECONDS.toMillis(seconds));
    }

    private void register(int application, int workers) throws Exception {
        fixture.registry()
                .register(
                        fixture.applications().run(Jobs.attempt(application, 1)),
                        Jobs.LIMITS,
                        Jobs.registration()
                                .setRoles(1, Jobs.role(RoleProto.WORKER, workers, workers, 11, 1))
                                .build());
    }

    /** The job trains where the plan has it, and reports so. */
    private void holdsWhatIsPlanned(int application) throws Exception {
        Placement planned = part(application);
        fixture.cluster().hold(application, planned);
        ReportRequestProto.Builder report = Jobs.report(1).setCurrentStep(1);
        planned.byNode()
                .forEach((String node, Allocation tasks) -> report.addMembers(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setAllocation(Jobs.allocation(tasks.parameterServers(), tasks.workers()))));
        report(application, report);
    }

    private void report(int application, ReportRequestProto.Builder report) throws Exception {
        fixture.registry().report(fixture.applications().run(Jobs.attempt(application, 1)), report.build());
    }

    private void end(int application) throws Exception {
        fixture.registry()
                .finish(
                        fixture.applications().run(Jobs.attempt(application, 1)),
                        FinishJobRequestProto.newBuilder()
                                .setVersion(TrainingProtocol.VERSION)
                                .setConverged(true)
                                .setFinalStep(10)
                                .build());
    }

    private Placement part(int application) {
        return fixture.state()
                .plan()
                .current()
                .of(Jobs.attempt(application, 1).getApplicationId())
                .orElseThrow()
                .planned();
    }
}
