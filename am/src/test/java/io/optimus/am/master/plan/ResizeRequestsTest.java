package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import java.time.Duration;
import org.junit.Test;

/** When a plan follower asks for another membership: {@link ResizeRequests}. */
public final class ResizeRequestsTest {
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
}
