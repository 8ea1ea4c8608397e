package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.A;
import static io.optimus.am.master.plan.PlanFollowerFixture.B;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.container;
import static io.optimus.am.master.plan.PlanFollowerFixture.guaranteed;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.wire.TaskExit;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

public class PlanFollowerTest {
    private static final Allocation NONE = Allocation.NONE;

    @Test
    public void requestsEachRoleOnEachNodeOfThePlan() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));

        fixture.follower.follow(plan(1, new Allocation(1, 2), new Allocation(1, 0)));

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2, PS_B, 1));
    }

    @Test
    public void startsInOneStepWhenAllTasksAreReady() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
        fixture.follower.follow(plan(1, new Allocation(1, 2), NONE));
        fixture.give(PS_A);
        fixture.give(WORKER_A);
        fixture.connectAll();
        assertThat(fixture.coordinator.targets).as("one worker is missing").isEmpty();

        fixture.give(WORKER_A);
        fixture.connectAll();

        assertThat(fixture.coordinator.targets).containsExactly(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void startsWithTheMinimumIfTheRestDoesNotCome() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 2));
        fixture.follower.follow(plan(1, new Allocation(1, 3), NONE));
        fixture.give(PS_A);
        fixture.give(WORKER_A);
        fixture.connectAll();
        fixture.pass(Duration.ofSeconds(11));
        assertThat(fixture.coordinator.targets).as("below the minimum").isEmpty();

        fixture.give(WORKER_A);
        fixture.connectAll();
        fixture.pass(Duration.ofSeconds(11));

        assertThat(fixture.coordinator.targets).containsExactly(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void aContainerThatTheSchedulerRequestedWaitsForTheDirectiveWithItsNode() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.giveGuaranteed(WORKER_B);
        assertThat(fixture.follower.staying()).isEqualTo(new Allocation(1, 1));
        assertThat(fixture.containers.released).isEmpty();

        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 2)));
        assertThat(fixture.containers.lastRequest()).as("the other worker").isEqualTo(Map.of(WORKER_B, 1));
        fixture.give(WORKER_B);
        fixture.connectAll();
        fixture.carryOut();

        assertThat(fixture.coordinator.members).isEqualTo(tasks(server(0), worker(0), worker(1), worker(2)));
        assertThat(fixture.containers.released).isEmpty();
    }

    @Test
    public void aContainerThatIsNamedAgainIsNeitherReleasedNorStartedAgain() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        String undecided = fixture.giveGuaranteed(WORKER_B);
        fixture.follower.follow(plan(2, new Allocation(1, 2), NONE));
        Map<TaskId, String> launched = Map.copyOf(fixture.containers.launched);
        String running = Objects.requireNonNull(launched.get(worker(0)));

        fixture.follower.allocated(List.of(container(running, WORKER_A), guaranteed(undecided, WORKER_B)));
        fixture.follower.runEarlier(List.of(container(running, WORKER_A), guaranteed(undecided, WORKER_B)));

        assertThat(fixture.containers.launched).isEqualTo(launched);
        assertThat(fixture.containers.released).isEmpty();
    }

    @Test
    public void aContainerOfAnEarlierAttemptThatIsReportedLateGoesBack() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);

        fixture.follower.runEarlier(List.of(container("container_late", WORKER_A)));

        assertThat(fixture.containers.released).containsExactly("container_late");
        assertThat(fixture.follower.staying()).isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void releasesAContainerThatTheSchedulerRequestedIfNoDirectiveComes() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        String container = fixture.giveGuaranteed(WORKER_B);

        fixture.pass(Duration.ofSeconds(31));

        assertThat(fixture.containers.released).containsExactly(container);
        assertThat(fixture.follower.staying()).isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void releasesAnUndecidedContainerWhenTheJobEnds() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        String undecided = fixture.giveGuaranteed(WORKER_B);
        String ended = fixture.giveGuaranteed(WORKER_B);
        fixture.follower.exited(List.of(new ContainerExit(ended, ContainerExitStatus.ABORTED, "the node was lost")));

        fixture.follower.end();

        assertThat(fixture.containers.released).contains(undecided).doesNotContain(ended);
        assertThat(fixture.lost).isEmpty();
    }

    @Test
    public void growsWithoutTouchingWhatRuns() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);

        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 1)));
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_B, 1));
        fixture.give(WORKER_B);
        fixture.connectAll();
        fixture.carryOut();

        assertThat(fixture.coordinator.members).isEqualTo(tasks(server(0), worker(0), worker(1)));
        assertThat(fixture.containers.stopped).isEmpty();
        assertThat(fixture.containers.released).isEmpty();
        assertThat(fixture.containers.lastRequest()).isEmpty();
    }

    @Test
    public void releasesOnlyContainersWhoseTasksHaveLeft() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(3);

        fixture.follower.follow(plan(2, new Allocation(1, 1), NONE));

        assertThat(fixture.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(0)));
        assertThat(fixture.containers.released).as("they have not left yet").isEmpty();
        fixture.carryOut();
        assertThat(fixture.containers.released).containsExactlyInAnyOrder("container_2", "container_3");
        assertThat(fixture.lost).isEmpty();
    }

    @Test
    public void stopsTasksOnTheNodeWhereThePlanWantsFewer() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 1)));
        fixture.give(WORKER_B);
        fixture.connectAll();
        fixture.carryOut();

        fixture.follower.follow(plan(3, new Allocation(1, 0), new Allocation(0, 1)));
        fixture.carryOut();

        assertThat(fixture.coordinator.members).isEqualTo(tasks(server(0), worker(1)));
    }

    @Test
    public void makesOneResizeOfServersUpAndWorkersDown() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);

        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));
        assertThat(fixture.coordinator.targets)
                .as("the leaving worker waits for the server")
                .hasSize(1);
        fixture.give(PS_B);
        fixture.connectAll();

        assertThat(fixture.resizes.get(1)).isEqualTo("1 ps + 2 workers -> 2 ps + 1 worker");
        assertThat(fixture.coordinator.targets).hasSize(2);
    }

    @Test
    public void shrinksAloneBeforeTheGraceTimeRunsOut() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));

        fixture.pass(Duration.ofSeconds(5));

        assertThat(fixture.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(0)));
    }

    @Test
    public void aPlanInBetweenDoesNotShortenTheWaitForStartingTasks() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0), Duration.ofSeconds(15)));
        fixture.pass(Duration.ofSeconds(4));

        fixture.follower.follow(plan(3, new Allocation(1, 1), new Allocation(1, 0), Duration.ofSeconds(11)));

        assertThat(fixture.coordinator.targets).as("a third of 15 s is 5 s").hasSize(1);
        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.coordinator.targets).hasSize(2);
    }

    @Test
    public void waitsTwoThirdsOfTheGraceTimeForTheTaskWithoutWhichTrainingWouldStop() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.follower.follow(plan(2, new Allocation(1, 0), new Allocation(0, 1), Duration.ofSeconds(30)));

        fixture.pass(Duration.ofSeconds(19));
        assertThat(fixture.coordinator.targets).as("the only worker stays").hasSize(1);

        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.coordinator.targets.get(1)).isEqualTo(tasks(server(0)));
    }

    @Test
    public void withdrawsAndSendsItsRequestsAgainWithEachPlan() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
        fixture.follower.follow(plan(1, new Allocation(1, 2), NONE));

        fixture.follower.follow(plan(2, new Allocation(1, 2), NONE));
        fixture.follower.follow(plan(3, new Allocation(1, 0), new Allocation(0, 1)));

        assertThat(fixture.containers.requests)
                .containsExactly(
                        new TreeMap<>(Map.of(PS_A, 1, WORKER_A, 2)),
                        new TreeMap<>(Map.of(PS_A, 1, WORKER_A, 2)),
                        new TreeMap<>(Map.of(PS_A, 1, WORKER_B, 1)));
    }

    @Test
    public void ignoresAnOlderPlan() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(5, new Allocation(1, 2), NONE));

        assertThat(fixture.follower.follow(plan(4, new Allocation(1, 1), NONE))).isFalse();

        assertThat(fixture.coordinator.targets).hasSize(1);
    }

    @Test
    public void releasesContainersThatThePlanDoesNotWant() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);

        String surplus = fixture.give(WORKER_A);
        String elsewhere = fixture.give(WORKER_B);

        assertThat(fixture.containers.released).containsExactly(surplus, elsewhere);
        assertThat(fixture.containers.launched).hasSize(2);
    }

    @Test
    public void followsANewerPlanWhileTasksStart() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 2)));
        String first = fixture.give(WORKER_B);
        fixture.give(WORKER_B);

        fixture.follower.follow(plan(3, new Allocation(1, 1), new Allocation(0, 1)));
        assertThat(fixture.containers.released)
                .as("the newest starting task")
                .doesNotContain(first)
                .hasSize(1);
        fixture.connectAll();

        assertThat(fixture.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void keepsATaskThatANewerPlanWantsBeforeItWasAskedToLeave() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));

        fixture.follower.follow(plan(3, new Allocation(1, 2), NONE));

        assertThat(fixture.coordinator.targets).hasSize(1);
        assertThat(fixture.containers.lastRequest()).isEmpty();
        assertThat(fixture.containers.released).isEmpty();
    }

    @Test
    public void requestsAContainerOnlyAfterTheLeavingTasksContainerHasEnded() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), NONE));

        fixture.follower.follow(plan(3, new Allocation(1, 2), NONE));
        assertThat(fixture.containers.lastRequest()).isEmpty();
        fixture.carryOut();
        assertThat(fixture.containers.lastRequest())
                .as("released, YARN has not confirmed")
                .isEmpty();
        fixture.exitContainer("container_2", ContainerExitStatus.ABORTED);

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 1));
        assertThat(fixture.lost).isEmpty();
    }

    @Test
    public void withdrawsAnUnmetRequestAndSendsItAgainLater() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 1)));

        fixture.pass(Duration.ofSeconds(31));
        assertThat(fixture.unmet).containsExactly(WORKER_B);
        assertThat(fixture.containers.lastRequest()).isEmpty();
        fixture.pass(Duration.ofSeconds(30));

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_B, 1));
    }

    @Test
    public void replacesALostWorkerOnItsNodeWithoutRestartingTheOthers() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);

        fixture.exit(worker(1), 1);
        assertThat(fixture.coordinator.lost).containsExactly(worker(1));
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 1));
        fixture.give(WORKER_A);
        fixture.connectAll();
        fixture.carryOut();

        assertThat(fixture.coordinator.members).isEqualTo(tasks(server(0), worker(0), worker(2)));
        assertThat(fixture.containers.stopped).isEmpty();
        assertThat(fixture.failures).isEmpty();
    }

    @Test
    public void failsTheJobWithTheTaskItsStatusNodeAndLogWhenTooManyFail() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.exit(worker(0), 1);
        fixture.pass(Duration.ofMinutes(6));
        String second = fixture.give(WORKER_A);
        fixture.exitContainer(second, 1);
        fixture.pass(Duration.ofMinutes(6));
        assertThat(fixture.failures).isEmpty();

        String third = fixture.give(WORKER_A);
        fixture.follower.fellSilent(worker(2), "its program failed");
        fixture.exitContainer(third, 137);

        assertThat(fixture.failures).hasSize(1);
        assertThat(fixture.failures.get(0))
                .contains("worker-2", "exit status 137", "a:1", "log of " + third, "its program failed", "it broke");
    }

    @Test
    public void avoidsANodeWhereTasksFailedOftenAndTellsYarn() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(3);
        fixture.exit(worker(0), 1);
        assertThat(fixture.containers.avoided).isEmpty();

        fixture.exit(worker(1), 1);
        assertThat(fixture.containers.lastRequest()).isEmpty();
        assertThat(fixture.containers.avoided).containsExactly(List.of("a:1"));
        fixture.pass(Duration.ofMinutes(4));
        assertThat(fixture.containers.lastRequest())
                .as("it runs at its minimum")
                .isEmpty();

        fixture.pass(Duration.ofMinutes(1));
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 2));
        assertThat(fixture.containers.avoided).containsExactly(List.of("a:1"), List.of());
    }

    @Test
    public void startsOnAnotherNodeWhenThePlanGoesAroundAnAvoidedOne() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.exit(worker(0), 1);
        fixture.exit(worker(1), 1);

        fixture.follower.follow(plan(2, new Allocation(1, 0), new Allocation(0, 1)));
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_B, 1));
        fixture.give(WORKER_B);
        fixture.pass(Duration.ofMinutes(2));

        assertThat(fixture.containers.avoided).as("still avoided").containsExactly(List.of("a:1"));
    }

    @Test
    public void usesAnAvoidedNodeAgainAfterTheBackOffIfTheJobIsBelowItsMinimum() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.exit(worker(0), 1);
        fixture.exit(worker(1), 1);
        fixture.pass(Duration.ofSeconds(89));
        assertThat(fixture.containers.lastRequest()).isEmpty();

        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.containers.avoided).containsExactly(List.of("a:1"), List.of());
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 2));

        fixture.exitContainer(fixture.give(WORKER_A), 1);
        assertThat(fixture.failures).as("the job has no retries left").hasSize(1);
    }

    @Test
    public void blamesNoTaskThatHadConnectedAndLostTheCoordinator() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        for (int i = 0; i < 4; i++) {
            fixture.exit(worker(i), TaskExit.COORDINATOR_LOST);
        }

        assertThat(fixture.lost).hasSize(4);
        assertThat(fixture.failures).as("2 retries").isEmpty();
        assertThat(fixture.containers.avoided).isEmpty();
    }

    @Test
    public void blamesNoTaskWhileTheStoreOfItsFilesFails() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        for (int i = 0; i < 4; i++) {
            fixture.exit(worker(i), ContainerExitStatus.INVALID);
        }
        assertThat(fixture.lost).hasSize(4);
        assertThat(fixture.failures).as("2 retries").isEmpty();
        assertThat(fixture.containers.avoided)
                .as("waits before it tries there again")
                .isNotEmpty();

        for (int i = 0; i < 3; i++) {
            fixture.pass(Duration.ofMinutes(6));
            fixture.exitContainer(fixture.give(WORKER_A), ContainerExitStatus.INVALID);
        }
        assertThat(fixture.failures).isEmpty();
        fixture.pass(Duration.ofMinutes(6));
        fixture.exitContainer(fixture.give(WORKER_A), ContainerExitStatus.INVALID);
        assertThat(fixture.failures)
                .as("the job has no retries left")
                .singleElement()
                .asString()
                .contains("could not fetch its files");
    }

    @Test
    public void forgetsAnOutageOfTheStoreThatIsOver() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        for (int i = 0; i < 3; i++) {
            fixture.exit(worker(i), ContainerExitStatus.INVALID);
        }
        fixture.pass(Duration.ofMinutes(6));
        fixture.give(WORKER_A);
        fixture.connectAll();
        fixture.pass(Duration.ofMinutes(20));

        for (int i = 0; i < 3; i++) {
            fixture.exitContainer(fixture.give(WORKER_A), ContainerExitStatus.INVALID);
        }

        assertThat(fixture.failures).as("2 retries").isEmpty();
    }

    @Test
    public void anOutageDoesNotBeginWithAFailureOfLongAgo() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        fixture.exit(worker(3), ContainerExitStatus.INVALID);
        fixture.follower.follow(plan(2, new Allocation(1, 3), NONE));
        fixture.pass(Duration.ofMinutes(25));

        for (int i = 0; i < 3; i++) {
            fixture.exit(worker(i), ContainerExitStatus.INVALID);
        }

        assertThat(fixture.failures).as("2 retries").isEmpty();
    }

    @Test
    public void countsTasksOfANodeThatFailsWhileTheyStartOnce() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 4)));
        for (int i = 0; i < 3; i++) {
            fixture.give(WORKER_B);
        }
        String refused = fixture.give(WORKER_B);
        fixture.pass(Duration.ofSeconds(40));
        fixture.follower.launchFailed(refused, "No route to host");

        fixture.pass(Duration.ofSeconds(21));

        assertThat(fixture.lost).hasSize(4);
        assertThat(fixture.failures).as("2 retries").isEmpty();
        assertThat(fixture.containers.avoided).containsExactly(List.of("b:1"));
    }

    @Test
    public void aTaskThatHasConnectedWasStarted() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);

        fixture.follower.launchFailed(
                Objects.requireNonNull(fixture.containers.launched.get(worker(1))), "already is running on this node");

        fixture.follower.follow(plan(2, new Allocation(1, 3), NONE));
        String loads = fixture.give(WORKER_A);
        fixture.coordinator.loading.add(worker(2));
        fixture.follower.launchFailed(loads, "already is running on this node");

        assertThat(fixture.lost).isEmpty();
        assertThat(fixture.containers.released).isEmpty();
    }

    @Test
    public void requestsAContainerAgainIfYarnNeverConfirmsTheEndOfTheLastOne() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.fellSilent(worker(0), "connection lost");
        fixture.pass(Duration.ofSeconds(6));
        assertThat(fixture.containers.lastRequest()).as("the ceiling").isEmpty();

        fixture.pass(Duration.ofSeconds(121));

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 1));
    }

    @Test
    public void blamesTasksThatDoNotStartOnAnyNode() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.follower.follow(plan(2, new Allocation(1, 2), new Allocation(0, 1)));
        String first = fixture.give(WORKER_A);
        fixture.follower.launchFailed(first, "no such file");
        fixture.follower.launchFailed(fixture.give(WORKER_B), "no such file");
        fixture.exitContainer(first, ContainerExitStatus.ABORTED);
        assertThat(fixture.failures).as("2 retries").isEmpty();
        String third = fixture.give(WORKER_A);
        fixture.pass(Duration.ofSeconds(31));
        fixture.follower.launchFailed(third, "no such file");

        assertThat(fixture.failures).as("the job has no retries left").hasSize(1);
    }

    @Test
    public void blamesTasksThatRunOutOfMemory() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        for (int i = 0; i < 3; i++) {
            fixture.exit(worker(i), TaskExit.OUT_OF_MEMORY);
        }

        assertThat(fixture.failures)
                .singleElement()
                .asString()
                .contains("ran out of memory", "has 1000 MiB: set roles.worker.memoryMb to 1500");
    }

    @Test
    public void givesTasksThatRunOutOfMemoryMoreWhereTheJobFileLetsIt() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(
                3, JobSpecs.emulated("roles.worker.memory=auto", "roles.worker.memoryMb=1000"));
        fixture.containers.mostMemoryMb = 2_000;
        fixture.exit(worker(0), ContainerExitStatus.KILLED_EXCEEDED_PMEM);
        assertThat(fixture.containers.memoryMb).containsOnly(entry(Role.WORKER, 1_500L));
        assertThat(fixture.containers.lastRequest()).containsEntry(WORKER_A, 1);
        String requestedBefore = fixture.give(WORKER_A, 1_000);
        assertThat(fixture.containers.released).as("too small").contains(requestedBefore);

        fixture.exit(worker(1), TaskExit.OUT_OF_MEMORY);
        fixture.exit(worker(2), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.containers.memoryMb).as("others have more already").containsEntry(Role.WORKER, 1_500L);

        fixture.exitContainer(fixture.give(WORKER_A, 1_500), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.containers.memoryMb).as("as much as YARN grants").containsEntry(Role.WORKER, 2_000L);
        assertThat(fixture.raised).containsExactly("WORKER 1000 -> 1500", "WORKER 1500 -> 2000");

        List<String> largest =
                Stream.generate(() -> fixture.give(WORKER_A, 2_000)).limit(3).toList();
        fixture.exitContainer(largest.get(0), TaskExit.OUT_OF_MEMORY);
        fixture.exitContainer(largest.get(1), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.failures).as("2 retries").isEmpty();
        fixture.exitContainer(largest.get(2), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.failures)
                .singleElement()
                .asString()
                .contains("YARN grants no container of more than 2000 MiB in this queue");
    }

    @Test
    public void replacesTasksThatHaveTooLittleMemory() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1, JobSpecs.emulated("roles.ps.memory=auto"));

        assertThat(fixture.follower.needs(Role.PARAMETER_SERVER, 9_000))
                .as("more than YARN grants")
                .isFalse();
        assertThat(fixture.follower.needs(Role.PARAMETER_SERVER, 1_000))
                .as("enough")
                .isTrue();
        assertThat(fixture.lost).isEmpty();

        assertThat(fixture.follower.needs(Role.PARAMETER_SERVER, 1_200)).isTrue();
        assertThat(fixture.lost).containsExactly("ps-0 " + ContainerExit.TOO_SMALL);
        assertThat(fixture.containers.memoryMb).containsOnly(entry(Role.PARAMETER_SERVER, 1_200L));
        fixture.exit(server(0), 0);
        assertThat(fixture.containers.lastRequest()).containsEntry(PS_A, 1);
        assertThat(fixture.failures).isEmpty();
    }

    @Test
    public void blamesTasksThatNeverReachTheCoordinator() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.exit(worker(0), 1);
        fixture.exit(worker(1), 1);
        fixture.pass(Duration.ofSeconds(90));

        fixture.exitContainer(fixture.give(WORKER_A), TaskExit.COORDINATOR_LOST);

        assertThat(fixture.failures).as("the job has no retries left").hasSize(1);
    }

    @Test
    public void countsTasksOfANodeThatAreLostTogetherOnce() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        for (int i = 0; i < 4; i++) {
            fixture.follower.fellSilent(worker(i), "connection lost");
        }

        fixture.pass(Duration.ofSeconds(6));

        assertThat(fixture.lost).hasSize(4);
        assertThat(fixture.failures).as("2 retries").isEmpty();
        assertThat(fixture.containers.avoided).containsExactly(List.of("a:1"));
    }

    /** They read that they count as lost when they can go on, and leave. */
    @Test
    public void countsTasksThatStoodStillTogetherOnce() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        for (int i = 0; i < 4; i++) {
            fixture.follower.fellSilent(worker(i), "no sign of life");
        }
        for (int i = 0; i < 4; i++) {
            fixture.exit(worker(i), ContainerExitStatus.SUCCESS);
        }

        assertThat(fixture.lost).hasSize(4).contains("worker-0 " + ContainerExit.SILENT);
        assertThat(fixture.failures).as("2 retries").isEmpty();
    }

    @Test
    public void countsANetworkThatFailsOnceHoweverManyNodesAreBehindIt() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
        fixture.follower.follow(plan(1, new Allocation(1, 1), new Allocation(0, 1)));
        fixture.give(PS_A);
        for (int time = 0; time < 2; time++) {
            String onA = fixture.give(WORKER_A);
            String onB = fixture.give(WORKER_B);
            fixture.connectAll();
            fixture.carryOut();
            fixture.pass(Duration.ofSeconds(60));
            fixture.follower.fellSilent(worker(2 * time), "no sign of life");
            fixture.follower.fellSilent(worker(2 * time + 1), "no sign of life");
            fixture.pass(Duration.ofSeconds(6));
            fixture.exitContainer(onA, ContainerExitStatus.ABORTED);
            fixture.exitContainer(onB, ContainerExitStatus.ABORTED);
        }

        assertThat(fixture.lost).hasSize(4);
        assertThat(fixture.failures).as("2 retries").isEmpty();
    }

    @Test
    public void avoidsANodeThatLostATaskAndLeavesRequestsUnmet() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.fellSilent(worker(0), "connection lost");
        fixture.pass(Duration.ofSeconds(6));
        assertThat(fixture.containers.avoided).isEmpty();
        fixture.exitContainer("container_1", ContainerExitStatus.ABORTED);
        fixture.pass(Duration.ofSeconds(20));
        fixture.follower.follow(plan(2, new Allocation(1, 2), NONE));

        fixture.pass(Duration.ofSeconds(10));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(fixture.unmet).as("a newer plan does not reset the time").containsExactly(WORKER_A);
        assertThat(fixture.containers.avoided).containsExactly(List.of("a:1"));
    }

    @Test
    public void keepsALeavingTaskIfOneThatStaysIsLost() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));

        fixture.exit(worker(0), 1);

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(PS_B, 1));
        fixture.give(PS_B);
        fixture.connectAll();
        assertThat(fixture.coordinator.targets.get(1)).isEqualTo(tasks(server(0), server(1), worker(1)));
    }

    @Test
    public void doesNotCountLostNodesAsFailedTasks() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        for (int i = 0; i < 5; i++) {
            fixture.exit(worker(i), ContainerExitStatus.ABORTED);
            fixture.give(WORKER_A);
        }

        assertThat(fixture.failures).isEmpty();
    }

    @Test
    public void doesNotRequestAPreemptedContainerAgainBeforeTheNextPlan() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);

        fixture.exit(worker(1), ContainerExitStatus.PREEMPTED);
        assertThat(fixture.containers.lastRequest()).isEmpty();
        fixture.follower.follow(plan(2, new Allocation(1, 2), NONE));

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 1));
        assertThat(fixture.failures).isEmpty();
    }

    @Test
    public void stopsTasksThatAPreemptionMessageNamesAtOnce() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 2), new Allocation(0, 1)));

        fixture.follower.preemptionRequested(List.of("container_1"));
        fixture.follower.preemptionRequested(List.of("container_1"));

        assertThat(fixture.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(1)));
        fixture.carryOut();
        assertThat(fixture.containers.released).containsExactly("container_1");
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_B, 1));
        assertThat(fixture.lost).isEmpty();
    }

    @Test
    public void stopsAllTasksOfAJobThatThePlanGivesNothing() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);

        fixture.follower.follow(plan(2, NONE, NONE));
        assertThat(fixture.coordinator.targets.get(1)).isEmpty();
        fixture.carryOut();
        assertThat(fixture.containers.released).hasSize(2);

        fixture.exitContainer("container_0", 0);
        fixture.exitContainer("container_1", 0);
        fixture.follower.follow(plan(3, new Allocation(1, 1), NONE));
        fixture.give(PS_A);
        fixture.give(WORKER_A);
        fixture.connectAll();
        assertThat(fixture.coordinator.targets.get(2)).isEqualTo(tasks(server(1), worker(1)));
    }

    @Test
    public void waitsForTheContainersExitToKnowWhyATaskWasLost() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);

        fixture.follower.fellSilent(worker(1), "connection lost");
        assertThat(fixture.lost).isEmpty();
        fixture.exit(worker(1), 139);

        assertThat(fixture.lost).containsExactly("worker-1 139");
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 1));
    }

    @Test
    public void killsALostTaskWhoseContainerGoesOn() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);

        fixture.follower.fellSilent(worker(1), "no sign of life for 15 s");
        fixture.pass(Duration.ofSeconds(6));

        assertThat(fixture.containers.released).containsExactly("container_2");
        assertThat(fixture.lost).containsExactly("worker-1 " + ContainerExit.SILENT);
    }

    @Test
    public void killsAProcessThatNeverConnects() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
        fixture.follower.follow(plan(1, new Allocation(1, 1), NONE));
        String container = fixture.give(WORKER_A);

        fixture.pass(Duration.ofSeconds(61));

        assertThat(fixture.containers.released).containsExactly(container);
        assertThat(fixture.lost).containsExactly("worker-0 " + ContainerExit.NEVER_READY);
    }

    @Test
    public void killsATaskThatDoesNotLeaveInTime() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), NONE));

        fixture.pass(Duration.ofSeconds(21));

        assertThat(fixture.coordinator.lost).containsExactly(worker(1));
        assertThat(fixture.containers.released).containsExactly("container_2");
    }

    @Test
    public void countsTheTimeToLeaveFromTheRequestToTheCoordinator() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));
        fixture.pass(Duration.ofSeconds(5));
        assertThat(fixture.coordinator.targets)
                .as("the resize does not wait for the server any more")
                .hasSize(2);

        fixture.pass(Duration.ofSeconds(19));
        assertThat(fixture.coordinator.lost).isEmpty();
        fixture.pass(Duration.ofSeconds(2));

        assertThat(fixture.coordinator.lost).containsExactly(worker(1));
    }

    @Test
    public void givesALeavingTaskTheGraceTimeIfThatIsLonger() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), NONE, Duration.ofMinutes(5)));

        fixture.pass(Duration.ofMinutes(5));
        assertThat(fixture.coordinator.lost).isEmpty();
        fixture.pass(Duration.ofSeconds(1));

        assertThat(fixture.coordinator.lost).containsExactly(worker(1));
    }

    @Test
    public void letsALeavingTaskHandOverWhileTheTrainingSwitches() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), NONE));
        fixture.coordinator.state = State.SWITCHING;

        fixture.pass(Duration.ofMinutes(4));
        assertThat(fixture.coordinator.lost).as("a step takes long").isEmpty();
        assertThat(fixture.containers.released).isEmpty();
        fixture.coordinator.state = State.STEPPING;
        fixture.follower.reconcile();

        assertThat(fixture.coordinator.lost).as("it should have left").containsExactly(worker(1));
    }

    @Test
    public void doesNotCountALeavingTaskThatIsLostAsFailed() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(3);
        fixture.follower.follow(plan(2, new Allocation(1, 1), NONE));

        fixture.follower.fellSilent(worker(1), "connection lost");
        fixture.follower.fellSilent(worker(2), "connection lost");
        fixture.exit(worker(1), 1);
        fixture.pass(Duration.ofSeconds(6));

        assertThat(fixture.containers.released).as("its container goes on").containsExactly("container_3");
        assertThat(fixture.lost).isEmpty();
        assertThat(fixture.containers.avoided).isEmpty();
    }

    @Test
    public void takesAnyNodeIfTheJobSizesItself() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
        fixture.follower.follow(Directive.onAnyNode(0, new Allocation(1, 2), "no scheduler"));
        assertThat(fixture.containers.lastRequest())
                .isEqualTo(Map.of(
                        new RoleOnNode(Role.PARAMETER_SERVER, TargetNode.ANY),
                        1,
                        new RoleOnNode(Role.WORKER, TargetNode.ANY),
                        2));
        fixture.pass(Duration.ofMinutes(10));
        assertThat(fixture.unmet)
                .as("it waits in its queue as any application does")
                .isEmpty();

        fixture.give(new RoleOnNode(Role.PARAMETER_SERVER, B));
        fixture.give(WORKER_A);
        fixture.give(WORKER_B);
        fixture.connectAll();

        assertThat(fixture.coordinator.targets).containsExactly(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void keepsTasksOnTheirNodesWhenTheSchedulerTakesOver() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
        fixture.follower.follow(Directive.onAnyNode(0, new Allocation(1, 1), "no scheduler"));
        fixture.give(PS_A);
        fixture.give(WORKER_B);
        fixture.connectAll();
        fixture.carryOut();

        fixture.follower.follow(plan(9, new Allocation(1, 0), new Allocation(0, 2)));

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_B, 1));
        assertThat(fixture.containers.released).isEmpty();
    }

    @Test
    public void doesNotCountTasksAsLostThatEndWithTheTraining() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.coordinator.state = State.ENDING;

        fixture.exit(worker(0), 0);
        fixture.exit(worker(1), 1);

        assertThat(fixture.lost).isEmpty();
        assertThat(fixture.containers.lastRequest()).isEmpty();
    }

    @Test
    public void releasesAllContainersInTheEnd() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 2), new Allocation(0, 1)));

        fixture.follower.end();
        String late = fixture.give(WORKER_B);

        assertThat(fixture.containers.lastRequest()).isEmpty();
        assertThat(fixture.containers.released).containsExactly("container_0", "container_1", "container_2", late);
        assertThat(fixture.follower.directive().tasks()).containsKey(new RoleOnNode(Role.WORKER, A));
    }

    @Test
    public void keepsAContainerUntilItGivesItBack() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        assertThat(fixture.follower.keeps(worker(0))).isTrue();

        fixture.follower.fellSilent(worker(0), "connection lost");
        assertThat(fixture.follower.keeps(worker(0))).isTrue();
        fixture.pass(Duration.ofSeconds(6));
        assertThat(fixture.follower.keeps(worker(0))).as("given back").isFalse();

        fixture.exit(worker(1), 1);
        assertThat(fixture.follower.keeps(worker(1))).as("ended").isFalse();
    }

    @Test
    public void aMemberOfAnEarlierAttemptLeavesLikeAnyOther() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
        fixture.follower.adopt(server(0), PlanFollowerFixture.container("earlier_0", PS_A));
        fixture.follower.adopt(worker(0), PlanFollowerFixture.container("earlier_1", WORKER_A));
        fixture.follower.adopt(worker(1), PlanFollowerFixture.container("earlier_2", WORKER_A));
        fixture.coordinator.members.addAll(tasks(server(0), worker(0), worker(1)));
        fixture.pass(Duration.ofHours(1));

        fixture.follower.follow(plan(1, new Allocation(1, 1), NONE));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(fixture.containers.released).as("it steps").isEmpty();
        assertThat(fixture.coordinator.releasedTasks).isEmpty();
        assertThat(fixture.coordinator.targets).containsExactly(tasks(server(0), worker(0)));
        fixture.carryOut();
        assertThat(fixture.containers.released).containsExactly("earlier_2");
    }

    /** Ten seconds pass, in which worker-1 takes five times as long for a step as the others. */
    private static void passSlowly(PlanFollowerFixture fixture) {
        fixture.coordinator.members.stream()
                .filter(task -> task.role() == Role.WORKER)
                .forEach(task -> fixture.coordinator.totals.merge(
                        task,
                        new StepTotals(10, 80, task.equals(worker(1)) ? 5 : 1, 5),
                        (before, more) -> new StepTotals(
                                before.steps() + more.steps(),
                                before.samples() + more.samples(),
                                before.ownSeconds() + more.ownSeconds(),
                                before.seconds() + more.seconds())));
        fixture.pass(Duration.ofSeconds(10));
    }

    @Test
    public void aStragglerLeavesAndAnotherTaskTakesItsPlace() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(3);

        for (int i = 0; i < 4; i++) {
            passSlowly(fixture);
        }

        assertThat(fixture.stragglers).containsExactly(worker(1));
        assertThat(fixture.coordinator.targets.get(fixture.coordinator.targets.size() - 1))
                .isEqualTo(tasks(server(0), worker(0), worker(2)));
        fixture.carryOut();
        assertThat(fixture.containers.released).hasSize(1);
        fixture.exit(worker(1), ContainerExitStatus.ABORTED);
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 1));
        fixture.give(WORKER_A);
        fixture.connectAll();
        assertThat(fixture.coordinator.targets.get(fixture.coordinator.targets.size() - 1))
                .isEqualTo(tasks(server(0), worker(0), worker(2), worker(3)));
        assertThat(fixture.lost).isEmpty();
        assertThat(fixture.failures).isEmpty();
    }

    @Test
    public void aNewPlanDoesNotKeepAStraggler() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(3);
        for (int i = 0; i < 4; i++) {
            passSlowly(fixture);
        }

        fixture.follower.follow(plan(2, new Allocation(1, 3), NONE));
        fixture.carryOut();

        assertThat(fixture.coordinator.members).isEqualTo(tasks(server(0), worker(0), worker(2)));
    }

    @Test
    public void aNodeOfStragglersIsAvoided() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(3);
        fixture.exit(worker(0), 1);
        fixture.give(WORKER_A);
        fixture.connectAll();
        fixture.carryOut();
        assertThat(fixture.follower.avoidedNodes()).isEmpty();

        for (int i = 0; i < 4; i++) {
            passSlowly(fixture);
        }

        assertThat(fixture.follower.avoidedNodes()).containsExactly(A.id());
    }
}
