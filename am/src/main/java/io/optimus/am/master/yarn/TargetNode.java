package io.optimus.am.master.yarn;

/**
 * A node as a directive names it. Two are equal if their ids are, whatever the resource name.
 *
 * @param id YARN's node id, host:port
 * @param resourceName the node's name in resource requests
 */
public record TargetNode(String id, String resourceName) implements Comparable<TargetNode> {
    /** Any node, for a job that sizes itself. */
    public static final TargetNode ANY = new TargetNode("*", "*");

    @Override
    public int compareTo(TargetNode other) {
        return id.compareTo(other.id);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TargetNode node && id.equals(node.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id;
    }
}
