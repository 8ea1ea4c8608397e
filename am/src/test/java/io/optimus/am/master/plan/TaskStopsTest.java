package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.model.Allocation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** How the surplus tasks of a plan follower leave: {@link TaskStops}. */
public final class TaskStopsTest {
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
    public void keepsATaskThatANewerPlanWantsBeforeItWasAskedToLeave() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(1, 0)));

        fixture.follower.follow(plan(3, new Allocation(1, 2), NONE));

        assertThat(fixture.coordinator.targets).hasSize(1);
        assertThat(fixture.containers.lastRequest()).isEmpty();
        assertThat(fixture.containers.released).isEmpty();
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
}
