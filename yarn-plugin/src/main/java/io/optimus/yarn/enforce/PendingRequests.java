package io.optimus.yarn.enforce;

import io.optimus.yarn.read.Amounts;
import io.optimus.yarn.read.TrainingContainer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/** Brings what a training application has pending in YARN within its ceiling, under YARN's lock of the application. */
final class PendingRequests {
    private final CapacityScheduler scheduler;
    private final Ceilings ceilings;

    /** The ceiling of an application now, or null if it has none. */
    @FunctionalInterface
    interface Ceilings {
        @Nullable
        Ceiling of(ApplicationId application);
    }

    PendingRequests(CapacityScheduler scheduler, Ceilings ceilings) {
        this.scheduler = scheduler;
        this.ceilings = ceilings;
    }

    /**
     * Lowers pending requests to the ceiling, after adding {@code incoming} ones.
     *
     * @param releases containers of the application that are about to be released
     * @return the nodes on which containers are requested now; empty if there is no ceiling (any more), and nothing has changed
     */
    Optional<List<NodeId>> settle(
            FiCaSchedulerApp app, Collection<ResourceRequest> incoming, Set<ContainerId> releases) {
        boolean demandChanged;
        List<NodeId> requested;
        app.getWriteLock().lock();
        try {
            Ceiling ceiling = ceilings.of(app.getApplicationId());
            if (ceiling == null || app.isStopped()) {
                return Optional.empty();
            }
            demandChanged = withdrawOthers(app);
            List<FiCaSchedulerNode> nodes = nodes(ceiling);
            Headroom headroom = headroom(app, ceiling, nodes, releases);
            List<ResourceRequest> requests =
                    requests(app, incoming).within(headroom, racks(nodes), size -> normalised(app, size));
            requested = requestedNodes(requests, nodes);
            requests.addAll(GuaranteedRequests.changed(app, ceiling, headroom, scheduler.getRMContext()));
            demandChanged |= !requests.isEmpty() && app.updateResourceRequests(requests);
        } finally {
            app.getWriteLock().unlock();
        }
        tellQueue(app, demandChanged);
        return Optional.of(requested);
    }

    /** Withdraws what the scheduler itself has requested for an application that has no ceiling any more. */
    void withdrawGuaranteed(FiCaSchedulerApp app) {
        boolean demandChanged;
        app.getWriteLock().lock();
        try {
            List<ResourceRequest> none = GuaranteedRequests.withdrawn(app);
            boolean keeps = app.isStopped() || ceilings.of(app.getApplicationId()) != null;
            demandChanged = !keeps && !none.isEmpty() && app.updateResourceRequests(none);
        } finally {
            app.getWriteLock().unlock();
        }
        tellQueue(app, demandChanged);
    }

    private static void tellQueue(FiCaSchedulerApp app, boolean demandChanged) {
        if (demandChanged) {
            app.getCSLeafQueue().getOrderingPolicy().demandUpdated(app);
        }
    }

