package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.Map;
import org.junit.Test;

public class CurrentPlanTest {
    private final CurrentPlan plan = new CurrentPlan();
    private final JobTasks tasks = new JobTasks(1, () -> 0);

    @Test
    public void hasNoTasksBeforeTheFirstPlan() {
        assertThat(plan.target()).isEmpty();
        assertThat(plan.directive()).isEqualTo(Directive.NONE);
    }

    @Test
    public void hasTheTasksOfThePlanLessThePreemptedOnes() {
        plan.take(directive(7, 2));
        assertThat(plan.target()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2));

        plan.preempted(workerOnA());

        assertThat(plan.target()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 1));
    }

    @Test
    public void aJobThatSizesItselfReplacesPreemptedTasks() {
        plan.take(Directive.onAnyNode(1, new Allocation(1, 2), "alone"));
        Map<RoleOnNode, Integer> wanted = plan.target();

        plan.preempted(workerOnA());

        assertThat(plan.target()).isEqualTo(wanted);
    }

    @Test
    public void neverGoesBelowZero() {
        plan.take(directive(7, 1));

        plan.preempted(workerOnA());
        plan.preempted(workerOnA());

        assertThat(plan.target()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 0));
    }

    @Test
    public void theNextPlanForgetsPreemptionsUnderTheLast() {
        plan.take(directive(7, 2));
        plan.preempted(workerOnA());

        assertThat(plan.take(directive(8, 2))).isTrue();

        assertThat(plan.target()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2));
    }

    @Test
    public void takesNoPlanTwiceNorAfterANewerOne() {
        plan.take(directive(7, 2));
        plan.preempted(workerOnA());

        assertThat(plan.take(directive(7, 2))).isFalse();
        assertThat(plan.take(directive(6, 3))).isFalse();

        assertThat(plan.directive().plan()).isEqualTo(7);
        assertThat(plan.target()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 1));
    }

    @Test
    public void takesAPlanOfItsOwnAfterAnyOfTheSchedulerAndTheOtherWayRound() {
        plan.take(directive(7, 2));

        assertThat(plan.take(Directive.onAnyNode(1, new Allocation(1, 1), "alone")))
                .isTrue();
        assertThat(plan.target())
                .isEqualTo(Map.of(
                        new RoleOnNode(Role.PARAMETER_SERVER, TargetNode.ANY),
                        1,
                        new RoleOnNode(Role.WORKER, TargetNode.ANY),
                        1));
        assertThat(plan.take(directive(1, 2))).isTrue();
    }

    private JobTask workerOnA() {
        return tasks.add(PlanFollowerFixture.container("container_1", WORKER_A));
    }

    private static Directive directive(long number, int workers) {
        return PlanFollowerFixture.plan(number, new Allocation(1, workers), Allocation.NONE);
    }
}
