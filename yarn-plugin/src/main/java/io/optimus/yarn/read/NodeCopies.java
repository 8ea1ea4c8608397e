package io.optimus.yarn.read;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * Copies of all nodes, of which each is made again when the node changed. YARN gives no notice of some changes, such as the
 * end of a container that its application had released before. So a few figures of every node are compared, too.
 *
 * <p>Not thread-safe.
 */
final class NodeCopies {
    private IdentityHashMap<FiCaSchedulerNode, Copy> copies = new IdentityHashMap<>();
    private List<NodeView> views = List.of();
    private Map<String, Set<String>> idsByPartition = Map.of();

    /** A copy of {@code node}, and what its figures were. */
    private record Copy(FiCaSchedulerNode node, NodeView view, Object reserved, int containers) {
        /** In place of no reservation. */
        private static final Object NOTHING = new Object();

        static Copy of(FiCaSchedulerNode node, String gpuType, NodeView.Containers kinds) {
            // Read before the copy: a change in between shows as a difference the next time.
            Object reserved = reserved(node);
            int containers = node.getNumContainers();
            return new Copy(node, NodeView.of(node, gpuType, kinds), reserved, containers);
        }

        private static Object reserved(FiCaSchedulerNode node) {
            RMContainer reserved = node.getReservedContainer();
            return reserved == null ? NOTHING : reserved;
        }

        @SuppressWarnings("ReferenceEquality") // Another reservation is another object.
        boolean isCurrent(NodeView.Containers kinds) {
            return node.getNumContainers() == containers
                    && reserved(node) == reserved
                    && (reserved == NOTHING || isBoundAsBefore((RMContainer) reserved, kinds))
                    && Amounts.equal(node.getUnallocatedResource(), view.use().unallocated())
                    && Amounts.equal(node.getTotalResource(), view.capacity())
                    && node.getPartition().equals(view.partition())
                    && (node.getRMNode().getState() == NodeState.RUNNING) == view.usable();
        }

        /** Whether an application still lets YARN grant what is reserved elsewhere, or not: it can change its request. */
        private boolean isBoundAsBefore(RMContainer container, NodeView.Containers kinds) {
            return view.use()
                    .reservation()
                    .filter(seen -> seen.onlyHere() == kinds.isBound(container))
                    .isPresent();
        }
    }

    /**
     * Copies again what changed.
     *
     * @param nodes all nodes of the scheduler
     * @param changed nodes that are known to have changed
     * @param gpuTypes type of GPU by host
     * @param kinds what containers are
     * @param check throws if there is no time left
     * @return whether anything changed
     */
    boolean renew(
            List<FiCaSchedulerNode> nodes,
            Set<NodeId> changed,
            Map<String, String> gpuTypes,
            NodeView.Containers kinds,
            Runnable check) {
        boolean renewed = nodes.size() != copies.size();
        List<Copy> present = new ArrayList<>(nodes.size());
        for (FiCaSchedulerNode node : nodes) {
            check.run();
            Copy known = copies.get(node);
            if (known == null || changed.contains(node.getNodeID()) || !known.isCurrent(kinds)) {
                String gpuType = gpuTypes.getOrDefault(node.getNodeID().getHost(), "");
                known = Copy.of(node, gpuType, kinds);
                renewed = true;
            }
            present.add(known);
        }
        if (renewed) {
            keep(present);
        }
        return renewed;
    }

    private void keep(List<Copy> present) {
        IdentityHashMap<FiCaSchedulerNode, Copy> byNode = new IdentityHashMap<>();
        present.forEach(copy -> byNode.put(copy.node(), copy));
        List<NodeView> all = present.stream().map(Copy::view).toList();
        if (!samePartitions(all)) {
            Map<String, Set<String>> ids = new TreeMap<>();
            all.forEach(node -> ids.computeIfAbsent(node.partition(), partition -> new HashSet<>())
                    .add(node.id()));
            idsByPartition = ids;
        }
        copies = byNode;
        views = all;
    }

    private boolean samePartitions(List<NodeView> all) {
        boolean same = all.size() == views.size();
        for (int i = 0; same && i < all.size(); i++) {
            same = all.get(i).id().equals(views.get(i).id())
                    && all.get(i).partition().equals(views.get(i).partition());
        }
        return same;
    }

    /** Forgets all copies. */
    void clear() {
        copies = new IdentityHashMap<>();
    }

    /** All nodes, as last copied. */
    List<NodeView> views() {
        return views;
    }

    /** Ids of the nodes of {@code partition}. */
    Set<String> ids(String partition) {
        return idsByPartition.getOrDefault(partition, Set.of());
    }
}
