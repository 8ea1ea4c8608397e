package io.optimus.yarn.enforce;

import io.optimus.yarn.read.Amounts;
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
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps training applications within the published plan: held + pending ≤ ceiling, by role and node. Reservations are
 * pending, too. No request names a node that is too full for it now. Where the plan leaves nodes to YARN, because a queue is
 * below its guarantee, the scheduler itself makes the requests ({@link GuaranteedRequests}).
 *
 * <p>Applications without a ceiling are untouched, at the cost of one hash look-up. If nothing is enforced, nothing is
 * published.
 *
 * <p>Held and pending containers are counted, and requests are changed, under YARN's own lock of the application, which
 * every grant takes as well. A grant takes that lock twice, once to be accepted and once to be applied: neither count
 * includes a grant between the two. Such a grant may exceed the ceiling, and is then shrunk like any surplus. No other
 * lock is held.
 *
 * <p>Several NodeManagers on one host share one ceiling unless {@code yarn.scheduler.include-port-in-node-name} is set:
 * resource requests do not tell them apart.
 */
public final class GrantCeilings {
    private static final Logger LOG = LoggerFactory.getLogger(GrantCeilings.class);

    private final CapacityScheduler scheduler;
    private final Map<ApplicationId, Ceiling> ceilings = new ConcurrentHashMap<>();
    private volatile boolean enforced = true;

    /**
     * Everything that an ApplicationMaster requests in one allocate call, in YARN's own objects.
     *
     * @param resources resource requests
     * @param scheduling scheduling requests; null for none
     * @param updates container updates
     */
    public record Asks(
            List<ResourceRequest> resources, @Nullable List<SchedulingRequest> scheduling, ContainerUpdates updates) {
        /** Whether nothing is requested, as in most calls. */
        public boolean isEmpty() {
            return resources.isEmpty()
                    && (scheduling == null || scheduling.isEmpty())
                    && updates.getIncreaseRequests().isEmpty()
                    && updates.getDecreaseRequests().isEmpty()
                    && updates.getPromotionRequests().isEmpty()
                    && updates.getDemotionRequests().isEmpty();
        }
    }

