package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.PS_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

/** What a plan follower requests of YARN, and when it does so again: {@link ContainerRequests}. */
public final class ContainerRequestsTest {
    @Test
    public void requestsEachRoleOnEachNodeOfThePlan() {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));

        fixture.follower.follow(plan(1, new Allocation(1, 2), new Allocation(1, 0)));

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2, PS_B, 1));
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
    public void requestsAContainerAgainIfYarnNeverConfirmsTheEndOfTheLastOne() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.follower.fellSilent(worker(0), "connection lost");
        fixture.pass(Duration.ofSeconds(6));
        assertThat(fixture.containers.lastRequest()).as("the ceiling").isEmpty();

        fixture.pass(Duration.ofSeconds(121));

        assertThat(fixture.containers.lastRequest()).isEqualTo(Map.of(WORKER_A, 1));
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
}
