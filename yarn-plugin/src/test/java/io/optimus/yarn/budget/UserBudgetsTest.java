package io.optimus.yarn.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Optional;
import org.junit.Test;

public class UserBudgetsTest {
    private static final UserBudgets.Limits OPEN = new UserBudgets.Limits(gpus(10), 1, 100);

    private static Resources gpus(long count) {
        return Resources.of(0, 0, count);
    }

    private static UserState training(String name) {
        return training(name, 100);
    }

    private static UserState training(String name, long most) {
        return new UserState(name, 1, Resources.NONE, Resources.NONE, Optional.of(gpus(most)));
    }

    private static UserState ordinary(String name, long used, long pending) {
        return new UserState(name, 1, gpus(used), gpus(pending), Optional.empty());
    }

    /** Divides in order of submission among one application of each user; running tasks are those of its minimum. */
    private static UserBudgets of(Resources total, UserBudgets.Limits limits, List<UserState> users) {
        return UserBudgets.of(total, limits, users, ServingOrder.FIFO, applications(users));
    }

    private static UserBudgets asTasksEnd(Resources total, UserBudgets.Limits limits, List<UserState> users) {
        return UserBudgets.asTasksEnd(total, limits, users, ServingOrder.FIFO, applications(users));
    }

    private static List<ApplicationDemand> applications(List<UserState> users) {
        return users.stream()
                .map(user -> new ApplicationDemand(
                        user.name(),
                        0,
                        user.ordinaryUsed(),
                        user.ordinaryPending(),
                        user.training()
                                .map(most -> new ApplicationDemand.Training(user.running(), user.running(), most))))
                .toList();
    }

    @Test
    public void givesTrainingTheResourcesThatOrdinaryApplicationsNeitherHoldNorAwait() {
        UserBudgets budgets = of(gpus(10), OPEN, List.of(training("alice"), ordinary("bob", 3, 2)));
        assertThat(budgets.training()).isEqualTo(gpus(5));
        assertThat(budgets.ordinaryPending()).isEqualTo(gpus(2));
    }

    @Test
    public void theRoomOfAUserBeyondHisLimitComesFreeAsTasksEnd() {
        UserBudgets.Limits halves = new UserBudgets.Limits(gpus(8), 1, 50);
        List<UserState> users = List.of(training("alice"), ordinary("bob", 8, 100));
        assertThat(of(gpus(8), halves, users).training()).isEqualTo(Resources.NONE);
        assertThat(asTasksEnd(gpus(8), halves, users).training()).isEqualTo(gpus(4));
        assertThat(asTasksEnd(gpus(8), OPEN, users).training())
                .as("minimum-user-limit-percent lets the first user keep everything")
                .isEqualTo(of(gpus(8), OPEN, users).training());
    }

    @Test
    public void ordinaryDemandDoesNotEndRunningTraining() {
        UserState running = new UserState("alice", 1, Resources.NONE, Resources.NONE, Optional.of(gpus(100)), gpus(2));
        UserBudgets budgets = of(gpus(10), OPEN, List.of(running, ordinary("bob", 3, 100)));
        assertThat(budgets.training()).isEqualTo(gpus(2));
        assertThat(budgets.ordinaryPending()).isEqualTo(gpus(5));
        assertThat(budgets.byUser()).containsEntry("alice", gpus(10));

        UserBudgets smaller = of(gpus(4), OPEN, List.of(running, ordinary("bob", 3, 100)));
        assertThat(smaller.training()).as("what is left of the queue").isEqualTo(gpus(1));
    }

    @Test
    public void aUsersOwnOrdinaryDemandDoesNotEndItsRunningTraining() {
        UserState both = new UserState("alice", 1, gpus(1), gpus(100), Optional.of(gpus(100)), gpus(2));
        UserBudgets budgets = of(gpus(10), OPEN, List.of(both));
        assertThat(budgets.training()).isEqualTo(gpus(2));
        assertThat(budgets.byUser()).containsEntry("alice", gpus(2));
    }

    @Test
    public void countsOrdinaryDemandOnlyWithinTheUsersLimit() {
        UserBudgets budgets = of(
                gpus(10), new UserBudgets.Limits(gpus(4), 1, 100), List.of(training("alice"), ordinary("bob", 3, 100)));
        assertThat(budgets.ordinaryPending()).isEqualTo(gpus(1));
        assertThat(budgets.training()).isEqualTo(gpus(4));
    }