    /** Limits applications of {@code scheduler}, which may still be starting. */
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
     * Admits what the ceiling allows, and returns what is left for CapacityScheduler to handle. The scheduler's {@code
     * allocate} calls this first.
     *
     * <p>For a call that requests and releases nothing, an application without a ceiling, and the container of an
     * ApplicationMaster, it returns {@code asks} itself. What is pending is brought within the ceiling by {@link #put}.
     * For any other it hands the admitted requests to YARN under the application's lock, and returns no resource request.
     * It drops scheduling requests, opportunistic requests and updates that make a container larger. (Where YARN grants
     * opportunistic containers, it does so before it asks the scheduler, and no training job is served.) Requests
     * that name no node and relax locality are pinned to the nodes of the plan.
     *
     * @param releases containers that the same call releases
     */
    public Asks trim(ApplicationAttemptId attempt, Asks asks, List<ContainerId> releases) {
        if (!governs(attempt.getApplicationId()) || (asks.isEmpty() && releases.isEmpty())) {
            return asks;
        }
        FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
        if (app == null
                || !app.getApplicationAttemptId().equals(attempt)
                || app.isWaitingForAMContainer()
                || !settle(app, asks.resources(), new HashSet<>(releases))) {
            return asks;
        }
        return new Asks(new ArrayList<>(), null, withoutGrowth(asks.updates()));
    }

    /**
     * Sets one ceiling, such as that of a job that has just registered, and lowers pending requests beyond it. An
     * application that the scheduler does not know (any more) gets no ceiling, and none does while plans are not enforced.
     */
    public void put(ApplicationId application, Ceiling ceiling) {
        Ceiling before = ceilings.put(application, ceiling);
        if (!enforced) {
            // Checked after the put: one of this and enforce(false) removes the ceiling, whichever comes first.
            ceilings.remove(application);
            return;
        }
        SchedulerApplication<FiCaSchedulerApp> known =
                scheduler.getSchedulerApplications().get(application);
        if (known == null) {
            // The application was removed, perhaps after this ceiling was computed.
            ceilings.remove(application);
            return;
        }
        FiCaSchedulerApp app = known.getCurrentAppAttempt();
        if (app != null && !app.isWaitingForAMContainer() && !isSettled(app, ceiling, before)) {
            settle(app, List.of(), Set.of());
        }
    }

    /** Whether nothing is pending, and nothing is to be requested: as for most jobs most of the time. */
    private static boolean isSettled(FiCaSchedulerApp app, Ceiling ceiling, @Nullable Ceiling before) {
        return ceiling.equals(before)
                && !ceiling.leavesNodesToYarn()
                && app.getSchedulerKeys().isEmpty();
    }

    /** Starts to enforce plans, or stops it: then all ceilings are lifted, and none is set until the next start. */
    public void enforce(boolean plans) {
        enforced = plans;
        if (!plans) {
            ceilings.clear();
        }
    }

    /** Whether plans are enforced. */
    public boolean enforces() {
        return enforced;
    }

    public void remove(ApplicationId application) {
        ceilings.remove(application);
    }

    /**
     * Drops a reservation that an application with a ceiling has on the node, with its pending requests for the full node,
     * unless YARN chose the node for a request within the queue's guarantee. Called after CapacityScheduler handled a heartbeat of the node, on the same thread. Costs a hash look-up; never throws.
     */
    public void afterNodeUpdate(NodeId nodeId) {
        if (ceilings.isEmpty()) {
            return;
        }
        try {
            FiCaSchedulerNode node = scheduler.getNode(nodeId);
            RMContainer reserved = node == null ? null : node.getReservedContainer();
            if (reserved != null && governs(reserved.getApplicationAttemptId().getApplicationId())) {
                unreserve(reserved);
            }
        } catch (RuntimeException e) {
            LOG.warn("reservation not dropped node={}", nodeId, e);
        }
    }

    private void unreserve(RMContainer reserved) {
        FiCaSchedulerApp app = scheduler.getApplicationAttempt(reserved.getApplicationAttemptId());
        if (app == null || app.isWaitingForAMContainer()) {
            return;
        }
        settle(app, List.of(), Set.of());
        SchedulerRequestKey key = reserved.getReservedSchedulerKey();
        boolean guaranteed = GuaranteedRequests.isOne(key) && app.getOutstandingAsksCount(key) > 0;
        if (!guaranteed && reserved.getState() == RMContainerState.RESERVED) {
            LOG.info("reservation dropped container={} node={}", reserved.getContainerId(), reserved.getReservedNode());
            scheduler.killReservedContainer(reserved);
        }
    }

    /** Lowers pending requests to the ceiling; returns false if there is no ceiling (any more). */
    private boolean settle(FiCaSchedulerApp app, Collection<ResourceRequest> incoming, Set<ContainerId> releases) {
        boolean demandChanged;
        app.getWriteLock().lock();
        try {
            Ceiling ceiling = ceilings.get(app.getApplicationId());
            if (ceiling == null || app.isStopped()) {
                return false;
            }
            Headroom headroom = headroom(app, ceiling, releases);
            List<ResourceRequest> requests =
                    requests(app, incoming).within(headroom, racks(ceiling), size -> normalised(app, size));
            requests.addAll(GuaranteedRequests.changed(app, ceiling, headroom, scheduler.getRMContext()));
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

    private Headroom headroom(FiCaSchedulerApp app, Ceiling ceiling, Set<ContainerId> releases) {
        Headroom headroom = new Headroom();
        Set<NodeId> nodes = new HashSet<>();
        ceiling.byPriority().forEach((priority, role) -> role.byNode().forEach((id, count) -> {
            FiCaSchedulerNode node = scheduler.getNode(NodeId.fromString(id));
            if (node != null) {
                headroom.allow(priority, role.task(), node.getNodeName(), count);
                if (nodes.add(node.getNodeID())) {
                    headroom.free(node.getNodeName(), Amounts.of(node.getUnallocatedResource()));
                }
            }
        }));
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

    /** Rack by name of each node that the ceiling names. */
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

    private static ContainerUpdates withoutGrowth(ContainerUpdates updates) {
        ContainerUpdates kept = new ContainerUpdates();
        kept.getDecreaseRequests().addAll(updates.getDecreaseRequests());
        kept.getDemotionRequests().addAll(updates.getDemotionRequests());
        return kept;
    }

    private Resource normalised(FiCaSchedulerApp app, Resource size) {
        return scheduler.getNormalizedResource(
                size,
                scheduler.getMaximumResourceCapability(app.getCSLeafQueue().getQueuePath()));
    }
}
