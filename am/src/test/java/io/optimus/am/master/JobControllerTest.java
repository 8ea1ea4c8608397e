package io.optimus.am.master;

import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.job.ServerMemory;
import io.optimus.am.master.journal.JournalReader;
import io.optimus.am.master.journal.ListJournal;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.master.scheduler.SchedulerLink;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

public class JobControllerTest {
    private final FakeContainers containers = new FakeContainers();
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final ListJournal journal = new ListJournal();
    private final List<AttemptOutcome> endings = new ArrayList<>();
    private long nowMillis = 5_000_000;
    private final JobController job = controller(JobSpecs.emulated());
    private int allocated;

    private JobController controller(JobSpec spec) {
        return new JobController(
                new JobIdentity("application_1_1", 1, "ann", spec, 4_000_000, () -> nowMillis),
                PlanFollowerFixture.SETTINGS,
                containers,
                coordinator,
                journal,
                new TrainingHistory(TrainingMode.SYNCHRONOUS),
                endings::add);
    }

    @Test
    public void registersWithThePlanThatItCarriedOutAndItsTasks() {
        runOnPlan(7);

        RegisterJobRequestProto registration = job.registration();

        assertThat(registration.getPlan()).isEqualTo(7);
        assertThat(registration.getHeld(0).getAllocation().getParameterServers())
                .isEqualTo(1);
        assertThat(registration.getHistory().getResizesCount()).isEqualTo(1);
        assertThat(journal.of("registering").get(0)).containsEntry("step", 0L);
    }

    @Test
    public void reportsWhereASpeedWasMeasuredEvenAfterTheJobHasMoved() {
        runOnPlan(7);
        job.speed(new SpeedSample(new Allocation(1, 1), 12.5, 5));
        follow(PlanFollowerFixture.plan(8, new Allocation(1, 1), new Allocation(0, 1)));
        give(PlanFollowerFixture.WORKER_B);
        connectAll();
        coordinator.carryOut();
        job.speed(new SpeedSample(new Allocation(1, 1), 12, 2));
        job.resized(new Resize(new Allocation(1, 1), new Allocation(1, 2), 40, 9, Cause.PLANNED));
        job.speed(new SpeedSample(new Allocation(1, 2), 20, 5));

        assertThat(job.registration().getHistory().getSpeedsList())
                .extracting(SpeedSampleProto::getNodes, SpeedSampleProto::getWorkerNode)
                .containsExactly(tuple(1, "a:1"), tuple(1, "a:1"), tuple(2, "a:1"));
    }

    @Test
    public void reportsNoNodeForASpeedOfUnknownTasks() {
        runOnPlan(7);
        job.speed(new SpeedSample(new Allocation(1, 2), 12.5, 5));

        assertThat(job.report().orElseThrow().getSpeeds(0).hasNodes()).isFalse();
    }

    @Test
    public void failsIfTheModelIsTooLargeForItsServers() {
        job.modelLoaded(100_000, new Optimizer.Sgd(0.1, 0, 0));
        assertThat(endings).isEmpty();

        job.modelLoaded(50_000_000, new Optimizer.Sgd(0.1, 0, 0));

        assertThat(endings).hasSize(1);
        assertThat(endings.get(0)).isInstanceOf(AttemptOutcome.Failed.class);
        assertThat(endings.get(0).diagnostics())
                .contains("50000000 parameters", "set roles.ps.memoryMb", "lower roles.worker.max");
    }

    @Test
    public void startsServersWithWhatTheModelNeedsWhereTheJobFileLetsIt() {
        JobController growing = controller(JobSpecs.emulated("roles.ps.memory=auto", "roles.ps.max=1"));
        long neededMb =
                ServerMemory.neededMb(JobSpecs.emulated("roles.ps.max=1"), 10_000_000, new Optimizer.Sgd(0.1, 0, 0));

        growing.modelLoaded(10_000_000, new Optimizer.Sgd(0.1, 0, 0));

        assertThat(endings).isEmpty();
        assertThat(containers.memoryMb).containsOnly(entry(Role.PARAMETER_SERVER, neededMb));
        assertThat(journal.of(JournalReader.MEMORY_RAISED))
                .containsExactly(Map.of("event", "memory-raised", "role", "PARAMETER_SERVER", "memoryMb", neededMb));
        growing.modelLoaded(500_000_000, new Optimizer.Sgd(0.1, 0, 0));
        assertThat(endings).hasSize(1);
        assertThat(endings.get(0).diagnostics()).contains("YARN grants no container of more than 8192 MiB");
    }

