package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.plan;
import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static io.optimus.model.Allocation.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.StepTotals;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

/** What a plan follower does with the stragglers that {@link Stragglers} finds. */
public final class StragglerReplacementTest {
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
}
