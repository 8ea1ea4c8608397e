package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.yarn.read.QueueView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.junit.Test;

public class RoundTriggerTest {
    private static Resources gpus(long count) {
        return Resources.of(0, 0, count);
    }

    private static QueueView queue(long budget, long ordinaryPending, long trainingHeld) {
        return new QueueView(
                "root.a",
                "",
                new ClusterSnapshot(List.of(), gpus(budget)),
                new QueueView.OrdinaryUsage(Resources.NONE, gpus(ordinaryPending)),
                new TreeMap<>(Map.of("alice", gpus(trainingHeld))),
                new TreeMap<>(Map.of("alice", gpus(budget))),
                QueueView.Guarantee.NONE,
                List.of());
    }

    @Test
    public void ordinaryApplicationsThatComeAndGoTriggerNothing() {
        for (SchedulerEventType type : List.of(
                SchedulerEventType.APP_ADDED,
                SchedulerEventType.APP_ATTEMPT_ADDED,
                SchedulerEventType.APP_ATTEMPT_REMOVED,
                SchedulerEventType.APP_REMOVED)) {
            assertThat(RoundTrigger.of(new SchedulerEvent(type)))
                    .as(type.name())
                    .isEmpty();
        }
    }

    @Test
    public void triggersOnNodesLabelsAndQueues() {
        assertThat(RoundTrigger.of(new SchedulerEvent(SchedulerEventType.NODE_REMOVED)))
                .contains(RoundTrigger.NODES);
        assertThat(RoundTrigger.of(new SchedulerEvent(SchedulerEventType.NODE_LABELS_UPDATE)))
                .contains(RoundTrigger.LABELS);
        assertThat(RoundTrigger.of(new SchedulerEvent(SchedulerEventType.MANAGE_QUEUE)))
                .contains(RoundTrigger.QUEUES);
    }

    @Test
    public void doesNotTriggerOnEveryHeartbeat() {
        assertThat(RoundTrigger.of(new SchedulerEvent(SchedulerEventType.NODE_UPDATE)))
                .isEmpty();
    }

    @Test
    public void handlesEveryEvent() {
        for (SchedulerEventType type : SchedulerEventType.values()) {
            assertThat(RoundTrigger.of(new SchedulerEvent(type)))
                    .as(type.name())
                    .isNotNull();
        }
    }

    @Test
    public void triggersIfOrdinaryDemandWaitsForExcessResourcesOfTraining() {
        assertThat(RoundTrigger.of(queue(5, 3, 8))).contains(RoundTrigger.ORDINARY_DEMAND);
        assertThat(RoundTrigger.of(queue(5, 3, 5))).isEmpty();
    }

    @Test
    public void triggersAlsoOnDemandOfAnotherQueue() {
        assertThat(RoundTrigger.of(queue(5, 0, 8))).contains(RoundTrigger.ORDINARY_DEMAND);
        assertThat(RoundTrigger.of(queue(8, 0, 8))).isEmpty();
    }
}
