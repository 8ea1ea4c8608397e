package io.optimus.yarn.read;

import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Translates the names of nodes and racks in blacklists into the node ids of a plan. */
final class NodeNames {
    private final Collection<FiCaSchedulerNode> nodes;

    /** Names {@code nodes}. */
    NodeNames(Collection<FiCaSchedulerNode> nodes) {
        this.nodes = nodes;
    }

    /** {@code host:port} of all nodes whose name or rack is in {@code names}. */
    SortedSet<String> idsOf(Set<String> names) {
        return names.isEmpty()
                ? new TreeSet<>()
                : nodes.stream()
                        .filter(node -> names.contains(node.getNodeName()) || names.contains(node.getRackName()))
                        .map(node -> node.getNodeID().toString())
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
