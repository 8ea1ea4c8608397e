package io.optimus.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import java.util.List;
import org.junit.Test;

public class UserBudgetsTest {
    private static final UserBudgets.Limits OPEN = new UserBudgets.Limits(-1, 100);

    private static Resources gpus(long count) {
        return Resources.of(0, 0, count);
    }

    private static UserState training(String name) {
        return new UserState(name, Resources.NONE, Resources.NONE, true);
    }

    @Test
    public void leavesTrainingWhatOrdinaryApplicationsHoldAndWaitForNot() {
        UserBudgets budgets = UserBudgets.of(
                gpus(10), gpus(10), OPEN, List.of(training("alice"), new UserState("bob", gpus(3), gpus(2), false)));
        assertThat(budgets.training()).isEqualTo(gpus(5));
        assertThat(budgets.ordinaryPending()).isEqualTo(gpus(2));
    }

    @Test
    public void countsOrdinaryDemandOnlyWithinTheUsersLimit() {
        UserBudgets budgets = UserBudgets.of(
                gpus(10),
                gpus(4),
                new UserBudgets.Limits(1, 100),
                List.of(training("alice"), new UserState("bob", gpus(3), gpus(100), false)));
        assertThat(budgets.ordinaryPending()).isEqualTo(gpus(1));
        assertThat(budgets.training()).isEqualTo(gpus(4));
    }

    @Test
    public void capsTrainingByItsUsersLimits() {
        UserBudgets.Limits limits = new UserBudgets.Limits(1.5, 100);
        assertThat(UserBudgets.of(gpus(10), gpus(4), limits, List.of(training("alice")))
                        .training())
                .isEqualTo(gpus(6));
        UserBudgets two = UserBudgets.of(gpus(10), gpus(4), limits, List.of(training("alice"), training("bob")));
        assertThat(two.training()).isEqualTo(gpus(10));
        assertThat(two.byUser()).containsEntry("alice", gpus(6)).containsEntry("bob", gpus(6));
    }

    @Test
    public void sharesAmongUsersDownToTheMinimumPercent() {
        UserBudgets.Limits limits = new UserBudgets.Limits(-1, 25);
        UserBudgets two = UserBudgets.of(gpus(10), gpus(10), limits, List.of(training("alice"), training("bob")));
        assertThat(two.byUser()).containsEntry("alice", gpus(5)).containsEntry("bob", gpus(5));
    }

    @Test
    public void letsAUsersOrdinaryDemandGoBeforeHisTraining() {
        UserBudgets budgets =
                UserBudgets.of(gpus(10), gpus(10), OPEN, List.of(new UserState("alice", gpus(1), gpus(4), true)));
        assertThat(budgets.training()).isEqualTo(gpus(5));
        assertThat(budgets.byUser()).containsEntry("alice", gpus(5));
    }

    @Test
    public void isNeverNegative() {
        UserBudgets budgets = UserBudgets.of(
                gpus(2), gpus(2), OPEN, List.of(training("alice"), new UserState("bob", gpus(5), gpus(5), false)));
        assertThat(budgets.training()).isEqualTo(Resources.NONE);
    }
}
