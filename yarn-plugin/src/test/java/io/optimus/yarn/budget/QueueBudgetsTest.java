package io.optimus.yarn.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.QueueBudgets.Demand;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class QueueBudgetsTest {
    private static Resources gpus(long count) {
        return Resources.of(0, 0, count);
    }

    /** Returns a demand of training alone. */
    private static Demand wants(long most) {
        return new Demand(Resources.NONE, gpus(most));
    }

    private static QueueState leaf(String path, long guarantee, long maximum, long used, long pending) {
        return leaf(path, List.of("root"), guarantee, maximum, used, pending);
    }

    private static QueueState leaf(
            String path, List<String> above, long guarantee, long maximum, long used, long pending) {
        return new QueueState(path, above, true, gpus(guarantee), gpus(maximum), gpus(used), gpus(pending));
    }

    private static QueueState root(long capacity) {
        return new QueueState("root", List.of(), false, gpus(capacity), gpus(capacity), Resources.NONE, Resources.NONE);
    }

    @Test
    public void givesIdleCapacityOnTopOfTheGuarantee() {
        List<QueueState> queues = List.of(root(100), leaf("root.a", 60, 100, 60, 0), leaf("root.b", 40, 100, 10, 5));
        assertThat(QueueBudgets.of(queues, Map.of("root.a", wants(90)))).containsEntry("root.a", gpus(85));
    }

    @Test
    public void leavesOtherQueuesTheGuaranteeThatTheyCouldUse() {
        List<QueueState> queues = List.of(root(100), leaf("root.a", 60, 100, 90, 0), leaf("root.b", 40, 100, 10, 0));
        Map<String, Resources> totals = QueueBudgets.of(queues, Map.of("root.a", wants(90), "root.b", wants(50)));
        assertThat(totals).containsEntry("root.a", gpus(60)).containsEntry("root.b", gpus(40));
    }

    @Test
    public void neverGivesIdleCapacityTwice() {
        List<QueueState> queues = List.of(
                root(100),
                leaf("root.a", 40, 100, 40, 0),
                leaf("root.b", 40, 100, 30, 0),
                leaf("root.c", 20, 100, 0, 0));
        Map<String, Resources> totals = QueueBudgets.of(queues, Map.of("root.a", wants(90), "root.b", wants(55)));
        // The idle 20 of c are divided into equal parts.
        assertThat(totals).containsEntry("root.a", gpus(50)).containsEntry("root.b", gpus(50));
    }

    @Test
    public void dividesIdleCapacityByGuaranteesAndNotByPresentHoldings() {
        List<QueueState> queues = List.of(
                root(100),
                leaf("root.a", 40, 100, 40, 0),
                leaf("root.b", 20, 100, 50, 0),
                leaf("root.c", 10, 100, 0, 0),
                leaf("root.idle", 30, 100, 0, 0));
        Map<String, Demand> all = Map.of("root.a", wants(100), "root.b", wants(100), "root.c", wants(100));
        assertThat(QueueBudgets.of(queues, all))
                .containsEntry("root.a", gpus(57))
                .containsEntry("root.b", gpus(29))
                .containsEntry("root.c", gpus(14));
        Map<String, Demand> modest = Map.of("root.a", wants(45), "root.b", wants(100), "root.c", wants(100));
        assertThat(QueueBudgets.of(queues, modest))
                .containsEntry("root.b", gpus(37))
                .containsEntry("root.c", gpus(18));
    }

    @Test
    public void leavesOrdinaryApplicationsTheResourcesThatTheyHold() {
        List<QueueState> queues = List.of(
                root(100),
                leaf("root.a", 40, 100, 0, 0),
                leaf("root.b", 20, 100, 60, 0),
                leaf("root.c", 40, 100, 0, 0));
        Map<String, Demand> demands = Map.of("root.a", wants(100), "root.b", new Demand(gpus(60), gpus(80)));
        assertThat(QueueBudgets.of(queues, demands))
                .containsEntry("root.a", gpus(40))
                .containsEntry("root.b", gpus(60));
    }

    @Test
    public void dividesWithinTheMaximumOfAParent() {
        List<QueueState> queues = List.of(
                root(100),
                new QueueState("root.p", List.of("root"), false, gpus(40), gpus(50), Resources.NONE, Resources.NONE),
                leaf("root.p.a", List.of("root.p", "root"), 30, 50, 0, 0),
                leaf("root.p.b", List.of("root.p", "root"), 10, 50, 0, 0),
                leaf("root.q", 20, 100, 0, 0),
                leaf("root.idle", 40, 100, 0, 0));
        Map<String, Demand> all = Map.of("root.p.a", wants(100), "root.p.b", wants(100), "root.q", wants(100));
        assertThat(QueueBudgets.of(queues, all))
                .containsEntry("root.p.a", gpus(37))
                .containsEntry("root.p.b", gpus(13))
                .containsEntry("root.q", gpus(50));
    }

    @Test
    public void dividesByGuaranteesAlsoBelowOneUnitOfAResource() {
        List<QueueState> queues = List.of(
                new QueueState(
                        "root",
                        List.of(),
                        false,
                        Resources.of(1000, 0, 6),
                        Resources.of(1000, 0, 6),
                        Resources.NONE,
                        Resources.NONE),
                small("root.a", 100),
                small("root.b", 50));
        assertThat(QueueBudgets.of(queues, Map.of("root.a", wants(6), "root.b", wants(6))))
                .containsEntry("root.a", Resources.of(100, 0, 4))
                .containsEntry("root.b", Resources.of(50, 0, 2));
    }

    private static QueueState small(String path, long memoryMb) {
        return new QueueState(
                path,
                List.of("root"),
                true,
                Resources.of(memoryMb, 0, 0),
                Resources.of(memoryMb, 0, 6),
                Resources.NONE,
                Resources.NONE);
    }

    private static QueueState parent(String path, long guarantee, long maximum) {
        return new QueueState(
                path, List.of("root"), false, gpus(guarantee), gpus(maximum), Resources.NONE, Resources.NONE);
    }

    @Test
    public void leavesAQueueTheGuaranteeOfItsParentThatNoSiblingNeeds() {
        List<QueueState> queues = List.of(
                root(100),
                parent("root.p", 50, 100),
                leaf("root.p.a", List.of("root.p", "root"), 25, 100, 25, 20),
                leaf("root.p.b", List.of("root.p", "root"), 25, 100, 5, 0),
                leaf("root.q", 50, 100, 70, 0));
        assertThat(QueueBudgets.of(queues, Map.of("root.q", wants(100)))).containsEntry("root.q", gpus(50));
    }

    @Test
    public void dividesTheGuaranteeOfAParentAmongItsQueuesBeforeOthers() {
        List<QueueState> queues = List.of(
                root(100),
                parent("root.p", 60, 100),
                leaf("root.p.a", List.of("root.p", "root"), 20, 100, 0, 0),
                leaf("root.p.b", List.of("root.p", "root"), 20, 100, 0, 0),
                leaf("root.p.c", List.of("root.p", "root"), 20, 22, 20, 20),
                leaf("root.q", 40, 100, 0, 0));
        Map<String, Demand> all = Map.of("root.p.a", wants(100), "root.q", wants(100));
        assertThat(QueueBudgets.of(queues, all))
                .containsEntry("root.p.a", gpus(38))
                .containsEntry("root.q", gpus(40));
    }

    @Test
    public void keepsWithinTheMaximumOfQueueAndParents() {
        List<QueueState> queues = List.of(
                root(100),
                new QueueState("root.p", List.of("root"), false, gpus(50), gpus(70), Resources.NONE, Resources.NONE),
                leaf("root.p.a", List.of("root.p", "root"), 25, 70, 0, 0),
                leaf("root.p.b", List.of("root.p", "root"), 25, 30, 20, 0),
                leaf("root.q", 50, 100, 0, 0));
        assertThat(QueueBudgets.of(queues, Map.of("root.p.a", wants(100)))).containsEntry("root.p.a", gpus(50));
        assertThat(QueueBudgets.of(queues, Map.of("root.p.b", wants(100)))).containsEntry("root.p.b", gpus(30));
    }

    @Test
    public void keepsTheGuaranteeIfOthersExceedTheirs() {
        List<QueueState> queues = List.of(root(100), leaf("root.a", 60, 100, 0, 0), leaf("root.b", 40, 100, 90, 30));
        assertThat(QueueBudgets.of(queues, Map.of("root.a", wants(80)))).containsEntry("root.a", gpus(60));
    }
}
