package io.optimus.yarn.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.Test;

public final class ServingOrderTest {
    private static final Resources TOTAL = tasks(16);
    private static final UserBudgets.Limits OPEN = new UserBudgets.Limits(TOTAL, 1, 100);

    /** Tasks of 1 GiB, a vcore and a GPU each. */
    private static Resources tasks(long count) {
        return Resources.of(1024, 1, 1).times(count);
    }

    private static ApplicationDemand ordinary(String user, int priority, long used, long pending) {
        return new ApplicationDemand(user, priority, tasks(used), tasks(pending), Optional.empty());
    }

    private static ApplicationDemand job(int priority, long minimum, long maximum) {
        return new ApplicationDemand(
                "alice",
                priority,
                Resources.NONE,
                Resources.NONE,
                Optional.of(new ApplicationDemand.Training(Resources.NONE, tasks(minimum), tasks(maximum))));
    }

    private static Resources training(ServingOrder order, ApplicationDemand... applications) {
        return UserBudgets.of(TOTAL, OPEN, users(applications), order, List.of(applications))
                .training();
    }

    private static List<UserState> users(ApplicationDemand... applications) {
        TreeMap<String, UserState> users = new TreeMap<>();
        for (ApplicationDemand application : applications) {
            users.merge(application.user(), application.ofUser(1), UserState::plus);
        }
        return List.copyOf(users.values());
    }

    @Test
    public void anEarlierJobClaimsItsMinimumAndALaterOneWhatIsLeft() {
        assertThat(training(ServingOrder.FIFO, job(0, 4, 8), ordinary("alice", 0, 0, 100)))
                .isEqualTo(tasks(4));
        assertThat(training(ServingOrder.FIFO, ordinary("alice", 0, 0, 100), job(0, 4, 8)))
                .isEqualTo(Resources.NONE);
        assertThat(training(ServingOrder.FIFO, ordinary("bob", 0, 0, 10), job(0, 4, 8)))
                .isEqualTo(tasks(6));
    }

    @Test
    public void aMinimumWithoutRoomClaimsNothing() {
        assertThat(training(ServingOrder.FIFO, job(0, 20, 20), ordinary("alice", 0, 0, 100)))
                .isEqualTo(Resources.NONE);
    }

    @Test
    public void aLargerPriorityClaimsItsMaximum() {
        assertThat(training(ServingOrder.FIFO, ordinary("alice", 0, 0, 100), job(5, 2, 8)))
                .isEqualTo(tasks(8));
        assertThat(training(ServingOrder.FIFO, job(0, 2, 8), ordinary("alice", 5, 0, 100)))
                .isEqualTo(Resources.NONE);
    }

    @Test
    public void inTurnAllClaimEqualParts() {
        assertThat(training(ServingOrder.FAIR, ordinary("alice", 0, 0, 100), job(0, 1, 16)))
                .isEqualTo(tasks(8));
        assertThat(training(ServingOrder.FAIR, ordinary("alice", 0, 0, 4), job(0, 1, 16)))
                .isEqualTo(tasks(12));
        assertThat(training(ServingOrder.FAIR, ordinary("alice", 0, 10, 100), job(0, 1, 16)))
                .isEqualTo(tasks(6));
    }

    @Test
    public void asTasksEndAnApplicationKeepsNoMoreThanItsPart() {
        ApplicationDemand[] applications = {ordinary("alice", 0, 16, 100), job(0, 1, 16)};
        UserBudgets budgets =
                UserBudgets.asTasksEnd(TOTAL, OPEN, users(applications), ServingOrder.FAIR, List.of(applications));
        assertThat(budgets.training()).isEqualTo(tasks(8));
    }
}
