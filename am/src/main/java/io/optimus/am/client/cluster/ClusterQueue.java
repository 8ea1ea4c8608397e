package io.optimus.am.client.cluster;

/**
 * A queue of the cluster as the user sees it.
 *
 * @param path from the root on, as {@code root.research.vision}
 * @param leaf whether jobs run in it, rather than in queues below it
 * @param state as YARN writes it: {@code RUNNING}, {@code STOPPED}, {@code DRAINING}
 * @param maySubmit whether the user may submit to it
 */
public record ClusterQueue(String path, boolean leaf, String state, boolean maySubmit) {
    /** Whether {@code name}, a path or its last word, means this queue. */
    boolean isNamed(String name) {
        return path.equals(name) || path.endsWith("." + name);
    }

    boolean takesJobs() {
        return leaf && state.equals("RUNNING") && maySubmit;
    }
}
