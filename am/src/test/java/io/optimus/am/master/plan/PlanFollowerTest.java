package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.A;
import static io.optimus.am.master.plan.PlanFollowerFixture.B;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.container;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class PlanFollowerTest {
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

    @Test
    public void aContainerOfAnEarlierAttemptThatIsReportedLateGoesBack() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);

        fixture.follower.runEarlier(List.of(container("container_late", WORKER_A)));

        assertThat(fixture.containers.released).containsExactly("container_late");
        assertThat(fixture.follower.staying()).isEqualTo(new Allocation(1, 1));
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

    /** Saving and evaluating may take hours; what YARN gives then would be idle. */
    @Test
    public void requestsNothingWhileTrainingEnds() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        fixture.follower.follow(plan(2, new Allocation(1, 1), new Allocation(0, 2)));
        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_B, 2));
        String undecided = fixture.giveGuaranteed(WORKER_A);

        fixture.coordinator.state = State.ENDING;
        fixture.follower.reconcile();
        assertThat(fixture.containers.lastRequest()).isEmpty();
        String late = fixture.give(WORKER_B);
        String guaranteed = fixture.giveGuaranteed(WORKER_B);
        assertThat(fixture.containers.released).containsExactly(undecided, late, guaranteed);

        fixture.coordinator.state = State.STEPPING;
        fixture.follower.reconcile();
        assertThat(fixture.containers.lastRequest()).as("training went back").isEqualTo(Map.of(WORKER_B, 2));
    }
}