    @Test
    public void capsTrainingByItsUsersLimits() {
        UserBudgets.Limits limits = new UserBudgets.Limits(gpus(6), 1, 100);
        assertThat(of(gpus(10), limits, List.of(training("alice"))).training()).isEqualTo(gpus(6));
        UserBudgets two = of(gpus(10), limits, List.of(training("alice"), training("bob")));
        assertThat(two.training()).isEqualTo(gpus(10));
        assertThat(two.byUser()).containsEntry("alice", gpus(6)).containsEntry("bob", gpus(6));
    }

    @Test
    public void sharesAmongUsersDownToTheMinimumPercent() {
        UserBudgets.Limits limits = new UserBudgets.Limits(gpus(10), 1, 25);
        UserBudgets two = of(gpus(10), limits, List.of(training("alice"), training("bob")));
        assertThat(two.byUser()).containsEntry("alice", gpus(5)).containsEntry("bob", gpus(5));
    }

    @Test
    public void countsNoUserWhoseDemandIsMet() {
        UserBudgets budgets = of(
                gpus(8),
                new UserBudgets.Limits(gpus(8), 1, 25),
                List.of(training("alice"), training("bob"), training("carol", 1), ordinary("dave", 0, 0)));
        assertThat(budgets.byUser()).containsEntry("alice", gpus(4)).containsEntry("bob", gpus(4));
        UserBudgets alone =
                of(gpus(8), new UserBudgets.Limits(gpus(8), 1, 25), List.of(training("alice"), ordinary("bob", 2, 0)));
        assertThat(alone.training()).isEqualTo(gpus(6));
    }

    @Test
    public void weighsUsers() {
        UserState heavy = new UserState("alice", 3, Resources.NONE, Resources.NONE, Optional.of(gpus(100)));
        UserBudgets shares = of(gpus(8), new UserBudgets.Limits(gpus(8), 1, 25), List.of(heavy, training("bob")));
        assertThat(shares.byUser()).containsEntry("alice", gpus(6)).containsEntry("bob", gpus(2));

        UserState light = new UserState("alice", 0.5, Resources.NONE, Resources.NONE, Optional.of(gpus(100)));
        UserBudgets limited = of(gpus(8), new UserBudgets.Limits(gpus(4), 1, 100), List.of(light));
        assertThat(limited.training()).isEqualTo(gpus(2));

        UserState nothing = new UserState("alice", 0, Resources.NONE, Resources.NONE, Optional.of(gpus(100)));
        assertThat(of(gpus(8), OPEN, List.of(nothing)).training()).isEqualTo(Resources.NONE);
    }

    @Test
    public void limitsUsersByDominantSharesOfThePartition() {
        Resources partition = Resources.of(1000, 100, 8);
        Resources maximum = Resources.of(1000, 100, 6);
        Resources guarantee = Resources.of(250, 10, 0);
        UserState alice = training("alice");
        assertThat(UserBudgets.Limits.of(2, 100, guarantee, maximum, partition).most(alice))
                .isEqualTo(Resources.of(500, 50, 4));
        assertThat(UserBudgets.Limits.of(-1, 100, guarantee, maximum, partition).most(alice))
                .isEqualTo(maximum);
        assertThat(UserBudgets.Limits.of(2, 100, Resources.NONE, maximum, partition)
                        .most(alice))
                .isEqualTo(maximum);
    }

    @Test
    public void roundsAUsersLimitUpToAWholeGpuUnlessOtherDemandWaits() {
        UserBudgets.Limits half = new UserBudgets.Limits(gpus(7), 0.5, 100);
        assertThat(of(gpus(7), half, List.of(training("alice"))).training()).isEqualTo(gpus(4));
        UserState waiting = new UserState("alice", 1, Resources.NONE, Resources.of(1024, 1, 0), Optional.of(gpus(100)));
        assertThat(of(gpus(7), half, List.of(waiting)).training()).isEqualTo(gpus(3));
    }

    @Test
    public void servesAUsersOrdinaryDemandBeforeTraining() {
        UserBudgets budgets =
                of(gpus(10), OPEN, List.of(new UserState("alice", 1, gpus(1), gpus(4), Optional.of(gpus(100)))));
        assertThat(budgets.training()).isEqualTo(gpus(5));
        assertThat(budgets.byUser()).containsEntry("alice", gpus(5));
    }

    @Test
    public void isNeverNegative() {
        UserBudgets budgets = of(gpus(2), OPEN, List.of(training("alice"), ordinary("bob", 5, 5)));
        assertThat(budgets.training()).isEqualTo(Resources.NONE);
    }
}
