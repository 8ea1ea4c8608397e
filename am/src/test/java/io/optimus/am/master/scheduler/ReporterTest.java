package io.optimus.am.master.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.coordinator.CurrentBatch;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.journal.ResizeRecord.ResizeReason;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.journal.TrainingHistory.PlacedSpeed;
import io.optimus.am.master.journal.TrainingHistory.PlacedSteps;
import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.master.plan.TaskMemory;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.AnnouncedBends;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.protocol.proto.TrainingProtos.BatchLimitsProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.Test;

public class ReporterTest {
    private static final PlacedSpeed SPEED =
            new PlacedSpeed(new SpeedSample(new Allocation(1, 1), 12.5, 5), Optional.empty());
    private static final ResizeRecord RESIZE = new ResizeRecord(
            4_500_000, Allocation.NONE, new Allocation(1, 1), 40, 0, new ResizeReason(true, 7, false, "test"));

    private final TrainingHistory history = new TrainingHistory(TrainingMode.SYNCHRONOUS);
    private final PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(0, 1));
    private final FakeCoordinator coordinator = fixture.coordinator;
    private final Reporter reporter = new Reporter(
            new JobIdentity("application_1_1", 1, "ann", JobSpecs.emulated(), 4_000_000, () -> 5_000_000),
            fixture.memory,
            coordinator,
            history,
            fixture.follower);

    @Test
    public void registersAgainWhenTasksNeedMoreMemory() {
        reporter.registration();
        assertThat(reporter.report()).isPresent();

        fixture.memory.set(Role.WORKER, 1_536);
        assertThat(reporter.report()).isEmpty();

        assertThat(reporter.registration().getRolesList())
                .filteredOn(role -> role.getRole() == RoleProto.WORKER)
                .flatExtracting(RoleSpecProto::getResourcesList)
                .extracting(ResourceAmountProto::getName, ResourceAmountProto::getAmount)
                .contains(tuple("memory-mb", 1_536L), tuple("vcores", 2L), tuple("yarn.io/gpu", 1L));
        assertThat(reporter.report()).isPresent();
    }

    @Test
    public void registersTheJobAsSubmitted() {
        RegisterJobRequestProto registration = reporter.registration();

        assertThat(registration.getName()).isEqualTo("emulated");
        assertThat(registration.getPaced()).isTrue();
        assertThat(registration.getPreemptible()).isFalse();
        assertThat(registration.getMinRunSeconds()).isEqualTo(60);
        assertThat(registration.getGpuTypesList()).containsExactly("a100", "v100");
        assertThat(registration.getRolesList()).hasSize(2);
        assertThat(registration.getStop().getMaxEpochs()).isEqualTo(40);
        assertThat(registration.getStop().getTargetLoss()).isEqualTo(0.05);
        assertThat(registration.getStop().getPlateauEpochs()).isEqualTo(3);
    }

    @Test
    public void reportsOnlyWhatIsNewAndTheMembers() {
        runOnPlan7();
        history.addLoss(new LossPoint(10, 0.9));
        history.addSpeed(SPEED);
        history.addResize(RESIZE);

        ReportRequestProto first = reporter.report().orElseThrow();
        ReportRequestProto second = reporter.report().orElseThrow();

        assertThat(first.getSequence()).isEqualTo(1);
        assertThat(first.getLossesCount()).isEqualTo(1);
        assertThat(first.getSpeeds(0).getStepsPerSecond()).isEqualTo(12.5);
        assertThat(first.getResizes(0).getPauseMillis()).isEqualTo(40);
        assertThat(first.getMembersList()).hasSize(1);
        assertThat(first.getMembers(0).getNode()).isEqualTo("a:1");
        assertThat(first.getMembers(0).getAllocation().getWorkers()).isEqualTo(1);
        assertThat(first.getTasks(0).getTask()).isEqualTo("worker-0");
        assertThat(first.getPlan()).isEqualTo(7);
        assertThat(second.getSequence()).isEqualTo(2);
        assertThat(second.getLossesCount()).isZero();
        assertThat(second.getSpeedsCount()).isZero();
        assertThat(second.getResizesCount()).isZero();
    }

    @Test
    public void registersAgainWithItsHistoryAndItsTasks() {
        runOnPlan7();
        history.addResize(RESIZE);
        history.addSpeed(SPEED);
        history.addLoss(new LossPoint(10, 0.9));
        assertThat(reporter.report()).isPresent();
        history.addLoss(new LossPoint(20, 0.8));

        RegisterJobRequestProto again = reporter.registration();

        assertThat(again.getHistory().getLossesCount()).isEqualTo(2);
        assertThat(again.getHistory().getSpeedsCount()).isEqualTo(1);
        assertThat(again.getHistory().getResizesCount()).isEqualTo(1);
        assertThat(again.getHeld(0).getAllocation().getWorkers()).isEqualTo(1);
        assertThat(again.getPlan()).isEqualTo(7);
        assertThat(reporter.report().orElseThrow().getLossesCount())
                .as("it was in the history")
                .isZero();
    }

    @Test
    public void reportsNoPlanBeforeOneIsCarriedOut() {
        assertThat(reporter.registration().getPlan()).isZero();
        assertThat(reporter.report().orElseThrow().getPlan()).isZero();
    }

    @Test
    public void reportsStepsPerEpochOnlyOnceTheDataIsRead() {
        assertThat(reporter.registration().getStepsPerEpoch()).as("a guess").isEqualTo(1);
        assertThat(reporter.report().orElseThrow().hasStepsPerEpoch()).isFalse();
    }

    @Test
    public void registersAgainWithTheBatchAndTheEpochsOfAProgram() {
        reporter.registration();
        ProgramSettings program = new ProgramSettings(48, 7, new Optimizer.Sgd(0.1, 0, 0), 1, AnnouncedBends.NONE);
        coordinator.program = Optional.of(program);

        assertThat(reporter.report()).as("the registration is out of date").isEmpty();
        RegisterJobRequestProto again = reporter.registration();
        assertThat(again.getGlobalBatch()).isEqualTo(48);
        assertThat(again.getStop().getMaxEpochs()).as("the job file has 40").isEqualTo(7);
        assertThat(again.getBendsList()).isEmpty();
        assertThat(reporter.report()).isPresent();

        coordinator.program = Optional.of(program.withBends(new AnnouncedBends(List.of(3.0, 6.0))));
        assertThat(reporter.report()).as("the program has announced bends").isEmpty();
        assertThat(reporter.registration().getBendsList()).containsExactly(3.0, 6.0);
        assertThat(reporter.report()).isPresent();
    }

    @Test
    public void registersAndReportsAnAdaptiveBatch() throws InvalidJobFileException {
        String file =
                """
                name: a
                framework: python
                program: {module: train}
                communication: all-reduce
                roles: {worker: {min: 1, max: 4}}
                batch: {max: 512, perWorkerMax: 64, adapt: true}
                """;
        JobSpec spec = JobFile.parse("job.yaml", file, List.of()).spec();
        Reporter adaptive = new Reporter(
                new JobIdentity("application_1_1", 1, "ann", spec, 4_000_000, () -> 5_000_000),
                new TaskMemory(spec, fixture.containers),
                coordinator,
                history,
                fixture.follower);
        coordinator.program = Optional.of(new ProgramSettings(32, 7, new Optimizer.Own("SGD"), 1, AnnouncedBends.NONE));
        coordinator.progress = progress(45, Optional.empty());
        history.addStepTimes(new PlacedSteps(new ThroughputObservation(1, 2, 16, 0.01, 0.03), Optional.of("a:1")));

        RegisterJobRequestProto registration = adaptive.registration();
        assertThat(registration.getBatchLimits())
                .isEqualTo(BatchLimitsProto.newBuilder()
                        .setInitial(32)
                        .setMax(512)
                        .setMinAtomic(1)
                        .setMaxAtomic(64)
                        .build());
        assertThat(registration.getGlobalBatch()).isEqualTo(32);
        assertThat(registration.getHistory().getStepTimes(0).getWorkerNode()).isEqualTo("a:1");
        assertThat(registration.getHistory().hasGradientNoise()).isFalse();

        history.addStepTimes(new PlacedSteps(new ThroughputObservation(1, 2, 32, 0.02, 0.04), Optional.empty()));
        coordinator.progress = progress(40, Optional.of(new GradientNoise(1, 3)));
        ReportRequestProto report = adaptive.report().orElseThrow();
        assertThat(report.getBatch()).isEqualTo(128);
        assertThat(report.getStepTimesList()).hasSize(1);
        assertThat(report.getStepTimes(0).getAtomicBatch()).isEqualTo(32);
        assertThat(report.getStepTimes(0).getStepSeconds()).isEqualTo(0.04);
        assertThat(report.getGradientNoise().getVariance()).isEqualTo(3);
        assertThat(report.getStepsPerEpoch())
                .as("an epoch of a larger batch is worth less")
                .isEqualTo(40);
        assertThat(adaptive.report().orElseThrow().getStepTimesList()).isEmpty();
    }

    private static Progress progress(double stepsPerEpoch, Optional<GradientNoise> noise) {
        CurrentBatch batch = new CurrentBatch(new BatchLimits(32, 512, 1, 64), 128, 0, noise, 9);
        return new Progress(20, 0.5, stepsPerEpoch, OptionalDouble.empty(), OptionalDouble.empty(), Optional.of(batch));
    }

    @Test
    public void anEpochThatChangesMuchMovesAnnouncedBends() {
        coordinator.program =
                Optional.of(new ProgramSettings(32, 7, new Optimizer.Own("SGD"), 1, new AnnouncedBends(List.of(3.0))));
        coordinator.progress = progress(100, Optional.empty());
        reporter.registration();
        coordinator.progress = progress(96, Optional.empty());
        assertThat(reporter.report()).isPresent();
        coordinator.progress = progress(94, Optional.empty());
        assertThat(reporter.report()).as("the registration is out of date").isEmpty();
    }

    @Test
    public void theFirstMembershipOfAnAttemptIsNewerThanTheLastOfTheOneBefore() {
        coordinator.membership = new MembershipNumber(1, 12);
        long before = reporter.report().orElseThrow().getMembership();
        coordinator.membership = new MembershipNumber(2, 0);

        assertThat(reporter.report().orElseThrow().getMembership()).isGreaterThan(before);
        assertThat(reporter.registration().getMembership()).isGreaterThan(before);
    }

    /** A worker steps on node A. */
    private void runOnPlan7() {
        fixture.follower.follow(PlanFollowerFixture.plan(7, new Allocation(0, 1), Allocation.NONE));
        fixture.give(PlanFollowerFixture.WORKER_A);
        fixture.connectAll();
        fixture.carryOut();
    }
}
