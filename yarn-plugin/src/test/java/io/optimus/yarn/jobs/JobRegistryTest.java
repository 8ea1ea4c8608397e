package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GoodputObservations;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.BatchLimitsProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.TaskRateProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import io.optimus.yarn.validation.TaskRate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public final class JobRegistryTest {
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final ApplicationFacts caller = new FakeApplications().run(Jobs.attempt(1, 1));
    private final ApplicationId id = caller.attempt().getApplicationId();

    @Test
    public void refusesARegistrationWholeWithEveryProblem() {
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller,
                        Jobs.LIMITS,
                        Jobs.registration()
                                .clearRoles()
                                .addRoles(Jobs.role(RoleProto.WORKER, 3, 2, 0, 5))
                                .setStepsPerEpoch(Double.NaN)
                                .setMinRunSeconds(-1)
                                .addGpuTypes(" ")
                                .build()))
                .withMessageContainingAll(
                        "WORKER: min=3 max=2",
                        "WORKER: yarn_priority=0",
                        "yarn.io/gpu=5 must be 0 to 4, the largest container in queue root.default",
                        "steps_per_epoch=NaN",
                        "a GPU type must not be blank and must have at most 64 characters,",
                        "min_run_seconds=-1");
        assertThat(registry.views()).isEmpty();
    }

    @Test
    public void refusesMoreGpuTypesThanAListOfJobsCanName() {
        RegisterJobRequestProto.Builder many = Jobs.registration();
        for (int i = 0; i < 33; i++) {
            many.addGpuTypes("type-" + i);
        }
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(caller, Jobs.LIMITS, many.build()))
                .withMessageContaining("33 GPU types are too many: name at most 32");
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller,
                        Jobs.LIMITS,
                        Jobs.registration().addGpuTypes("t".repeat(65)).build()))
                .withMessageContaining("at most 64 characters");
    }

    @Test
    public void tellsWhenYarnHasChangedThePriorityOfAJob() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
        ApplicationFacts raised = new ApplicationFacts(
                caller.attempt(), caller.user(), caller.queue(), caller.submitMillis(), caller.priority() + 1);

        assertThat(newPriority(caller, 1)).isFalse();
        assertThat(newPriority(raised, 2)).isTrue();
        assertThat(newPriority(raised, 3)).isFalse();
        assertThat(view().scheduling().priority()).isEqualTo(raised.priority());
    }

    private boolean newPriority(ApplicationFacts now, long sequence) throws TrainingRefusedException {
        return registry.report(now, Jobs.report(sequence).build()).orElseThrow().newPriority();
    }

    @Test
    public void acceptsAJobWithoutParameterServers() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.allReduce().build());
        registry.report(
                caller,
                Jobs.report(1)
                        .addSpeeds(Jobs.speed(0, 2, 3))
                        .addSpeeds(Jobs.speed(1, 2, 4))
                        .addMembers(member("a:1", 0, 2))
                        .build());

        JobView job = view();
        assertThat(job.registration().demand().hasParameterServers()).isFalse();
        assertThat(job.progress().members().allocation()).isEqualTo(Jobs.size(0, 2));
        assertThat(job.measuredSpeed(Jobs.size(0, 2))).hasValue(3);
        assertThat(job.reports().refusedValues())
                .as("speed on a parameter server")
                .isEqualTo(1);
    }

    @Test
    public void refusesAnAsynchronousJobWithoutParameterServersAndAnyJobWithoutWorkers() {
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller,
                        Jobs.LIMITS,
                        Jobs.registration()
                                .clearRoles()
                                .setMode(TrainingModeProto.ASYNCHRONOUS)
                                .build()))
                .withMessageContainingAll(
                        "role WORKER is not described",
                        "trains by all-reduce, so its mode must be SYNCHRONOUS, not ASYNCHRONOUS");
    }

    @Test
    public void refusesParameterServersOfAJobThatRegisteredWithoutAny() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.allReduce().build());

        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller, Jobs.LIMITS, Jobs.registration().build()))
                .withMessageContaining("PARAMETER_SERVER: was registered with no tasks, now with");
    }

    @Test
    public void keepsStepTimesAndNoiseOfAJobThatAdaptsItsBatch() throws Exception {
        registry.register(
                caller,
                Jobs.LIMITS,
                Jobs.adaptive(512)
                        .setHistory(HistoryProto.newBuilder().addStepTimes(Jobs.steps(1, 1, 64, 0.1, 0.1)))
                        .build());
        registry.report(
                caller,
                Jobs.report(1)
                        .addStepTimes(Jobs.steps(1, 2, 64, 0.1, 0.15))
                        .addStepTimes(Jobs.steps(2, 1, 64, 0.1, 0.15))
                        .addStepTimes(Jobs.steps(1, 9, 64, 0.1, 0.15))
                        .addStepTimes(Jobs.steps(1, 2, 513, 0.1, 0.15))
                        .addStepTimes(Jobs.steps(1, 2, 64, Double.NaN, 0.15))
                        .setGradientNoise(Jobs.noise(1, 30))
                        .setBatch(256)
                        .build());
        registry.report(
                caller,
                Jobs.report(2)
                        .setGradientNoise(Jobs.noise(Double.POSITIVE_INFINITY, -1))
                        .setBatch(513)
                        .build());

        GoodputObservations seen = view().measured().goodput().orElseThrow();
        assertThat(seen.limits()).isEqualTo(new BatchLimits(128, 512, 8, 128));
        assertThat(seen.steps())
                .containsExactly(
                        new ThroughputObservation(1, 1, 64, 0.1, 0.1), new ThroughputObservation(1, 2, 64, 0.1, 0.15));
        assertThat(seen.noise()).contains(new GradientNoise(1, 30));
        assertThat(view().measured().batch()).hasValue(256);
        assertThat(view().reports().refusedValues()).isEqualTo(6);
    }

    @Test
    public void aTaskThatHasNotSteppedYetHasARateOfZero() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
        registry.report(
                caller,
                Jobs.report(1)
                        .addTasks(TaskRateProto.newBuilder()
                                .setTask("worker-0")
                                .setRole(RoleProto.WORKER)
                                .setNode("a:1")
                                .setStepsPerSecond(0))
                        .build());

        assertThat(view().reports().tasks()).containsExactly(new TaskRate("worker-0", Role.WORKER, "a:1", 0));
        assertThat(view().reports().refusedValues()).isZero();
    }

    @Test
    public void ignoresStepTimesOfAJobWithAFixedBatch() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.allReduce().build());
        registry.report(
                caller,
                Jobs.report(1).addStepTimes(Jobs.steps(1, 1, 64, 0.1, 0.1)).build());

        assertThat(view().measured().goodput()).isEmpty();
        assertThat(view().reports().refusedValues()).isEqualTo(1);
    }

    @Test
    public void refusesBatchLimitsThatContradictEachOtherOrTheJob() {
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller,
                        Jobs.LIMITS,
                        Jobs.registration()
                                .setBatchLimits(BatchLimitsProto.newBuilder()
                                        .setInitial(64)
                                        .setMax(32)
                                        .setMinAtomic(8)
                                        .setMaxAtomic(4))
                                .build()))
                .withMessageContainingAll(
                        "initial=64 max=32 min_atomic=8 max_atomic=4 must satisfy",
                        "initial=64 must be global_batch=128",
                        "only a job without role PARAMETER_SERVER");
    }

    @Test
    public void refusesRolesThatShareAPriorityAndCountsBeyondTheLimit() {
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller,
                        Jobs.LIMITS,
                        Jobs.registration()
                                .clearRoles()
                                .addRoles(Jobs.role(RoleProto.WORKER, 1, 101, 7, 1))
                                .addRoles(Jobs.role(RoleProto.PARAMETER_SERVER, 1, 2, 7, 0))
                                .build()))
                .withMessageContainingAll("max=101", "both roles ask YARN at priority 7");
    }

    @Test
    public void refusesAmountsThatOverflowIfYarnsLargestContainerIsUnlimited() {
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller,
                        Jobs.limits(Resources.of(8192, 8, Long.MAX_VALUE)),
                        Jobs.registration()
                                .clearRoles()
                                .addRoles(Jobs.role(RoleProto.WORKER, 1, 2, 11, 1L << 62))
                                .addRoles(Jobs.role(RoleProto.PARAMETER_SERVER, 1, 4, 10, 0))
                                .build()))
                .withMessageContaining("yarn.io/gpu=4611686018427387904 for max=2 tasks");
        assertThat(registry.views()).isEmpty();
    }

    @Test
    public void refusesBendsThatDoNotRiseOrAreTooMany() {
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller,
                        Jobs.LIMITS,
                        Jobs.registration()
                                .addBends(30)
                                .addBends(30)
                                .addBends(Double.NaN)
                                .build()))
                .withMessageContainingAll("the bend at epoch 30.0 must be after epoch 30.0", "the bend at epoch NaN");
        RegisterJobRequestProto.Builder many = Jobs.registration();
        for (int epoch = 1; epoch <= 101; epoch++) {
            many.addBends(epoch);
        }
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(caller, Jobs.LIMITS, many.build()))
                .withMessageContaining("101 bends are too many: announce at most 100");
    }

    @Test
    public void beginsACurveAtABendThatTheJobAnnounced() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().addBends(2.5).build());
        ReportRequestProto.Builder report = Jobs.report(1);
        for (int step = 10; step <= 400; step += 10) {
            report.addLosses(Jobs.loss(step, step < 250 ? 2 : 1));
        }
        registry.report(caller, report.build());

        assertThat(registry.fit(view().id(), new LossCurveFitter())
                        .orElseThrow()
                        .curve()
                        .fitted()
                        .orElseThrow()
                        .firstStep())
                .isEqualTo(260);
        assertThat(view().registration().training().bends().epochs()).containsExactly(2.5);
    }

    @Test
    public void refusesAJobThatRegistersAgainWithOtherTasksOrPriorities() throws Exception {
        register();
        RegisterJobRequestProto other = Jobs.registration()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.PARAMETER_SERVER, 1, 4, 12, 0))
                .addRoles(Jobs.role(RoleProto.WORKER, 1, 8, 11, 2))
                .build();

        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(caller, Jobs.LIMITS, other))
                .withMessageContainingAll(
                        "PARAMETER_SERVER: was registered with",
                        "at yarn_priority=10, now with",
                        "WORKER: was registered with memory-mb=1024 vcores=1 yarn.io/gpu=1 at yarn_priority=11");
        assertThat(view().registration().demand().workers().task().amount(Resources.GPUS))
                .isEqualTo(1);
    }

    @Test
    public void aJobMayRegisterAgainWithMoreMemoryForItsTasksButNotWithLess() throws Exception {
        register();
        registry.register(caller, Jobs.LIMITS, withWorkersOf(1_536));
        assertThat(view().registration().demand().workers().task()).isEqualTo(Resources.of(1_536, 1, 1));

        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(caller, Jobs.LIMITS, withWorkersOf(1_024)))
                .withMessageContaining("WORKER: was registered with memory-mb=1536");
    }

    private static RegisterJobRequestProto withWorkersOf(long memoryMb) {
        RegisterJobRequestProto.Builder job = Jobs.registration().build().toBuilder();
        job.getRolesBuilderList().stream()
                .filter(role -> role.getRole() == RoleProto.WORKER)
                .flatMap(role -> role.getResourcesBuilderList().stream())
                .filter(amount -> amount.getName().equals(Resources.MEMORY_MB))
                .forEach(amount -> amount.setAmount(memoryMb));
        return job.build();
    }

    /** It would keep what it has got while others did not need it. */
    @Test
    public void refusesAJobThatRegistersAgainWithAHigherMinimum() throws Exception {
        register();
        RegisterJobRequestProto greedy = Jobs.registration()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.PARAMETER_SERVER, 1, 4, 10, 0))
                .addRoles(Jobs.role(RoleProto.WORKER, 8, 8, 11, 1))
                .build();

        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(caller, Jobs.LIMITS, greedy))
                .withMessageContaining("WORKER: was registered with min=1, now with min=8");
        assertThat(view().registration().demand().workers().min()).isEqualTo(1);
    }

    @Test
    public void aJobMayRegisterAgainWithOtherCounts() throws Exception {
        register();
        registry.register(
                caller,
                Jobs.LIMITS,
                Jobs.registration()
                        .clearRoles()
                        .addRoles(Jobs.role(RoleProto.PARAMETER_SERVER, 1, 4, 10, 0))
                        .addRoles(Jobs.role(RoleProto.WORKER, 1, 6, 11, 1))
                        .build());

        assertThat(view().registration().demand().workers().max()).isEqualTo(6);
    }

    @Test
    public void rejectsInvalidReportsAndCountsThem() throws Exception {
        register();
        registry.report(
                caller,
                Jobs.report(1)
                        .addLosses(Jobs.loss(1, Double.NaN))
                        .addLosses(Jobs.loss(2, Double.POSITIVE_INFINITY))
                        .addLosses(Jobs.loss(3, 1e300))
                        .addLosses(Jobs.loss(-4, 1))
                        .addLosses(Jobs.loss(10, 2.5))
                        .addLosses(Jobs.loss(9, 2.4))
                        .addSpeeds(Jobs.speed(1, 1, Double.NaN))
                        .addSpeeds(Jobs.speed(1, 1, -3))
                        .addSpeeds(Jobs.speed(0, 1, 3))
                        .addSpeeds(Jobs.speed(1, 1_000_000, 3))
                        .addSpeeds(Jobs.speed(-1, 1, 3))
                        .addSpeeds(Jobs.speed(1, 1, 3))
                        .addResizes(resize(-5))
                        .setCurrentStep(Long.MAX_VALUE)
                        .setEpoch(Double.NaN)
                        .build());

        JobView job = view();
        assertThat(job.progress().loss()).hasValue(2.5);
        assertThat(job.progress().step()).isZero();
        assertThat(job.progress().epoch()).isEmpty();
        assertThat(job.measured().speeds().allocations()).containsExactly(Jobs.size(1, 1));
        assertThat(job.measured().speeds().stepsPerSecond(Jobs.size(1, 1))).hasValue(3.0);
        assertThat(job.history().resizes()).isEmpty();
        assertThat(job.reports().refusedValues()).isEqualTo(13);
    }

    @Test
    public void knowsThatLossesAreNoLongerFinite() throws Exception {
        register();
        ReportRequestProto.Builder report = Jobs.report(1);
        for (int step = 1; step <= 40; step++) {
            report.addLosses(Jobs.loss(step, step <= 30 ? 1.0 / step : Double.NaN));
        }
        registry.report(caller, report.build());

        assertThat(view().progress().loss()).hasValue(1.0 / 30);
        assertThat(registry.fit(id, new LossCurveFitter()).orElseThrow().curve().inWords())
                .isEqualTo("none of the last 10 reported losses is a finite number");
    }

    @Test
    public void fitsLossesAgainOnlyAfterNewOnes() throws Exception {
        LossCurveFitter fitter = new LossCurveFitter();
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
        registry.report(caller, Jobs.report(1).addLosses(Jobs.loss(10, 2)).build());
        FittedLosses first = registry.fit(id, fitter).orElseThrow();

        registry.report(
                caller,
                Jobs.report(2).setCurrentStep(20).addSpeeds(Jobs.speed(1, 1, 3)).build());
        assertThat(registry.fit(id, fitter)).containsSame(first);

        registry.report(caller, Jobs.report(3).addLosses(Jobs.loss(20, 1.9)).build());
        assertThat(registry.fit(id, fitter).orElseThrow().curve()).isEqualTo(new CurveFit.NotYet(2, 8));

        registry.report(caller, Jobs.report(4).setStepsPerEpoch(10).build());
        assertThat(registry.fit(id, fitter).orElseThrow().epochs().ended()).isEqualTo(2);

        registry.register(
                caller,
                Jobs.LIMITS,
                Jobs.registration()
                        .setHistory(HistoryProto.newBuilder().addLosses(Jobs.loss(5, 3)))
                        .build());
        assertThat(registry.fit(id, fitter).orElseThrow().curve()).isEqualTo(new CurveFit.NotYet(1, 8));
    }

    @Test
    public void staysSmallWhateverIsReported() throws Exception {
        register();
        for (int sequence = 1; sequence <= 50; sequence++) {
            ReportRequestProto.Builder report = Jobs.report(sequence);
            for (int i = 0; i < 5000; i++) {
                report.addLosses(Jobs.loss(5000L * sequence + i, 1.0 / (sequence + i)));
                report.addSpeeds(Jobs.speed(1 + i % 4, 1 + i % 8, 1 + i));
                report.addResizes(resize(i));
            }
            registry.report(caller, report.build());
        }
        JobView job = view();
        assertThat(job.measured().speeds().sizes()).hasSizeLessThanOrEqualTo(Jobs.MEMORY.speedSizes());
        assertThat(job.history().resizes()).hasSize(Jobs.MEMORY.resizes());
        assertThat(registry.fit(id, new LossCurveFitter()))
                .hasValueSatisfying(fitted -> assertThat(fitted.curve()).isInstanceOf(CurveFit.Fitted.class));
    }

    @Test
    public void countsARepeatedReportOnce() throws Exception {
        register();
        ReportRequestProto report = Jobs.report(1).addResizes(resize(20)).build();

        assertThat(registry.report(caller, report))
                .hasValueSatisfying(summary -> assertThat(summary.resizes()).isEqualTo(1));
        assertThat(registry.report(caller, report)).hasValue(ReportSummary.NONE);
        assertThat(view().history().resizes()).hasSize(1);
    }

    @Test
    public void rejectsReportsOfAnEarlierAttemptOnceALaterOneHasRegistered() throws Exception {
        register();
        ApplicationFacts later = new FakeApplications().run(Jobs.attempt(1, 2));
        registry.register(later, Jobs.LIMITS, Jobs.registration().build());

        assertThat(registry.report(caller, Jobs.report(1000).setCurrentStep(9).build()))
                .isEmpty();
        registry.finish(
                caller,
                FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(true)
                        .setFinalStep(99)
                        .build());
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> registry.register(
                        caller, Jobs.LIMITS, Jobs.registration().build()))
                .withMessageContaining("appattempt_1000_0001_000001 is over");

        assertThat(view().state()).isEqualTo(JobView.State.WAITING);
        assertThat(registry.report(later, Jobs.report(1).setCurrentStep(5).build()))
                .isPresent();
        assertThat(view().progress().step()).isEqualTo(5);
    }

    @Test
    public void countsStepsAsExploredOnlyWhileTheJobRunsOnTheSizeToExplore() throws Exception {
        register();
        registry.planned(id, 77, Jobs.size(1, 2), true, "explores 1 ps + 2 workers");

        registry.report(caller, at(1, 30, 1));
        assertThat(view().measured().exploredSteps()).isZero();
        registry.report(caller, at(2, 50, 2));
        assertThat(view().measured().exploredSteps()).isEqualTo(20);
    }

    private static ReportRequestProto at(long sequence, long step, int workers) {
        return Jobs.report(sequence)
                .setCurrentStep(step)
                .addMembers(NodeAllocationProto.newBuilder().setNode("a:1").setAllocation(Jobs.allocation(1, workers)))
                .build();
    }

    @Test
    public void keepsTheReasonOfAResize() throws Exception {
        register();
        registry.planned(id, 77, Jobs.size(1, 2), true, "explores 1 ps + 2 workers");
        registry.report(caller, Jobs.report(1).addResizes(resize(20)).build());

        assertThat(view().history().resizes()).singleElement().satisfies(resize -> {
            assertThat(resize.exploring()).isTrue();
            assertThat(resize.reason()).isEqualTo("explores 1 ps + 2 workers");
        });
    }

    @Test
    public void takesHistoryAndHoldingsFromAJobThatRegistersAfterARestart() throws Exception {
        registry.register(
                caller,
                Jobs.LIMITS,
                Jobs.registration()
                        .setHistory(HistoryProto.newBuilder()
                                .addLosses(Jobs.loss(10, 2))
                                .addSpeeds(Jobs.speed(1, 2, 9))
                                .addResizes(resize(15)))
                        .addHeld(NodeAllocationProto.newBuilder().setNode("a:1").setAllocation(Jobs.allocation(1, 2)))
                        .setCurrentStep(12)
                        .build());

        JobView job = view();
        assertThat(job.state()).isEqualTo(JobView.State.RUNNING);
        assertThat(job.progress().members().allocation()).isEqualTo(Jobs.size(1, 2));
        assertThat(job.progress().step()).isEqualTo(12);
        assertThat(job.measured().speeds().allocations()).contains(Jobs.size(1, 2));
        assertThat(job.history().resizes()).hasSize(1);
    }

    /** One speed function thus serves all GPU types. */
    @Test
    public void keepsSpeedsAsOnGpusOfSpeedOne() throws Exception {
        JobRegistry mixed = Jobs.registry(node -> node.equals("fast:1") ? 2.5 : 1);
        mixed.register(caller, Jobs.LIMITS, Jobs.registration().build());
        mixed.report(
                caller,
                Jobs.report(1)
                        .addMembers(member("fast:1", 1, 2))
                        .addSpeeds(Jobs.speed(1, 2, 10))
                        .build());
        assertThat(mixed.views().get(0).measured().gpuSpeed()).isEqualTo(2.5);
        mixed.report(
                caller,
                Jobs.report(2)
                        .addMembers(member("slow:1", 1, 3))
                        .addSpeeds(Jobs.speed(1, 3, 6))
                        .build());

        JobView job = mixed.views().get(0);
        assertThat(job.measured().gpuSpeed()).isEqualTo(1);
        assertThat(job.measured().speeds().stepsPerSecond(Jobs.size(1, 2))).hasValue(4);
        assertThat(job.measured().speeds().stepsPerSecond(Jobs.size(1, 3))).hasValue(6);
    }

    @Test
    public void takesTheNodesOfMeasuredSpeedsFromAJobThatRegistersAgain() throws Exception {
        JobRegistry mixed = Jobs.registry(node -> node.equals("fast:1") ? 2.5 : 1);
        HistoryProto.Builder history = HistoryProto.newBuilder()
                .addSpeeds(Jobs.speed(1, 2, 10).setNodes(3).setWorkerNode("fast:1"))
                .addSpeeds(Jobs.speed(1, 3, 6))
                .addSpeeds(Jobs.speed(1, 1, 7).setNodes(0).setWorkerNode("fast:1"))
                .addSpeeds(Jobs.speed(1, 1, 7).setNodes(3).setWorkerNode("fast:1"))
                .addSpeeds(Jobs.speed(1, 1, 7).setNodes(1));
        mixed.register(
                caller,
                Jobs.LIMITS,
                Jobs.registration()
                        .setHistory(history)
                        .addHeld(member("slow:1", 1, 3))
                        .build());

        assertThat(mixed.views().get(0).measured().speeds().sizes())
                .extracting(MeasuredSize::allocation, MeasuredSize::nodes, MeasuredSize::stepsPerSecond)
                .containsExactly(tuple(Jobs.size(1, 2), 3, 4.0), tuple(Jobs.size(1, 3), 1, 6.0));
        assertThat(mixed.views().get(0).reports().refusedValues()).isEqualTo(3);
    }

    private static NodeAllocationProto.Builder member(String node, int servers, int workers) {
        return NodeAllocationProto.newBuilder().setNode(node).setAllocation(Jobs.allocation(servers, workers));
    }

    @Test
    public void anAttemptThatResumesFromACheckpointMayReportEarlierSteps() throws Exception {
        register();
        registry.report(caller, Jobs.report(1).addLosses(Jobs.loss(100, 1)).build());
        registry.register(
                caller, Jobs.LIMITS, Jobs.registration().setCurrentStep(50).build());
        registry.report(caller, Jobs.report(1).addLosses(Jobs.loss(60, 1.2)).build());

        assertThat(view().progress().loss()).hasValue(1.2);
        assertThat(view().reports().refusedValues()).isZero();
    }

    @Test
    public void believesTheStepsPerEpochThatAJobReportsOnceItHasReadItsData() throws Exception {
        registry.register(
                caller, Jobs.LIMITS, Jobs.registration().setStepsPerEpoch(1).build());
        long before = view().reports().version();

        registry.report(caller, Jobs.report(1).setStepsPerEpoch(20).build());

        assertThat(view().registration().training().stepsPerEpoch()).isEqualTo(20);
        assertThat(view().reports().version())
                .as("a change must trigger a new fit")
                .isGreaterThan(before);
        registry.report(caller, Jobs.report(2).setStepsPerEpoch(0).build());
        registry.report(caller, Jobs.report(3).setStepsPerEpoch(-3).build());
        assertThat(view().registration().training().stepsPerEpoch()).isEqualTo(20);
        assertThat(view().reports().refusedValues()).isEqualTo(2);
    }

    @Test
    public void keepsTheExactStepsPerEpochIfTheReportedOnesAreTheirRounding() throws Exception {
        registry.register(
                caller, Jobs.LIMITS, Jobs.registration().setStepsPerEpoch(22.4).build());

        registry.report(caller, Jobs.report(1).setStepsPerEpoch(22).build());

        assertThat(view().registration().training().stepsPerEpoch()).isEqualTo(22.4);
    }

    @Test
    public void showsAFinishedJobUntilItsApplicationIsGone() throws Exception {
        register();
        registry.finish(
                caller,
                FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(true)
                        .setFinalStep(500)
                        .setFinalEpoch(22.5)
                        .setFinalLoss(Double.NaN)
                        .setAccuracy(0.875)
                        .setOutput("hdfs:/models/a\nb")
                        .build());

        assertThat(view().state()).isEqualTo(JobView.State.FINISHED);
        assertThat(view().progress().epoch()).hasValue(22.5);
        assertThat(view().progress().loss()).isEmpty();
        assertThat(registry.end(id).accuracy()).hasValue(0.875);
        assertThat(registry.end(id).output()).contains("hdfs:/models/a b");
        registry.remove(id);
        assertThat(registry.views()).isEmpty();
    }

    @Test
    public void removesAJobWhileAnotherThreadUsesIt() throws Exception {
        register();
        SlowAttempt slow = new SlowAttempt(id);
        Thread registering = new Thread(() -> {
            try {
                registry.register(
                        new ApplicationFacts(slow, "alice", "root.default", 0, 0),
                        Jobs.LIMITS,
                        Jobs.registration().build());
            } catch (TrainingRefusedException e) {
                throw new IllegalStateException(e);
            }
        });
        registering.start();
        try {
            slow.entered.await();

            assertThat(CompletableFuture.runAsync(() -> registry.remove(id))).succeedsWithin(Duration.ofSeconds(5));
        } finally {
            slow.leave.countDown();
            registering.join();
        }
    }

    /** An attempt that blocks every thread that compares it. */
    private static final class SlowAttempt extends ApplicationAttemptId {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch leave = new CountDownLatch(1);
        private final ApplicationId application;

        SlowAttempt(ApplicationId application) {
            this.application = application;
        }

        @Override
        public ApplicationId getApplicationId() {
            return application;
        }

        @Override
        protected void setApplicationId(ApplicationId id) {}

        @Override
        public int getAttemptId() {
            return 1;
        }

        @Override
        protected void setAttemptId(int id) {}

        @Override
        protected void build() {}

        @Override
        public int compareTo(ApplicationAttemptId other) {
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return super.compareTo(other);
        }
    }

    private void register() throws TrainingRefusedException {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
    }

    private JobView view() {
        return registry.view(id).orElseThrow();
    }

    private static ResizeProto resize(long pauseMillis) {
        AllocationProto one = Jobs.allocation(1, 1).build();
        return ResizeProto.newBuilder()
                .setFrom(one)
                .setTo(Jobs.allocation(1, 2))
                .setPauseMillis(pauseMillis)
                .setPlan(77)
                .build();
    }
}
