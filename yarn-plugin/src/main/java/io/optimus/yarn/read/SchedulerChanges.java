package io.optimus.yarn.read;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * What has changed in the scheduler since it was last read, so that a snapshot copies only that. Any thread notes a change
 * after it was made, which costs one addition to a concurrent set; one thread takes all changes before it reads. So a change
 * is read now or, if it is noted too late, the next time.
 *
 * <p>While everything counts as changed, such as before the first snapshot, nothing is noted: memory stays bounded if nobody
 * reads.
 */
public final class SchedulerChanges {
    /** With more changes than this, copying everything is as fast. */
    private static final int MOST = 10_000;

    private final Set<NodeId> nodes = ConcurrentHashMap.newKeySet();
    private final Set<ApplicationId> applications = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean everything = new AtomicBoolean(true);

    /**
     * The changes up to one moment.
     *
     * @param everything whether anything may have changed
     * @param nodes nodes whose containers changed
     * @param applications applications whose containers, requests or blacklist changed
     */
    record Taken(boolean everything, Set<NodeId> nodes, Set<ApplicationId> applications) {}

    /** Containers of {@code application} on {@code node} changed. */
    public void container(NodeId node, ApplicationId application) {
        // The node first: a snapshot between the two may miss what the application got, but never counts it twice.
        note(nodes, node);
        application(application);
    }

    /** The requests or the blacklist of {@code application} changed. */
    public void application(ApplicationId application) {
        note(applications, application);
    }

    /** YARN granted, reserved or took containers. */
    public void committed(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> commit) {
        commit.getContainersToAllocate().forEach(this::proposal);
        commit.getContainersToReserve().forEach(this::proposal);
        commit.getContainersToRelease().forEach(this::container);
    }

    private void proposal(ContainerAllocationProposal<FiCaSchedulerApp, FiCaSchedulerNode> proposal) {
        container(proposal.getAllocatedOrReservedContainer());
        proposal.getToRelease().forEach(this::container);
    }

    private void container(SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container) {
        container(
                container.getSchedulerNode().getNodeID(),
                container.getSchedulerApplicationAttempt().getApplicationId());
    }

    /** A node came, perhaps with containers from before a restart. */
    public void recovered(FiCaSchedulerNode node) {
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            container(node.getNodeID(), container.getApplicationAttemptId().getApplicationId());
        }
    }

    /** Queues, labels or attributes changed, or nobody knows what did. */
    public void everything() {
        everything.set(true);
    }

    private <T> void note(Set<T> changed, T one) {
        if (!everything.get() && changed.add(one) && changed.size() > MOST) {
            everything();
        }
    }

    /** Returns the changes since the last call. */
    Taken take() {
        boolean all = everything.getAndSet(false);
        return new Taken(all, drained(nodes), drained(applications));
    }

    private static <T> Set<T> drained(Set<T> changed) {
        Set<T> drained = new HashSet<>();
        for (Iterator<T> each = changed.iterator(); each.hasNext(); ) {
            drained.add(each.next());
            each.remove();
        }
        return drained;
    }
}
