package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.Reason;
import io.optimus.model.decision.ReasonKind;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

public final class QueueLimitsTest {
    private static final Reason NO_GPU = new AllocationReason.Waits(
            Allocation.NONE, new Allocation(1, 1), new Shortage.OfResource(Resources.GPUS, 1, 0));

    private static Proposal explained(int limitGpus, Proposal proposal) {
        JobSnapshot job = Jobs.resnet("a").snapshot();
        ClusterSnapshot cluster = new ClusterSnapshot(
                List.of(new NodeSnapshot("n1:1", Resources.of(1 << 20, 64, 8), Resources.of(1 << 20, 64, 8))),
                Resources.of(1 << 20, 64, limitGpus));
        QueueSnapshot queue = new QueueSnapshot("root.a", cluster, new TreeMap<>(), List.of(QueuedJob.of(job, "ann")));
        return QueueLimits.explained(queue, Map.of("a", proposal)).getOrDefault("a", proposal);
    }

    @Test
    public void namesTheLimitOfTheQueueWhereNodesHaveRoom() {
        Proposal explained = explained(0, new Proposal(Placement.NONE, NO_GPU, false));

        assertThat(explained.explanation().kinds()).contains(ReasonKind.NO_ROOM, ReasonKind.QUEUE_LIMIT);
        assertThat(explained.reason())
                .endsWith(
                        "by the limit of queue root.a: its training jobs may take 0 GPUs in all, and 8 more are free on"
                                + " nodes");
    }

    @Test
    public void isSilentWhereTheQueueHasRoom() {
        Proposal explained = explained(8, new Proposal(Placement.NONE, NO_GPU, false));

        assertThat(explained.explanation().kinds()).doesNotContain(ReasonKind.QUEUE_LIMIT);
    }

    @Test
    public void isSilentOfAJobThatWantsNoMore() {
        Proposal explained =
                explained(0, new Proposal(Placement.NONE, new AllocationReason.Explores(Allocation.NONE), false));

        assertThat(explained.explanation().kinds()).doesNotContain(ReasonKind.QUEUE_LIMIT);
    }
}
