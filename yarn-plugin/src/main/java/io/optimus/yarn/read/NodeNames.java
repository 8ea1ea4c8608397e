package io.optimus.yarn.read;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** Translates the names of nodes and racks in blacklists into the node ids of a plan. */
final class NodeNames {
    private final List<Node> nodes;

    private record Node(String id, String name, String rack) {
        private static Node of(FiCaSchedulerNode node) {
            return new Node(node.getNodeID().toString(), node.getNodeName(), node.getRackName());
        }
    }

    /** Copies the names of {@code nodes}. */
    NodeNames(Collection<FiCaSchedulerNode> nodes) {
        this.nodes = nodes.stream().map(Node::of).toList();
    }

    /** {@code host:port} of all nodes whose name or rack is in {@code names}. */
    SortedSet<String> idsOf(Set<String> names) {
        return names.isEmpty()
                ? new TreeSet<>()
                : nodes.stream()
                        .filter(node -> names.contains(node.name()) || names.contains(node.rack()))
                        .map(Node::id)
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
