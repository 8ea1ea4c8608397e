package io.optimus.am.master.yarn;

/**
 * Where a task shall run.
 *
 * @param node YARN's node id, host:port
 * @param resourceName the name by which resource requests name the node
 */
public record TargetNode(String node, String resourceName) implements Comparable<TargetNode> {
    /** Wherever YARN gives room: for a job that sizes itself. */
    public static final TargetNode ANYWHERE = new TargetNode("*", "*");

    @Override
    public int compareTo(TargetNode other) {
        return node.compareTo(other.node);
    }

    /** A node is the same by whatever name it is asked for. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TargetNode place && node.equals(place.node);
    }

    @Override
    public int hashCode() {
        return node.hashCode();
    }

    @Override
    public String toString() {
        return node;
    }
}
