package io.optimus.am.master;

import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.journal.ListJournal;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.page.StatusHtml;
import io.optimus.am.master.page.StatusJson;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.JobTask;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.master.scheduler.SchedulerReply;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.FakeLauncher;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.Test;

public class JobControllerTest {
    private final FakeContainers containers = new FakeContainers();
    private final FakeLauncher launcher = new FakeLauncher();
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final ListJournal journal = new ListJournal();
    private final List<AttemptOutcome> endings = new ArrayList<>();
    private long nowMillis = 5_000_000;
    private final JobController job = new JobController(
            new JobIdentity("application_1_1", 1, "ann", JobSpecs.emulated(), 4_000_000, () -> nowMillis),
            containers,
            launcher,
            coordinator,
            journal,
            new TrainingHistory(TrainingMode.SYNCHRONOUS),
            PlanFollowerFixture.SETTINGS,
            endings::add);
    private int given;

    @Test
    public void registersWithThePlanThatItCarriedOutAndWithWhatItHolds() {
        runOnPlan(7);

        RegisterJobRequestProto registration = job.registration();

        assertThat(registration.getPlan()).isEqualTo(7);
        assertThat(registration.getHeld(0).getAllocation().getParameterServers())
                .isEqualTo(1);
        assertThat(registration.getHistory().getResizesCount()).isEqualTo(1);
        assertThat(journal.of("registering").get(0)).containsEntry("step", 0L);
    }

    @Test
    public void tellsWhereASpeedWasMeasuredAlsoOnceTheJobRunsElsewhere() {
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
    public void tellsNoPlaceOfASpeedOfOtherTasksThanThoseThatItKnows() {
        runOnPlan(7);
        job.speed(new SpeedSample(new Allocation(1, 2), 12.5, 5));

        assertThat(job.report().getSpeeds(0).hasNodes()).isFalse();
    }

    @Test
    public void refusesAModelThatItsServersHaveNoRoomFor() {
        job.modelLoaded(100_000);
        assertThat(endings).isEmpty();

        job.modelLoaded(50_000_000);

        assertThat(endings).hasSize(1);
        assertThat(endings.get(0)).isInstanceOf(AttemptOutcome.Failed.class);
        assertThat(endings.get(0).diagnostics())
                .contains("50000000 parameters", "give roles.ps.memoryMb", "lower roles.worker.max");
    }

    @Test
    public void sizesItselfWhenNobodyPlans() {
        job.schedulerUnreachable("connection refused");
        assertThat(containers.asks).isEmpty();

        job.waitedForScheduler();

        assertThat(containers.lastAsk())
                .isEqualTo(Map.of(
                        new RoleOnNode(Role.PARAMETER_SERVER, TargetNode.ANYWHERE),
                        1,
                        new RoleOnNode(Role.WORKER, TargetNode.ANYWHERE),
                        1));
        assertThat(job.status().sizesItself()).isTrue();
        assertThat(job.status().directive().reason()).contains("connection refused");
    }

    @Test
    public void tiesEachResizeToThePlanThatAskedForIt() {
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
    public void namesTheReasonForWhichASizeWasFirstAimedAt() {
        follow(PlanFollowerFixture.plan(7, new Allocation(1, 1), Allocation.NONE)
                .because("grows"));
        follow(PlanFollowerFixture.plan(8, new Allocation(1, 1), Allocation.NONE)
                .because("stays"));
        give(PlanFollowerFixture.PS_A);
        give(PlanFollowerFixture.WORKER_A);
        connectAll();
        coordinator.carryOut();
        job.resized(new Resize(Allocation.NONE, new Allocation(1, 1), 40, 0, Cause.STARTED));

        assertThat(journal.of("resize").get(0)).containsEntry("plan", 8L).containsEntry("reason", "grows");
        assertThat(job.status().directive().reason()).isEqualTo("stays");
    }

    @Test
    public void countsSurvivorsThatDidNotSurvive() {
        runOnPlan(7);
        assertThat(job.status().story().survivorsRestarted()).isZero();
        follow(PlanFollowerFixture.plan(8, new Allocation(1, 1), new Allocation(0, 1)));
        give(PlanFollowerFixture.WORKER_B);
        connectAll();

        job.follower().exited(List.of(new ContainerExit("container_1", 1, "gone")));
        coordinator.ready.remove(worker(1));
        coordinator.members.add(worker(1));
        job.resized(new Resize(new Allocation(1, 1), new Allocation(1, 1), 9, 5, Cause.PLANNED));

        assertThat(job.status().story().survivorsRestarted()).isEqualTo(1);
        assertThat(job.status().lostTasks()).isEqualTo(1);
    }

    @Test
    public void resultWithoutItsModelIsAFailure() {
        job.trained(new TrainingResult(
                true, "loss was flat", 100, 4, OptionalDouble.of(0.1), Optional.empty(), Optional.empty()));

        assertThat(endings).hasSize(1);
        assertThat(endings.get(0)).isInstanceOf(AttemptOutcome.Failed.class);
        assertThat(endings.get(0).diagnostics()).contains("loss was flat", "without a model", "checkpoints are kept");
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

        job.trained(result);
        job.end();

        assertThat(endings).containsExactly(new AttemptOutcome.Trained(result));
        String json = new String(ResultFile.write(job.status(), endings.get(0)), StandardCharsets.UTF_8);
        assertThat(json)
                .contains("\"heldOutAccuracy\" : 0.97", "\"converged\" : true", "\"completionSeconds\" : 1000.0")
                .contains("\"mode\" : \"asynchronous\"", "\"survivingTasksRestarted\" : 0", "\"resizes\" : [ ]");
    }

    @Test
    public void namesTheLastLossWhenTrainingCannotGoOn() {
        job.loss(new LossPoint(10, 0.9));

        job.trainingFailed("no checkpoint to resume from");

        assertThat(endings.get(0).diagnostics()).contains("no checkpoint to resume from", "step 10, loss 0.9");
    }

    @Test
    public void showsTasksTheirLogsAndThePacing() {
        runOnPlan(7);
        job.loss(new LossPoint(10, 0.9));
        job.loss(new LossPoint(20, 0.5));

        String json = new String(StatusJson.write(job.status()), StandardCharsets.UTF_8);
        String page = new String(StatusHtml.write(job.status()), StandardCharsets.UTF_8);

        assertThat(json)
                .contains("\"paced\":true", "\"task\":\"ps-0\"", "\"state\":\"member\"", "[10,0.9]")
                .contains("\"planned\":{\"ps\":1,\"workers\":1}", "\"plan\":7", "\"survivingTasksRestarted\":0");
        assertThat(page).contains("paced to a given speed function", "<svg", "/node/containerlogs/container_0/ann");
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
        job.answered(new SchedulerReply("enforce", Optional.of(directive)));
    }

    private void give(RoleOnNode seat) {
        String container = "container_" + given++;
        job.follower().granted(List.of(new TaskContainer(container, seat.place().node(), "a:8042", seat.role())));
    }

    private void connectAll() {
        nowMillis += 1;
        job.follower().tasks().in(JobTask.Phase.STARTING).forEach(task -> coordinator.ready.add(task.id()));
        job.follower().look();
    }
}
