package io.optimus.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class QueueBudgetsTest {
    private static Resources gpus(long count) {
        return Resources.of(0, 0, count);
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
        assertThat(QueueBudgets.of(queues, Map.of("root.a", gpus(90)))).containsEntry("root.a", gpus(85));
    }

    @Test
    public void leavesOtherQueuesTheGuaranteeThatTheyCouldUse() {
        List<QueueState> queues = List.of(root(100), leaf("root.a", 60, 100, 90, 0), leaf("root.b", 40, 100, 10, 0));
        Map<String, Resources> totals = QueueBudgets.of(queues, Map.of("root.a", gpus(90), "root.b", gpus(50)));
        assertThat(totals).containsEntry("root.a", gpus(60)).containsEntry("root.b", gpus(40));
    }

    @Test
    public void neverGivesIdleCapacityTwice() {
        List<QueueState> queues = List.of(
                root(100),
                leaf("root.a", 40, 100, 40, 0),
                leaf("root.b", 40, 100, 30, 0),
                leaf("root.c", 20, 100, 0, 0));
        Map<String, Resources> totals = QueueBudgets.of(queues, Map.of("root.a", gpus(90), "root.b", gpus(55)));
        // b is further below its guarantee, takes 15 of c's idle 20 with it; a gets the rest.
        assertThat(totals).containsEntry("root.a", gpus(45)).containsEntry("root.b", gpus(60));
    }

    @Test
    public void keepsWithinTheMaximumOfQueueAndParents() {
        List<QueueState> queues = List.of(
                root(100),
                new QueueState("root.p", List.of("root"), false, gpus(50), gpus(70), Resources.NONE, Resources.NONE),
                leaf("root.p.a", List.of("root.p", "root"), 25, 70, 0, 0),
                leaf("root.p.b", List.of("root.p", "root"), 25, 30, 20, 0),
                leaf("root.q", 50, 100, 0, 0));
        assertThat(QueueBudgets.of(queues, Map.of("root.p.a", gpus(100)))).containsEntry("root.p.a", gpus(50));
        assertThat(QueueBudgets.of(queues, Map.of("root.p.b", gpus(100)))).containsEntry("root.p.b", gpus(30));
    }

    @Test
    public void keepsTheGuaranteeWhereOthersUseMoreThanTheirs() {
        List<QueueState> queues = List.of(root(100), leaf("root.a", 60, 100, 0, 0), leaf("root.b", 40, 100, 90, 30));
        assertThat(QueueBudgets.of(queues, Map.of("root.a", gpus(80)))).containsEntry("root.a", gpus(60));
    }
}
