package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.A;
import static io.optimus.am.master.plan.PlanFollowerFixture.B;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

public class PlanFollowerTest {
    private static final Allocation NONE = Allocation.NONE;

    @Test
    public void asksForEachRoleOnEachNodeOfThePlan() {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 1));

        bed.follower.follow(plan(1, new Allocation(1, 2), new Allocation(1, 0)));

        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2, PS_B, 1));
    }

    @Test
    public void startsInOneStepWhenAllTasksAreReady() {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 1));
        bed.follower.follow(plan(1, new Allocation(1, 2), NONE));
        bed.give(PS_A);
        bed.give(WORKER_A);
        bed.connectAll();
        assertThat(bed.coordinator.targets).as("one worker is still to come").isEmpty();

        bed.give(WORKER_A);
        bed.connectAll();

        assertThat(bed.coordinator.targets).containsExactly(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void startsWithTheMinimumWhenTheRestDoesNotCome() {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 2));
        bed.follower.follow(plan(1, new Allocation(1, 3), NONE));
        bed.give(PS_A);
        bed.give(WORKER_A);
        bed.connectAll();
        bed.pass(Duration.ofSeconds(11));
        assertThat(bed.coordinator.targets).as("below the minimum").isEmpty();

        bed.give(WORKER_A);
        bed.connectAll();
        bed.pass(Duration.ofSeconds(11));

        assertThat(bed.coordinator.targets).containsExactly(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void growsWithoutTouchingWhatRuns() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);

        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 1)));
        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_B, 1));
        bed.give(WORKER_B);
        bed.connectAll();
        bed.carryOut();

        assertThat(bed.coordinator.members).isEqualTo(tasks(server(0), worker(0), worker(1)));
        assertThat(bed.launcher.stopped).isEmpty();
        assertThat(bed.containers.released).isEmpty();
        assertThat(bed.containers.lastAsk()).isEmpty();
    }

    @Test
    public void releasesOnlyWhatHasLeft() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(3);

        bed.follower.follow(plan(2, new Allocation(1, 1), NONE));

        assertThat(bed.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(0)));
        assertThat(bed.containers.released).as("they have not left yet").isEmpty();
        bed.carryOut();
        assertThat(bed.containers.released).containsExactlyInAnyOrder("container_2", "container_3");
        assertThat(bed.lost).isEmpty();
    }

    @Test
    public void givesUpTasksWhereThePlanWantsFewer() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);
        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 1)));
        bed.give(WORKER_B);
        bed.connectAll();
        bed.carryOut();

        bed.follower.follow(plan(3, new Allocation(1, 0), new Allocation(0, 1)));
        bed.carryOut();

        assertThat(bed.coordinator.members).isEqualTo(tasks(server(0), worker(1)));
    }

    @Test
    public void makesOneResizeOfServersUpAndWorkersDown() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);

        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));
        assertThat(bed.coordinator.targets)
                .as("the leaver waits for the server")
                .hasSize(1);
        bed.give(PS_B);
        bed.connectAll();

        assertThat(bed.resizes.get(1)).isEqualTo("1 ps + 2 workers -> 2 ps + 1 worker");
        assertThat(bed.coordinator.targets).hasSize(2);
    }

    @Test
    public void shrinksAloneBeforeTheGraceTimeRunsOut() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));

        bed.pass(Duration.ofSeconds(5));

        assertThat(bed.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(0)));
    }

    @Test
    public void withdrawsAndSendsItsAsksAgainWithEachPlan() {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 1));
        bed.follower.follow(plan(1, new Allocation(1, 2), NONE));

        bed.follower.follow(plan(2, new Allocation(1, 2), NONE));
        bed.follower.follow(plan(3, new Allocation(1, 0), new Allocation(0, 1)));

        assertThat(bed.containers.asks)
                .containsExactly(
                        new TreeMap<>(Map.of(PS_A, 1, WORKER_A, 2)),
                        new TreeMap<>(Map.of(PS_A, 1, WORKER_A, 2)),
                        new TreeMap<>(Map.of(PS_A, 1, WORKER_B, 1)));
    }

    @Test
    public void ignoresAnOlderPlan() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(5, new Allocation(1, 2), NONE));

        assertThat(bed.follower.follow(plan(4, new Allocation(1, 1), NONE))).isFalse();

        assertThat(bed.coordinator.targets).hasSize(1);
    }

    @Test
    public void releasesContainersThatNoPlanWants() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);

        String surplus = bed.give(WORKER_A);
        String elsewhere = bed.give(WORKER_B);

        assertThat(bed.containers.released).containsExactly(surplus, elsewhere);
        assertThat(bed.launcher.launched).hasSize(2);
    }

    @Test
    public void adaptsWhenANewerPlanComesWhileTasksStart() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);
        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 2)));
        String first = bed.give(WORKER_B);
        bed.give(WORKER_B);

        bed.follower.follow(plan(3, new Allocation(1, 1), new Allocation(0, 1)));
        assertThat(bed.containers.released)
                .as("the newest starting one")
                .doesNotContain(first)
                .hasSize(1);
        bed.connectAll();

        assertThat(bed.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void keepsATaskThatANewerPlanWantsBeforeItWasToldToLeave() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));

        bed.follower.follow(plan(3, new Allocation(1, 2), NONE));

        assertThat(bed.coordinator.targets).hasSize(1);
        assertThat(bed.containers.lastAsk()).isEmpty();
        assertThat(bed.containers.released).isEmpty();
    }

    @Test
    public void asksForAPlaceOnlyAfterItsLeaverIsGone() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), NONE));

        bed.follower.follow(plan(3, new Allocation(1, 2), NONE));
        assertThat(bed.containers.lastAsk()).isEmpty();
        bed.carryOut();
        assertThat(bed.containers.lastAsk())
                .as("released, YARN has not confirmed")
                .isEmpty();
        bed.exitContainer("container_2", ContainerExitStatus.ABORTED);

        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_A, 1));
        assertThat(bed.lost).isEmpty();
    }

    @Test
    public void withdrawsAnAskThatIsNotMetAndTriesAgainLater() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);
        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 1)));

        bed.pass(Duration.ofSeconds(31));
        assertThat(bed.unmet).containsExactly(WORKER_B);
        assertThat(bed.containers.lastAsk()).isEmpty();
        bed.pass(Duration.ofSeconds(30));

        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_B, 1));
    }

    @Test
    public void replacesALostWorkerAtItsPlaceWithoutRestartingTheOthers() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);

        bed.exit(worker(1), 1);
        assertThat(bed.coordinator.lost).containsExactly(worker(1));
        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_A, 1));
        bed.give(WORKER_A);
        bed.connectAll();
        bed.carryOut();

        assertThat(bed.coordinator.members).isEqualTo(tasks(server(0), worker(0), worker(2)));
        assertThat(bed.launcher.stopped).isEmpty();
        assertThat(bed.failures).isEmpty();
    }

    @Test
    public void failsTheJobWithTheTaskItsStatusNodeAndLogWhenTooManyFail() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);
        bed.exit(worker(0), 1);
        bed.pass(Duration.ofMinutes(6));
        String second = bed.give(WORKER_A);
        bed.exitContainer(second, 1);
        bed.pass(Duration.ofMinutes(6));
        assertThat(bed.failures).isEmpty();

        String third = bed.give(WORKER_A);
        bed.exitContainer(third, 137);

        assertThat(bed.failures).hasSize(1);
        assertThat(bed.failures.get(0))
                .contains("worker-2", "exit status 137", "a:1", "containerlogs/" + third + "/ann", "it broke");
    }

    @Test
    public void avoidsANodeWhereTasksFailedOftenAndHasYarnKnow() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(3);
        bed.exit(worker(0), 1);
        assertThat(bed.containers.avoided).isEmpty();

        bed.exit(worker(1), 1);
        assertThat(bed.containers.lastAsk()).isEmpty();
        assertThat(bed.containers.avoided).containsExactly(List.of("a:1"));
        bed.pass(Duration.ofMinutes(4));
        assertThat(bed.containers.lastAsk()).as("it runs at its minimum").isEmpty();

        bed.pass(Duration.ofMinutes(1));
        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_A, 2));
        assertThat(bed.containers.avoided).containsExactly(List.of("a:1"), List.of());
    }

    @Test
    public void startsElsewhereWhenThePlanGoesAroundAnAvoidedNode() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.exit(worker(0), 1);
        bed.exit(worker(1), 1);

        bed.follower.follow(plan(2, new Allocation(1, 0), new Allocation(0, 1)));
        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_B, 1));
        bed.give(WORKER_B);
        bed.pass(Duration.ofMinutes(2));

        assertThat(bed.containers.avoided).as("still avoided").containsExactly(List.of("a:1"));
    }

    @Test
    public void usesAnAvoidedNodeAgainAfterABackOffWhenTheJobIsBelowItsMinimum() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.exit(worker(0), 1);
        bed.exit(worker(1), 1);
        bed.pass(Duration.ofSeconds(89));
        assertThat(bed.containers.lastAsk()).isEmpty();

        bed.pass(Duration.ofSeconds(1));
        assertThat(bed.containers.avoided).containsExactly(List.of("a:1"), List.of());
        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_A, 2));

        bed.exitContainer(bed.give(WORKER_A), 1);
        assertThat(bed.failures).as("the job has no retries left").hasSize(1);
    }

    @Test
    public void countsTasksThatFallSilentTogetherOnANodeOnce() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(4);
        for (int i = 0; i < 4; i++) {
            bed.follower.silent(worker(i), "connection lost");
        }

        bed.pass(Duration.ofSeconds(6));

        assertThat(bed.lost).hasSize(4);
        assertThat(bed.failures).as("2 retries").isEmpty();
        assertThat(bed.containers.avoided).containsExactly(List.of("a:1"));
    }

    @Test
    public void avoidsANodeThatLostATaskAndGivesNothingSince() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.silent(worker(0), "connection lost");
        bed.pass(Duration.ofSeconds(6));
        assertThat(bed.containers.avoided).isEmpty();
        bed.exitContainer("container_1", ContainerExitStatus.ABORTED);
        bed.pass(Duration.ofSeconds(20));
        bed.follower.follow(plan(2, new Allocation(1, 2), NONE));

        bed.pass(Duration.ofSeconds(10));
        bed.pass(Duration.ofSeconds(1));

        assertThat(bed.unmet).as("a newer plan does not make up for it").containsExactly(WORKER_A);
        assertThat(bed.containers.avoided).containsExactly(List.of("a:1"));
    }

    @Test
    public void keepsALeaverInTheStepsWhenOneThatStaysIsLost() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));

        bed.exit(worker(0), 1);

        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(PS_B, 1));
        bed.give(PS_B);
        bed.connectAll();
        assertThat(bed.coordinator.targets.get(1)).isEqualTo(tasks(server(0), server(1), worker(1)));
    }

    @Test
    public void doesNotBlameTasksForLostNodes() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);
        for (int i = 0; i < 5; i++) {
            bed.exit(worker(i), ContainerExitStatus.ABORTED);
            bed.give(WORKER_A);
        }

        assertThat(bed.failures).isEmpty();
    }

    @Test
    public void doesNotAskAgainForWhatTheSchedulerTookBackBeforeTheNextPlan() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);

        bed.exit(worker(1), ContainerExitStatus.PREEMPTED);
        assertThat(bed.containers.lastAsk()).isEmpty();
        bed.follower.follow(plan(2, new Allocation(1, 2), NONE));

        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_A, 1));
        assertThat(bed.failures).isEmpty();
    }

    @Test
    public void leavesWhatAPreemptionMessageNamesAtOnce() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 2), new Allocation(0, 1)));

        bed.follower.preempted(List.of("container_1"));
        bed.follower.preempted(List.of("container_1"));

        assertThat(bed.coordinator.targets.get(1)).isEqualTo(tasks(server(0), worker(1)));
        bed.carryOut();
        assertThat(bed.containers.released).containsExactly("container_1");
        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_B, 1));
        assertThat(bed.lost).isEmpty();
    }

    @Test
    public void suspendsAJobThatThePlanLeavesNothing() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(1);

        bed.follower.follow(plan(2, NONE, NONE));
        assertThat(bed.coordinator.targets.get(1)).isEmpty();
        bed.carryOut();
        assertThat(bed.containers.released).hasSize(2);

        bed.exitContainer("container_0", 0);
        bed.exitContainer("container_1", 0);
        bed.follower.follow(plan(3, new Allocation(1, 1), NONE));
        bed.give(PS_A);
        bed.give(WORKER_A);
        bed.connectAll();
        assertThat(bed.coordinator.targets.get(2)).isEqualTo(tasks(server(1), worker(1)));
    }

    @Test
    public void waitsForTheContainersEndToLearnWhyATaskWentSilent() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);

        bed.follower.silent(worker(1), "connection lost");
        assertThat(bed.lost).isEmpty();
        bed.exit(worker(1), 139);

        assertThat(bed.lost).containsExactly("worker-1 139");
        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_A, 1));
    }

    @Test
    public void killsASilentTaskWhoseContainerGoesOn() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);

        bed.follower.silent(worker(1), "no sign of life for 15 s");
        bed.pass(Duration.ofSeconds(6));

        assertThat(bed.containers.released).containsExactly("container_2");
        assertThat(bed.lost).containsExactly("worker-1 " + ContainerExit.SILENT);
    }

    @Test
    public void givesUpAProcessThatNeverConnects() {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 1));
        bed.follower.follow(plan(1, new Allocation(1, 1), NONE));
        String container = bed.give(WORKER_A);

        bed.pass(Duration.ofSeconds(61));

        assertThat(bed.containers.released).containsExactly(container);
        assertThat(bed.lost).containsExactly("worker-0 " + ContainerExit.NEVER_READY);
    }

    @Test
    public void givesUpALeaverThatDoesNotLeave() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), NONE));

        bed.pass(Duration.ofSeconds(21));

        assertThat(bed.coordinator.lost).containsExactly(worker(1));
        assertThat(bed.containers.released).containsExactly("container_2");
    }

    @Test
    public void countsALeaversTimeFromWhenTheTrainingWasAsked() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));
        bed.pass(Duration.ofSeconds(5));
        assertThat(bed.coordinator.targets)
                .as("nobody waits for the server any more")
                .hasSize(2);

        bed.pass(Duration.ofSeconds(19));
        assertThat(bed.coordinator.lost).isEmpty();
        bed.pass(Duration.ofSeconds(2));

        assertThat(bed.coordinator.lost).containsExactly(worker(1));
    }

    @Test
    public void givesALeaverTheGraceTimeWhereThatIsLonger() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), NONE, Duration.ofMinutes(5)));

        bed.pass(Duration.ofMinutes(5));
        assertThat(bed.coordinator.lost).isEmpty();
        bed.pass(Duration.ofSeconds(1));

        assertThat(bed.coordinator.lost).containsExactly(worker(1));
    }

    @Test
    public void leavesALeaverToHandOverWhileTheTrainingSwitches() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 1), NONE));
        bed.coordinator.state = State.SWITCHING;

        bed.pass(Duration.ofMinutes(4));
        assertThat(bed.coordinator.lost).as("a step takes long").isEmpty();
        assertThat(bed.containers.released).isEmpty();
        bed.coordinator.state = State.STEPPING;
        bed.follower.look();

        assertThat(bed.coordinator.lost).as("it should have left").containsExactly(worker(1));
    }

    @Test
    public void doesNotBlameALeaverThatFallsSilent() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(3);
        bed.follower.follow(plan(2, new Allocation(1, 1), NONE));

        bed.follower.silent(worker(1), "connection lost");
        bed.follower.silent(worker(2), "connection lost");
        bed.exit(worker(1), 1);
        bed.pass(Duration.ofSeconds(6));

        assertThat(bed.containers.released).as("its container goes on").containsExactly("container_3");
        assertThat(bed.lost).isEmpty();
        assertThat(bed.containers.avoided).isEmpty();
    }

    @Test
    public void takesWhateverNodeYarnGivesWhenTheJobSizesItself() {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 1));
        bed.follower.follow(Directive.anywhere(0, new Allocation(1, 2), "no scheduler"));
        assertThat(bed.containers.lastAsk())
                .isEqualTo(Map.of(
                        new RoleOnNode(Role.PARAMETER_SERVER, TargetNode.ANYWHERE),
                        1,
                        new RoleOnNode(Role.WORKER, TargetNode.ANYWHERE),
                        2));
        bed.pass(Duration.ofMinutes(10));
        assertThat(bed.unmet).as("it waits in its queue like any application").isEmpty();

        bed.give(new RoleOnNode(Role.PARAMETER_SERVER, B));
        bed.give(WORKER_A);
        bed.give(WORKER_B);
        bed.connectAll();

        assertThat(bed.coordinator.targets).containsExactly(tasks(server(0), worker(0), worker(1)));
    }

    @Test
    public void keepsTasksInPlaceWhenTheSchedulerTakesOver() {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 1));
        bed.follower.follow(Directive.anywhere(0, new Allocation(1, 1), "no scheduler"));
        bed.give(PS_A);
        bed.give(WORKER_B);
        bed.connectAll();
        bed.carryOut();

        bed.follower.follow(plan(9, new Allocation(1, 0), new Allocation(0, 2)));

        assertThat(bed.containers.lastAsk()).isEqualTo(Map.of(WORKER_B, 1));
        assertThat(bed.containers.released).isEmpty();
    }

    @Test
    public void takesTasksThatEndForGrantedWhenTrainingEnds() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.coordinator.state = State.ENDING;

        bed.exit(worker(0), 0);
        bed.exit(worker(1), 1);

        assertThat(bed.lost).isEmpty();
        assertThat(bed.containers.lastAsk()).isEmpty();
    }

    @Test
    public void givesEverythingBackInTheEnd() {
        PlanFollowerFixture bed = PlanFollowerFixture.running(2);
        bed.follower.follow(plan(2, new Allocation(1, 2), new Allocation(0, 1)));

        bed.follower.end();
        String late = bed.give(WORKER_B);

        assertThat(bed.containers.lastAsk()).isEmpty();
        assertThat(bed.containers.released).containsExactly("container_0", "container_1", "container_2", late);
        assertThat(bed.follower.directive().seats()).containsKey(new RoleOnNode(Role.WORKER, A));
    }
}
