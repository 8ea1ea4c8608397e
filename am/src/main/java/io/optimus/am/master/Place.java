package io.optimus.am.master;

/**
 * Where a task shall run.
 *
 * @param node YARN's node id, host:port
 * @param resourceName the name by which resource requests name the node
 */
record Place(String node, String resourceName) implements Comparable<Place> {
    /** Wherever YARN gives room: for a job that sizes itself. */
    static final Place ANYWHERE = new Place("*", "*");

    @Override
    public int compareTo(Place other) {
        return node.compareTo(other.node);
    }

    /** A node is the same by whatever name it is asked for. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Place place && node.equals(place.node);
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
