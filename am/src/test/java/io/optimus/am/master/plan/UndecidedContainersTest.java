package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.container;
import static io.optimus.am.master.plan.PlanFollowerFixture.guaranteed;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

/** Containers that come before the directive with their node: {@link UndecidedContainers}. */
public final class UndecidedContainersTest {
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
}
