package io.optimus.yarn.enforce;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
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
    private final NodeVisits visits;
    private final PendingRequests pending;
    private final BlockedRequests blocked;
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

    /**
     * What is left of a call for CapacityScheduler to handle.
     *
     * @param asks the requests that are left
     * @param requested the nodes on which the call requests containers now: to be {@linkplain #visit visited}
     */
    public record Trimmed(Asks asks, List<NodeId> requested) {
        public Trimmed {
            requested = List.copyOf(requested);
        }

        /** Nothing was admitted here: all is left. */
        public static Trimmed nothing(Asks asks) {
            return new Trimmed(asks, List.of());
        }
    }

    /** Limits applications of {@code scheduler}, which may still be starting. */
    public GrantCeilings(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
        this.visits = new NodeVisits(scheduler, System::nanoTime);
        this.pending = new PendingRequests(scheduler, ceilings::get);
        this.blocked = new BlockedRequests(scheduler, this::governs);
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
    public Trimmed trim(ApplicationAttemptId attempt, Asks asks, List<ContainerId> releases) {
        if (!governs(attempt.getApplicationId()) || (asks.isEmpty() && releases.isEmpty())) {
            return Trimmed.nothing(asks);
        }
        FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
        if (app == null || !app.getApplicationAttemptId().equals(attempt) || app.isWaitingForAMContainer()) {
            return Trimmed.nothing(asks);
        }
        return pending.settle(app, asks.resources(), new HashSet<>(releases))
                .map(requested ->
                        new Trimmed(new Asks(new ArrayList<>(), null, withoutGrowth(asks.updates())), requested))
                .orElseGet(() -> Trimmed.nothing(asks));
    }

    /**
     * Lets YARN place containers on {@code nodes} without waiting for their heartbeats. The scheduler's {@code allocate} calls
     * this last: before the releases of a call, YARN would reserve a full node for what is to replace them.
     */
    public void visit(List<NodeId> nodes) {
        visits.visit(nodes);
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
            pending.settle(app, List.of(), Set.of()).ifPresent(visits::visit);
        }
    }

    /** Whether nothing is pending, and nothing is to be requested: as for most jobs most of the time. */
    private static boolean isSettled(FiCaSchedulerApp app, Ceiling ceiling, @Nullable Ceiling before) {
        return ceiling.equals(before)
                && !ceiling.leavesNodesToYarn()
                && app.getSchedulerKeys().isEmpty();
    }

    /** A node has left the cluster. */
    public void nodeLeft(NodeId node) {
        visits.left(node);
    }

    /**
     * Starts to enforce plans, or stops it: then all ceilings are lifted with the requests that the scheduler itself had made,
     * and none is set until the next start.
     */
    public void enforce(boolean plans) {
        enforced = plans;
        if (plans) {
            return;
        }
        Set<ApplicationId> lifted = Set.copyOf(ceilings.keySet());
        ceilings.clear();
        for (ApplicationId application : lifted) {
            SchedulerApplication<FiCaSchedulerApp> known =
                    scheduler.getSchedulerApplications().get(application);
            FiCaSchedulerApp app = known == null ? null : known.getCurrentAppAttempt();
            try {
                if (app != null) {
                    pending.withdrawGuaranteed(app);
                }
            } catch (RuntimeException e) {
                LOG.warn("requests within the guarantee not withdrawn application={}", application, e);
            }
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
     * unless YARN chose the node for a request within the queue's guarantee. Drops that of an ordinary application where requests
     * are {@linkplain BlockedRequests blocked} by it. Called after CapacityScheduler handled a heartbeat
     * of the node, or a visit, on the same thread. Costs a hash look-up; never throws.
     */
    public void afterNodeUpdate(NodeUpdateSchedulerEvent update) {
        if (ceilings.isEmpty()) {
            return;
        }
        NodeId nodeId = update.getRMNode().getNodeID();
        visits.handled(update);
        try {
            FiCaSchedulerNode node = scheduler.getNode(nodeId);
            RMContainer reserved = node == null ? null : node.getReservedContainer();
            if (reserved == null) {
                return;
            }
            if (governs(reserved.getApplicationAttemptId().getApplicationId())) {
                unreserve(reserved);
            } else if (node.getPartition().equals(CommonNodeLabelsManager.NO_LABEL)) {
                unblock(reserved);
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
        pending.settle(app, List.of(), Set.of()).ifPresent(visits::visit);
        SchedulerRequestKey key = reserved.getReservedSchedulerKey();
        boolean guaranteed = GuaranteedRequests.isOne(key) && app.getOutstandingAsksCount(key) > 0;
        if (!guaranteed && reserved.getState() == RMContainerState.RESERVED) {
            LOG.info("reservation dropped container={} node={}", reserved.getContainerId(), reserved.getReservedNode());
            scheduler.killReservedContainer(reserved);
        }
    }

    private void unblock(RMContainer reserved) {
        List<NodeId> nodes = blocked.behind(reserved);
        if (!nodes.isEmpty() && reserved.getState() == RMContainerState.RESERVED) {
            LOG.info(
                    "reservation dropped because it blocks its queue container={} node={} nodes with room={}",
                    reserved.getContainerId(),
                    reserved.getReservedNode(),
                    nodes);
            scheduler.killReservedContainer(reserved);
            visits.visit(nodes);
        }
    }

    private static ContainerUpdates withoutGrowth(ContainerUpdates updates) {
        ContainerUpdates kept = new ContainerUpdates();
        kept.getDecreaseRequests().addAll(updates.getDecreaseRequests());
        kept.getDemotionRequests().addAll(updates.getDemotionRequests());
        return kept;
    }
}
