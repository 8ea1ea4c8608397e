package io.optimus.yarn.enforce;

import io.optimus.yarn.read.Amounts;
import io.optimus.yarn.read.TaskContainers;
import io.optimus.yarn.read.TrainingContainer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps training applications within the published plan: held + pending ≤ ceiling, by role and node (what is reserved
 * is pending, too), and no ask is pinned on a node that has no room for it now.
 *
 * <p>Applications without a ceiling are untouched, at the cost of one hash look-up. Where nothing is enforced, nothing
 * is published.
 *
 * <p>Counting and asking happen under YARN's own lock of the one application, which every grant to it takes as well. A
 * grant takes it twice, though, to be accepted and to be applied: one that is between the two is seen by neither count,
 * and what comes too much of that is a surplus, which is asked back. No other lock is held. Needs resource requests that tell nodes apart: several
 * NodeManagers on one host share one ceiling unless {@code yarn.scheduler.include-port-in-node-name} is set.
 */
public final class GrantCeilings {
    private static final Logger LOG = LoggerFactory.getLogger(GrantCeilings.class);

    private final CapacityScheduler scheduler;
    private final Map<ApplicationId, Ceiling> ceilings = new ConcurrentHashMap<>();

    /** For applications of this scheduler, which may still be starting. */
    public GrantCeilings(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Whether {@code application} has a ceiling. Such an application gets nothing from scheduling requests: the
     * scheduler's {@code attemptAllocationOnNode} refuses it as well.
     */
    public boolean governs(ApplicationId application) {
        return ceilings.containsKey(application);
    }

    /**
     * To be called first in the scheduler's {@code allocate}: admits what the ceiling has room for and returns what is
     * left for CapacityScheduler to do. For an application without a ceiling (and for its ApplicationMaster's own
     * container) that is {@code asks} itself. What an application with a ceiling may ask for is handed to YARN in here,
     * under the application's lock; then no resource request is left to do. Scheduling requests, opportunistic asks and updates that make a container larger are dropped; where
     * YARN grants opportunistic containers, it does so before the scheduler is asked, and no training job is served.
     * Asks that name no node and relax locality are pinned to the plan's nodes.
     *
     * @param releases containers that this very call gives back
     */
    public AllocateAsks trim(ApplicationAttemptId attempt, AllocateAsks asks, List<ContainerId> releases) {
        if (!governs(attempt.getApplicationId())) {
            return asks;
        }
        FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
        if (app == null
                || !app.getApplicationAttemptId().equals(attempt)
                || app.isWaitingForAMContainer()
                || !settle(app, asks.resources(), new HashSet<>(releases))) {
            return asks;
        }
        return new AllocateAsks(new ArrayList<>(), null, withoutGrowth(asks.updates()));
    }

    /**
     * Sets one ceiling, such as that of a job that has just registered, and lowers what is pending beyond it. An
     * application that the scheduler does not know (any more) gets none.
     */
    public void put(ApplicationId application, Ceiling ceiling) {
        ceilings.put(application, ceiling);
        SchedulerApplication<FiCaSchedulerApp> known =
                scheduler.getSchedulerApplications().get(application);
        if (known == null) {
            // It was removed, and its ceiling perhaps just before this one was set.
            ceilings.remove(application);
            return;
        }
        FiCaSchedulerApp app = known.getCurrentAppAttempt();
        if (app != null && !app.isWaitingForAMContainer()) {
            settle(app, List.of(), Set.of());
        }
    }

    /** Forgets one application: it ended, or is not enforced any more. */
    public void remove(ApplicationId application) {
        ceilings.remove(application);
    }

    /**
     * To be called after CapacityScheduler handled a node's heartbeat, on the same thread: a reservation that an
     * application with a ceiling has there is dropped, and its pending asks for the full node with it. Costs a hash
     * look-up; never throws.
     */
    public void afterNodeUpdate(NodeId nodeId) {
        try {
            FiCaSchedulerNode node = scheduler.getNode(nodeId);
            RMContainer reserved = node == null ? null : node.getReservedContainer();
            if (reserved != null && governs(reserved.getApplicationAttemptId().getApplicationId())) {
                unreserve(reserved);
            }
        } catch (RuntimeException e) {
            LOG.warn("reservation kept node={}", nodeId, e);
        }
    }

    private void unreserve(RMContainer reserved) {
        FiCaSchedulerApp app = scheduler.getApplicationAttempt(reserved.getApplicationAttemptId());
        if (app == null || app.isWaitingForAMContainer()) {
            return;
        }
        settle(app, List.of(), Set.of());
        if (reserved.getState() == RMContainerState.RESERVED) {
            LOG.info("reservation dropped container={} node={}", reserved.getContainerId(), reserved.getReservedNode());
            scheduler.killReservedContainer(reserved);
        }
    }

    /** Makes what is pending agree with the ceiling; false where there is no ceiling (any more). */
    private boolean settle(FiCaSchedulerApp app, Collection<ResourceRequest> incoming, Set<ContainerId> releases) {
        boolean demandChanged;
        app.getWriteLock().lock();
        try {
            Ceiling ceiling = ceilings.get(app.getApplicationId());
            if (ceiling == null || app.isStopped()) {
                return false;
            }
            List<ResourceRequest> requests = book(app, incoming)
                    .within(room(app, ceiling, releases), racks(ceiling), asked -> normalised(app, asked));
            demandChanged = !requests.isEmpty() && app.updateResourceRequests(requests);
            demandChanged |= withdrawOthers(app);
        } finally {
            app.getWriteLock().unlock();
        }
        if (demandChanged) {
            app.getCSLeafQueue().getOrderingPolicy().demandUpdated(app);
        }
        return true;
    }

    private Headroom room(FiCaSchedulerApp app, Ceiling ceiling, Set<ContainerId> releases) {
        Headroom room = new Headroom();
        Set<NodeId> nodes = new HashSet<>();
        ceiling.byPriority().forEach((priority, role) -> role.byNode().forEach((id, count) -> {
            FiCaSchedulerNode node = scheduler.getNode(NodeId.fromString(id));
            if (node != null) {
                room.allow(priority, role.task(), node.getNodeName(), count);
                if (nodes.add(node.getNodeID())) {
                    room.free(node.getNodeName(), Amounts.of(node.getUnallocatedResource()));
                }
            }
        }));
        for (TrainingContainer container : TaskContainers.of(app, scheduler.getRMContext())) {
            FiCaSchedulerNode node = scheduler.getNode(NodeId.fromString(container.node()));
            if (node != null && releases.contains(container.id())) {
                room.free(node.getNodeName(), container.resources());
            } else if (node != null) {
                room.hold(container.priority(), node.getNodeName());
            }
        }
        return room;
    }

    /** Rack by node name, of the nodes that the plan names. */
    private Map<String, String> racks(Ceiling ceiling) {
        Map<String, String> racks = new TreeMap<>();
        for (Ceiling.RoleCeiling role : ceiling.byPriority().values()) {
            for (String id : role.byNode().keySet()) {
                FiCaSchedulerNode node = scheduler.getNode(NodeId.fromString(id));
                if (node != null) {
                    racks.put(node.getNodeName(), node.getRackName());
                }
            }
        }
        return racks;
    }

    private static ApplicationRequests book(FiCaSchedulerApp app, Collection<ResourceRequest> incoming) {
        ApplicationRequests book = new ApplicationRequests();
        book.incoming(incoming);
        Set<SchedulerRequestKey> keys = new HashSet<>(app.getSchedulerKeys());
        keys.addAll(book.incomingKeys());
        for (SchedulerRequestKey key : keys) {
            AppPlacementAllocator<FiCaSchedulerNode> pending = app.getAppPlacementAllocator(key);
            if (pending != null && key.getContainerToUpdate() == null) {
                book.pending(key, pending.getResourceRequests());
            }
        }
        return book;
    }

    /**
     * Drops what is pending beside resource requests: scheduling requests, and updates that make a container larger. As
     * AppSchedulingInfo does when they are served; lowering them by its update is no way, for YARN cannot compare two
     * scheduling requests without a placement constraint.
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
        AppSchedulingInfo asks = app.getAppSchedulingInfo();
        PendingAsk ask = pending.getPendingAsk(ResourceRequest.ANY);
        String partition = pending.getPrimaryRequestedNodePartition();
        asks.getSchedulerKeys().remove(key);
        asks.removeAppPlacement(key);
        asks.checkForDeactivation();
        asks.decPendingResource(
                partition,
                org.apache.hadoop.yarn.util.resource.Resources.multiply(
                        ask.getPerAllocationResource(), ask.getCount()));
        app.getQueue()
                .getMetrics()
                .decrPendingResources(partition, app.getUser(), ask.getCount(), ask.getPerAllocationResource());
    }

    private static ContainerUpdates withoutGrowth(ContainerUpdates updates) {
        ContainerUpdates kept = new ContainerUpdates();
        kept.getDecreaseRequests().addAll(updates.getDecreaseRequests());
        kept.getDemotionRequests().addAll(updates.getDemotionRequests());
        return kept;
    }

    private Resource normalised(FiCaSchedulerApp app, Resource asked) {
        return scheduler.getNormalizedResource(
                asked,
                scheduler.getMaximumResourceCapability(app.getCSLeafQueue().getQueuePath()));
    }
}