    /** Attempts that take its tasks over wait for none of these. */
    @Test
    public void recordsWhichContainersHaveEnded() {
        job.exited(List.of(new ContainerExit("container_3", ContainerExitStatus.ABORTED, "the node was lost")));

        assertThat(journal.of(JournalReader.CONTAINER_ENDED)).singleElement().satisfies(event -> assertThat(event)
                .containsEntry("container", "container_3"));
    }

    @Test
    public void goesOnInItsHistoryIfTheParametersAreKept() {
        job.loss(new LossPoint(60, 0.5));
        job.loss(new LossPoint(80, 0.4));

        job.goesOn(70, true, 2);

        assertThat(job.status().history().losses()).containsExactly(new LossPoint(60, 0.5));
        assertThat(job.status().history().survived().stepsRedone()).isZero();
        assertThat(journal.of("goes-on").get(0)).containsEntry("step", 70L).containsEntry("inMemory", true);
    }

    @Test
    public void goesBackInItsHistoryIfTheParametersAreLost() {
        job.loss(new LossPoint(60, 0.5));
        job.loss(new LossPoint(80, 0.4));

        job.goesOn(70, false, 2);

        assertThat(job.status().history().losses()).containsExactly(new LossPoint(60, 0.5));
        assertThat(job.status().history().survived().stepsRedone()).isEqualTo(11);
    }

    /** The next attempt goes on with them. */
    @Test
    public void keepsItsTasksIfOnlyTheAttemptEnds() {
        runOnPlan(7);

        job.ended(new AttemptOutcome.Killed("for a test"));

        assertThat(containers.released).isEmpty();
        assertThat(containers.stopped).isEmpty();
    }

    @Test
    public void sizesItselfIfNoSchedulerAnswers() {
        job.schedulerUnreachable("connection refused");
        assertThat(containers.requests).isEmpty();

        job.waitedForScheduler();

        assertThat(containers.lastRequest())
                .isEqualTo(Map.of(
                        new RoleOnNode(Role.PARAMETER_SERVER, TargetNode.ANY),
                        1,
                        new RoleOnNode(Role.WORKER, TargetNode.ANY),
                        1));
        assertThat(job.status().plan().sizesItself()).isTrue();
        assertThat(job.status().plan().directive().reason()).contains("connection refused");
    }

    @Test
    public void recordsThePlanOfEachResize() {
        runOnPlan(7);

        Map<String, Object> resize = journal.of("resize").get(0);

        assertThat(resize)
                .containsEntry("plan", 7L)
                .containsEntry("reason", "test")
                .containsEntry("fromWorkers", 0)
                .containsEntry("toWorkers", 1)
                .containsEntry("pauseMillis", 40L)
                .containsEntry("exploring", false);
    }

    @Test
    public void recordsTheReasonOfTheFirstPlanWithTheAllocation() {
        follow(PlanFollowerFixture.plan(7, new Allocation(1, 1), Allocation.NONE)
                .withReason("grows"));
        follow(PlanFollowerFixture.plan(8, new Allocation(1, 1), Allocation.NONE)
                .withReason("stays"));
        give(PlanFollowerFixture.PS_A);
        give(PlanFollowerFixture.WORKER_A);
        connectAll();
        coordinator.carryOut();
        job.resized(new Resize(Allocation.NONE, new Allocation(1, 1), 40, 0, Cause.STARTED));

        assertThat(journal.of("resize").get(0)).containsEntry("plan", 8L).containsEntry("reason", "grows");
        assertThat(job.status().plan().directive().reason()).isEqualTo("stays");
    }

    @Test
    public void aTaskThatIsLostDuringAResizeWasNotRestartedByIt() {
        runOnPlan(7);
        assertThat(job.status().history().restartedTasks()).isZero();
        follow(PlanFollowerFixture.plan(8, new Allocation(1, 1), new Allocation(0, 1)));
        give(PlanFollowerFixture.WORKER_B);
        connectAll();

        job.follower().exited(List.of(new ContainerExit("container_1", 1, "gone")));
        coordinator.ready.remove(worker(1));
        coordinator.members.add(worker(1));
        job.resized(new Resize(new Allocation(1, 1), new Allocation(1, 1), 9, 5, Cause.PLANNED));

        assertThat(job.status().history().restartedTasks()).isZero();
        assertThat(job.status().history().lostTasks()).isEqualTo(1);
    }

    @Test
    public void failsIfTheTrainedModelIsMissing() {
        job.trained(new TrainingResult(
                true, "loss was flat", 100, 4, OptionalDouble.of(0.1), Optional.empty(), Optional.empty()));

        assertThat(endings).hasSize(1);
        assertThat(endings.get(0)).isInstanceOf(AttemptOutcome.Failed.class);
        assertThat(endings.get(0).diagnostics())
                .contains("loss was flat", "model was not written", "checkpoints are kept");
    }

