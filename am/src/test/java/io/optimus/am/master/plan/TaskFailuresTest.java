package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.wire.TaskExit;
import io.optimus.model.Allocation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

/** Which failures end the job of a plan follower, and which nodes it avoids: {@link TaskFailures}. */
public final class TaskFailuresTest {
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
    public void blamesTasksThatNeverReachTheCoordinator() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(2);
        fixture.exit(worker(0), 1);
        fixture.exit(worker(1), 1);
        fixture.pass(Duration.ofSeconds(90));

        fixture.exitContainer(fixture.give(WORKER_A), TaskExit.COORDINATOR_LOST);

        assertThat(fixture.failures).as("the job has no retries left").hasSize(1);
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
    public void doesNotCountLostNodesAsFailedTasks() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1);
        for (int i = 0; i < 5; i++) {
            fixture.exit(worker(i), ContainerExitStatus.ABORTED);
            fixture.give(WORKER_A);
        }

        assertThat(fixture.failures).isEmpty();
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
}
