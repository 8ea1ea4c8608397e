package io.optimus.yarn.enforce;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;

/**
 * Lets YARN place containers on a node as soon as a training application requests some there, rather than at the node's next
 * heartbeat. While requests wait, YARN looks at every application of the queue in every heartbeat of every node. Requests for
 * one node that wait a whole heartbeat are paid for by all of them.
 *
 * <p>A visit is one more event of the scheduler, as a heartbeat is: YARN's own order of queues and applications decides who
 * gets the room. A node is visited at most once between two of its heartbeats, however often applications ask. A node that has
 * sent no heartbeat for two intervals is not visited: its NodeManager may have died.
 */
final class NodeVisits {
    private static final int INTERVALS = 2;

    private final CapacityScheduler scheduler;
    private final LongSupplier nanos;
    /** When the last heartbeat of each node was handled that has not been visited since. */
    private final Map<NodeId, Long> heartbeatNanos = new ConcurrentHashMap<>();

    private static final class Visit extends NodeUpdateSchedulerEvent {
        Visit(RMNode node) {
            super(node);
        }
    }

    /**
     * Visits nodes.
     *
     * @param scheduler the scheduler that handles the visits; it may not have started yet
     * @param nanos a monotonic clock
     */
    NodeVisits(CapacityScheduler scheduler, LongSupplier nanos) {
        this.scheduler = scheduler;
        this.nanos = nanos;
    }

    /** Whether {@code update} is a visit and no heartbeat. */
    static boolean isOne(NodeUpdateSchedulerEvent update) {
        return update instanceof Visit;
    }

    /** The scheduler handled {@code update}, a heartbeat or a visit. */
    void handled(NodeUpdateSchedulerEvent update) {
        if (!isOne(update)) {
            heartbeatNanos.put(update.getRMNode().getNodeID(), nanos.getAsLong());
        }
    }

    /** A node has left the cluster. */
    void left(NodeId node) {
        heartbeatNanos.remove(node);
    }

    /** Visits those of {@code nodes} that may be. Any thread may call this. */
    void visit(Collection<NodeId> nodes) {
        if (nodes.isEmpty() || scheduler.getConfiguration().getScheduleAynschronously()) {
            return;
        }
        long oldest = nanos.getAsLong() - INTERVALS * TimeUnit.MILLISECONDS.toNanos(heartbeatMillis());
        for (NodeId id : nodes) {
            Long heard = heartbeatNanos.remove(id);
            RMNode node = scheduler.getRMContext().getRMNodes().get(id);
            if (heard != null && heard - oldest >= 0 && node != null && node.getState() == NodeState.RUNNING) {
                scheduler.getRMContext().getDispatcher().getEventHandler().handle(new Visit(node));
            }
        }
    }

    private long heartbeatMillis() {
        return scheduler
                .getConfig()
                .getLong(
                        YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
                        YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS);
    }
}
