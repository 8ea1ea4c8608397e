package io.optimus.model.policy.speedup;

/**
 * How much of one shape the nodes host.
 *
 * @param onOneNode the most that one node has room for, 0 or more
 * @param inAll on all nodes together, node by node, within what may be used; 0 or more
 */
public record Hosting(int onOneNode, int inAll) {
    /** The fewest nodes that so many can be on, 1 or more; 1 where no node hosts any. */
    public int fewestNodes(int count) {
        return onOneNode == 0 ? 1 : (int) Math.max(1, ((long) count + onOneNode - 1) / onOneNode);
    }

    /** An equal part of all for each of {@code jobs} jobs, rounded up. */
    public int fair(int jobs) {
        return (int) (((long) inAll + jobs - 1) / jobs);
    }
}