    @Test
    public void endsWithTheResultOfTheTraining() {
        TrainingResult result = new TrainingResult(
                true,
                "loss fell by less than 0.01 in 3 epochs",
                100,
                4,
                OptionalDouble.of(0.1),
                Optional.of(new Evaluation(0.2, 0.97, 300)),
                Optional.of("model-100"));

        job.reported(new ProgramReport(50, 1, Map.of("accuracy", 0.5, "top5", 0.75)));
        job.reported(new ProgramReport(100, 3, Map.of("accuracy", 0.875)));
        job.trained(result);
        job.ended(endings.get(0));

        assertThat(endings).containsExactly(new AttemptOutcome.Trained(result));
        String json = new String(ResultFile.write(job.status(), endings.get(0)), StandardCharsets.UTF_8);
        assertThat(json)
                .contains("\"heldOutAccuracy\" : 0.97", "\"converged\" : true", "\"completionSeconds\" : 1000.0")
                .containsIgnoringWhitespaces("\"metrics\" : { \"accuracy\" : 0.875, \"top5\" : 0.75 }")
                .contains("\"mode\" : \"asynchronous\"", "\"survivingTasksRestarted\" : 0", "\"resizes\" : [ ]");
    }

    @Test
    public void writesTheFieldsThatAreDocumented() throws IOException {
        String documentation = Files.readString(Path.of("../docs/job-file.md"));
        String table = documentation.substring(documentation.indexOf("### result.json"));
        table = table.substring(0, table.indexOf("\n#", 1));
        List<String> documented = Pattern.compile("(?m)^\\| `(\\w+)` \\|")
                .matcher(table)
                .results()
                .map(row -> row.group(1))
                .toList();

        job.trainingFailed("no checkpoint to resume from");
        JsonNode failed = new ObjectMapper().readTree(ResultFile.write(job.status(), endings.get(0)));

        assertThat(failed.fieldNames()).toIterable().containsExactlyElementsOf(documented);
        assertThat(failed.path("maxEpochs").asInt()).isEqualTo(40);
        assertThat(failed.path("targetAccuracy").isNull()).isTrue();
        assertThat(failed.path("model").isNull()).isTrue();
    }

    @Test
    public void namesTheLastLossWhenTrainingCannotGoOn() {
        job.loss(new LossPoint(10, 0.9));

        job.trainingFailed("no checkpoint to resume from");

        assertThat(endings.get(0).diagnostics()).contains("no checkpoint to resume from", "step 10, loss 0.9");
    }

    @Test
    public void aLeavingTaskThatIsLostDuringAResizeWasNotRestartedByIt() {
        runOnPlan(7);
        follow(PlanFollowerFixture.plan(8, new Allocation(1, 1), new Allocation(0, 1)));
        give(PlanFollowerFixture.WORKER_B);
        connectAll();
        follow(PlanFollowerFixture.plan(9, new Allocation(1, 0), new Allocation(0, 2)));

        job.follower().exited(List.of(new ContainerExit("container_1", 1, "gone")));
        job.resized(new Resize(new Allocation(1, 1), new Allocation(1, 1), 9, 5, Cause.PLANNED));

        assertThat(job.status().history().restartedTasks()).isZero();
        assertThat(job.status().history().lostTasks()).isZero();
    }

    @Test
    public void keepsItsRequestsWhileItStandsStill() {
        follow(PlanFollowerFixture.plan(7, new Allocation(1, 1), Allocation.NONE));
        job.tick();
        nowMillis += 40_000;
        job.tick();

        give(PlanFollowerFixture.PS_A);
        give(PlanFollowerFixture.WORKER_A);

        assertThat(containers.released).isEmpty();
        assertThat(containers.launched).containsOnlyKeys(server(0), worker(0));
    }

    private void runOnPlan(long plan) {
        follow(PlanFollowerFixture.plan(plan, new Allocation(1, 1), Allocation.NONE));
        give(PlanFollowerFixture.PS_A);
        give(PlanFollowerFixture.WORKER_A);
        connectAll();
        coordinator.carryOut();
        assertThat(coordinator.members).isEqualTo(PlanFollowerFixture.tasks(server(0), worker(0)));
        job.resized(new Resize(Allocation.NONE, new Allocation(1, 1), 40, 0, Cause.STARTED));
    }

    private void follow(Directive directive) {
        job.answered(new SchedulerLink.Reply("enforce", Optional.of(directive)));
    }

    private void give(RoleOnNode key) {
        job.follower().allocated(List.of(PlanFollowerFixture.container("container_" + allocated++, key)));
    }

    private void connectAll() {
        nowMillis += 1;
        job.follower().tasks().stream()
                .filter(task -> task.state().equals("starting"))
                .forEach(task -> coordinator.ready.add(task.id()));
        job.follower().reconcile();
    }
}