    /** The nodes that the ceiling names and that are in the cluster. */
    private List<FiCaSchedulerNode> nodes(Ceiling ceiling) {
        Set<String> ids = new HashSet<>();
        ceiling.byPriority().values().forEach(role -> ids.addAll(role.byNode().keySet()));
        List<FiCaSchedulerNode> nodes = new ArrayList<>();
        for (String id : ids) {
            FiCaSchedulerNode node = scheduler.getNode(NodeId.fromString(id));
            if (node != null) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    private Headroom headroom(
            FiCaSchedulerApp app, Ceiling ceiling, List<FiCaSchedulerNode> nodes, Set<ContainerId> releases) {
        Headroom headroom = new Headroom();
        for (FiCaSchedulerNode node : nodes) {
            String id = node.getNodeID().toString();
            headroom.free(node.getNodeName(), Amounts.of(node.getUnallocatedResource()));
            ceiling.byPriority().forEach((priority, role) -> {
                int count = role.byNode().getOrDefault(id, 0);
                if (count > 0) {
                    headroom.allow(priority, role.task(), node.getNodeName(), count);
                }
            });
        }
        for (TrainingContainer container : TrainingContainer.allOf(app, scheduler.getRMContext())) {
            FiCaSchedulerNode node = scheduler.getNode(NodeId.fromString(container.node()));
            if (node != null && releases.contains(container.id())) {
                headroom.free(node.getNodeName(), container.resources());
            } else if (node != null) {
                headroom.hold(container.priority(), node.getNodeName());
            }
        }
        return headroom;
    }

    /** Rack by node name. */
    private static Map<String, String> racks(List<FiCaSchedulerNode> nodes) {
        Map<String, String> racks = new HashMap<>();
        nodes.forEach(node -> racks.put(node.getNodeName(), node.getRackName()));
        return racks;
    }

    private static List<NodeId> requestedNodes(List<ResourceRequest> requests, List<FiCaSchedulerNode> nodes) {
        Set<String> names = new HashSet<>();
        for (ResourceRequest request : requests) {
            if (request.getNumContainers() > 0) {
                names.add(request.getResourceName());
            }
        }
        return nodes.stream()
                .filter(node -> names.contains(node.getNodeName()))
                .map(FiCaSchedulerNode::getNodeID)
                .toList();
    }

    private static ApplicationRequests requests(FiCaSchedulerApp app, Collection<ResourceRequest> incoming) {
        ApplicationRequests requests = new ApplicationRequests();
        requests.incoming(incoming);
        Set<SchedulerRequestKey> keys = new HashSet<>(app.getSchedulerKeys());
        keys.addAll(requests.incomingKeys());
        for (SchedulerRequestKey key : keys) {
            AppPlacementAllocator<FiCaSchedulerNode> pending = app.getAppPlacementAllocator(key);
            if (pending != null && key.getContainerToUpdate() == null && !GuaranteedRequests.isOne(key)) {
                requests.pending(key, pending.getResourceRequests());
            }
        }
        return requests;
    }

    /**
     * Drops pending scheduling requests and updates that make a container larger, as AppSchedulingInfo drops served
     * ones. An update cannot lower them: YARN cannot compare two scheduling requests without a placement constraint.
     */
    private static boolean withdrawOthers(FiCaSchedulerApp app) {
        boolean changed = false;
        for (SchedulerRequestKey key : List.copyOf(app.getAppSchedulingInfo().getSchedulerKeys())) {
            AppPlacementAllocator<FiCaSchedulerNode> pending = app.getAppPlacementAllocator(key);
            if (pending != null && (pending.getSchedulingRequest() != null || key.getContainerToUpdate() != null)) {
                withdraw(app, key, pending);
                changed = true;
            }
        }
        return changed;
    }

    private static void withdraw(
            FiCaSchedulerApp app, SchedulerRequestKey key, AppPlacementAllocator<FiCaSchedulerNode> pending) {
        AppSchedulingInfo scheduling = app.getAppSchedulingInfo();
        PendingAsk ask = pending.getPendingAsk(ResourceRequest.ANY);
        String partition = pending.getPrimaryRequestedNodePartition();
        scheduling.getSchedulerKeys().remove(key);
        scheduling.removeAppPlacement(key);
        scheduling.checkForDeactivation();
        scheduling.decPendingResource(
                partition,
                org.apache.hadoop.yarn.util.resource.Resources.multiply(
                        ask.getPerAllocationResource(), ask.getCount()));
        app.getQueue()
                .getMetrics()
                .decrPendingResources(partition, app.getUser(), ask.getCount(), ask.getPerAllocationResource());
    }

    private Resource normalised(FiCaSchedulerApp app, Resource size) {
        return scheduler.getNormalizedResource(
                size,
                scheduler.getMaximumResourceCapability(app.getCSLeafQueue().getQueuePath()));
    }
}
