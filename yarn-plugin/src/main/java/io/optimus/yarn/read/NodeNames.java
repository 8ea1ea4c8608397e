package io.optimus.yarn.read;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** What requests and blacklists call nodes, and the ids by which a plan does. */
final class NodeNames {
    private final List<Node> nodes;
    private final Map<String, String> ids;

    private record Node(String id, String name, String rack) {
        private static Node of(FiCaSchedulerNode node) {
            return new Node(node.getNodeID().toString(), node.getNodeName(), node.getRackName());
        }
    }

    /** Copies the names of {@code nodes}, of which several may share one. */
    NodeNames(Collection<FiCaSchedulerNode> nodes) {
        this.nodes = nodes.stream().map(Node::of).toList();
        ids = this.nodes.stream().collect(Collectors.toMap(Node::name, Node::id, (first, second) -> first));
    }

    /** {@code host:port} of the node that requests call {@code name}; of the first where several are called so. */
    Optional<String> id(String name) {
        return Optional.ofNullable(ids.get(name));
    }

    /** {@code host:port} of all nodes that are in {@code names}, or whose rack is. */
    SortedSet<String> idsOf(Set<String> names) {
        return names.isEmpty()
                ? new TreeSet<>()
                : nodes.stream()
                        .filter(node -> names.contains(node.name()) || names.contains(node.rack()))
                        .map(Node::id)
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
