package io.optimus.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.junit.Test;

public class EarlyRoundTest {
    private static Resources gpus(long count) {
        return Resources.of(0, 0, count);
    }

    private static QueueView queue(long budget, long ordinaryPending, long trainingHeld) {
        return new QueueView(
                "root.a",
                "",
                new ClusterSnapshot(List.of(), gpus(budget)),
                gpus(4),
                Resources.NONE,
                gpus(ordinaryPending),
                new TreeMap<>(Map.of("alice", gpus(trainingHeld))),
                new TreeMap<>(Map.of("alice", gpus(budget))),
                List.of());
    }

    @Test
    public void comesOnArrivalCompletionNodesLabelsAndQueues() {
        assertThat(EarlyRound.of(new SchedulerEvent(SchedulerEventType.APP_ADDED)))
                .contains(EarlyRound.ARRIVAL);
        assertThat(EarlyRound.of(new SchedulerEvent(SchedulerEventType.APP_REMOVED)))
                .contains(EarlyRound.COMPLETION);
        assertThat(EarlyRound.of(new SchedulerEvent(SchedulerEventType.NODE_REMOVED)))
                .contains(EarlyRound.NODES);
        assertThat(EarlyRound.of(new SchedulerEvent(SchedulerEventType.NODE_LABELS_UPDATE)))
                .contains(EarlyRound.LABELS);
        assertThat(EarlyRound.of(new SchedulerEvent(SchedulerEventType.MANAGE_QUEUE)))
                .contains(EarlyRound.QUEUES);
    }

    @Test
    public void doesNotComeWithEveryHeartbeat() {
        assertThat(EarlyRound.of(new SchedulerEvent(SchedulerEventType.NODE_UPDATE)))
                .isEmpty();
    }

    @Test
    public void hasAnAnswerForEveryEvent() {
        for (SchedulerEventType type : SchedulerEventType.values()) {
            assertThat(EarlyRound.of(new SchedulerEvent(type))).as(type.name()).isNotNull();
        }
    }

    @Test
    public void comesWhereOrdinaryDemandWaitsForWhatTrainingHoldsTooMuch() {
        assertThat(EarlyRound.of(queue(5, 3, 8))).contains(EarlyRound.ORDINARY_DEMAND);
        assertThat(EarlyRound.of(queue(5, 3, 5))).isEmpty();
    }

    @Test
    public void comesWhereTheDemandIsThatOfAnotherQueue() {
        assertThat(EarlyRound.of(queue(5, 0, 8))).contains(EarlyRound.ORDINARY_DEMAND);
        assertThat(EarlyRound.of(queue(8, 0, 8))).isEmpty();
    }
}
