package io.optimus.yarn.capacity;

import io.optimus.model.cluster.Resources;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * One node, copied from the scheduler.
 *
 * @param id {@code host:port}
 * @param name by which resource requests name it
 * @param rack of the node
 * @param gpuType of its GPUs, empty where nobody told
 * @param partition node label, empty for the default partition
 * @param usable whether it runs and is not being drained
 * @param capacity all of it
 * @param unallocated what no container holds; negative where overcommitted
 * @param reservation what is reserved here and for whom
 */
record LiveNode(
        String id,
        String name,
        String rack,
        String gpuType,
        String partition,
        boolean usable,
        Resources capacity,
        Resources unallocated,
        Optional<Reservation> reservation) {

    /** What one application has reserved. */
    record Reservation(ApplicationId application, Resources resources) {}

    /** Copies {@code node}, of which others know the type of its GPUs. */
    static LiveNode of(FiCaSchedulerNode node, String gpuType) {
        RMContainer reserved = node.getReservedContainer();
        return new LiveNode(
                node.getNodeID().toString(),
                node.getNodeName(),
                node.getRackName(),
                gpuType,
                node.getPartition(),
                node.getRMNode().getState() == NodeState.RUNNING,
                Amounts.of(node.getTotalResource()),
                Amounts.of(node.getUnallocatedResource()),
                reserved == null
                        ? Optional.empty()
                        : Optional.of(new Reservation(
                                reserved.getApplicationAttemptId().getApplicationId(),
                                Amounts.of(reserved.getReservedResource()))));
    }
}
