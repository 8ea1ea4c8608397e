package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.Map;
import org.junit.Test;

public class CurrentPlanTest {
    private final CurrentPlan allowance = new CurrentPlan();
    private final JobTasks tasks = new JobTasks(1);

    @Test
    public void allowsNothingBeforeTheFirstPlan() {
        assertThat(allowance.seats()).isEmpty();
        assertThat(allowance.directive()).isEqualTo(Directive.NONE);
    }

    @Test
    public void allowsTheSeatsOfThePlanLessThoseThatWereTakenBack() {
        allowance.takeUp(plan(7, 2));
        assertThat(allowance.seats()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2));

        allowance.forgo(workerOnA());

        assertThat(allowance.seats()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 1));
    }

    @Test
    public void allowsNoFewerThanNone() {
        allowance.takeUp(plan(7, 1));

        allowance.forgo(workerOnA());
        allowance.forgo(workerOnA());

        assertThat(allowance.seats()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 0));
    }

    @Test
    public void theNextPlanAllowsItsSeatsWhateverWasTakenBackUnderTheLast() {
        allowance.takeUp(plan(7, 2));
        allowance.forgo(workerOnA());

        assertThat(allowance.takeUp(plan(8, 2))).isTrue();

        assertThat(allowance.seats()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2));
    }

    @Test
    public void noPlanIsTakenUpTwiceNorAfterANewerOne() {
        allowance.takeUp(plan(7, 2));
        allowance.forgo(workerOnA());

        assertThat(allowance.takeUp(plan(7, 2))).isFalse();
        assertThat(allowance.takeUp(plan(6, 3))).isFalse();

        assertThat(allowance.directive().plan()).isEqualTo(7);
        assertThat(allowance.seats()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 1));
    }

    @Test
    public void aPlanOfItsOwnIsTakenUpAfterAnyOfTheSchedulerAndTheOtherWayRound() {
        allowance.takeUp(plan(7, 2));

        assertThat(allowance.takeUp(Directive.anywhere(1, new Allocation(1, 1), "alone")))
                .isTrue();
        assertThat(allowance.seats())
                .isEqualTo(Map.of(
                        new RoleOnNode(Role.PARAMETER_SERVER, TargetNode.ANYWHERE),
                        1,
                        new RoleOnNode(Role.WORKER, TargetNode.ANYWHERE),
                        1));
        assertThat(allowance.takeUp(plan(1, 2))).isTrue();
    }

    private JobTask workerOnA() {
        return tasks.add(new TaskContainer("container_1", "a:1", "a:8042", Role.WORKER), 0);
    }

    private static Directive plan(long number, int workers) {
        return PlanFollowerFixture.plan(number, new Allocation(1, workers), Allocation.NONE);
    }
}
