package io.optimus.yarn.enforce;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Requests of training applications that wait for a node with room, because an ordinary application of their queue holds the
 * last of what the queue may use as a reservation of a full node.
 *
 * <p>CapacityScheduler would move that reservation to the node with room. But it looks at the applications in their order, and
 * leaves the queue at the first one that has no reservation itself while the queue is full (Hadoop 3.4.2, {@code
 * AbstractLeafQueue.assignContainers}). If that is the training application, neither of them gets the room until a container
 * ends on the full node.
 *
 * <p>Example: a queue may use 8 GPUs of two nodes with 4 each. Seven are held, one of node b is free, and an application has
 * reserved node a, which is full. A job that is served before it requests the GPU of b: nobody gets it. Once the
 * reservation is dropped, the job gets the GPU, and the application reserves again where the queue has room.
 */
final class BlockedRequests {
    private final CapacityScheduler scheduler;
    private final Predicate<ApplicationId> governed;

    /**
     * Looks in {@code scheduler}.
     *
     * @param governed whether an application is a training application with a ceiling
     */
    BlockedRequests(CapacityScheduler scheduler, Predicate<ApplicationId> governed) {
        this.scheduler = scheduler;
        this.governed = governed;
    }

    /**
     * The nodes on which requests wait because of {@code reserved}, and that have room for it, too; empty for most
     * reservations.
     *
     * @param reserved the reservation of an ordinary application, on a node without a label
     */
    List<NodeId> behind(RMContainer reserved) {
        List<NodeId> nodes = new ArrayList<>();
        FiCaSchedulerApp owner = scheduler.getApplicationAttempt(reserved.getApplicationAttemptId());
        if (owner == null) {
            return nodes;
        }
        CSQueue queue = owner.getCSLeafQueue();
        for (FiCaSchedulerApp app : owner.getCSLeafQueue().getApplications()) {
            if (governed.test(app.getApplicationId())) {
                for (SchedulerRequestKey key : app.getSchedulerKeys()) {
                    add(nodes, app.getAppPlacementAllocator(key), queue, reserved.getReservedResource());
                }
            }
        }
        return nodes;
    }

    private void add(
            List<NodeId> nodes, AppPlacementAllocator<FiCaSchedulerNode> pending, CSQueue queue, Resource reserved) {
        if (pending == null) {
            return;
        }
        for (Map.Entry<String, ResourceRequest> request :
                pending.getResourceRequests().entrySet()) {
            Resource size = request.getValue().getCapability();
            if (isOfNodes(request.getKey())
                    && request.getValue().getNumContainers() > 0
                    && isFullBy(queue, reserved, size)) {
                for (FiCaSchedulerNode node : scheduler.getNodeTracker().getNodesByResourceName(request.getKey())) {
                    Resource room = node.getUnallocatedResource();
                    if (node.getReservedContainer() == null
                            && Resources.fitsIn(size, room)
                            && Resources.fitsIn(reserved, room)) {
                        nodes.add(node.getNodeID());
                    }
                }
            }
        }
    }

    private static boolean isOfNodes(String name) {
        return !name.equals(ResourceRequest.ANY) && !name.startsWith("/");
    }

    /** Whether {@code queue} has no room for {@code size} more, but would have without {@code reserved}. */
    private static boolean isFullBy(CSQueue queue, Resource reserved, Resource size) {
        boolean full = false;
        for (CSQueue above = queue; above != null; above = above.getParent()) {
            String partition = CommonNodeLabelsManager.NO_LABEL;
            Resource most = above.getEffectiveMaxCapacity(partition);
            Resource with = Resources.add(above.getQueueResourceUsage().getUsed(partition), size);
            if (!Resources.fitsIn(Resources.subtract(with, reserved), most)) {
                return false;
            }
            full |= !Resources.fitsIn(with, most);
        }
        return full;
    }
}
