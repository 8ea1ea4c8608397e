package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.container;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.model.Allocation;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.Test;

/** When a plan follower takes a task for lost, and what happens to its container. */
public final class TaskLossTest {
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
    public void doesNotCountTasksAsLostThatEndWithTheTraining() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.coordinator.state = State.ENDING;

        fixture.exit(worker(0), 0);
        fixture.exit(worker(1), 1);

        assertThat(fixture.lost).isEmpty();
        assertThat(fixture.containers.lastRequest()).isEmpty();
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
}
