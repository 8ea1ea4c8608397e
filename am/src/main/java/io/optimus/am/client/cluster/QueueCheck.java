package io.optimus.am.client.cluster;

import io.optimus.am.client.cluster.ClusterClient.ClusterQueue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds out before a submission whether YARN would refuse a job because of its queue.
 *
 * <p>Two kinds of names are left to YARN, because clients cannot see the scheduler's rules for them: {@code default}, for
 * which the cluster's queue mappings may choose a queue, and a path below an existing queue, where the scheduler may create
 * a leaf queue when a job comes.
 */
final class QueueCheck {
    private static final String BY_MAPPING = "default";
    private static final int MOST_NAMED = 20;

    private QueueCheck() {}

    /**
     * What is wrong with submitting to {@code name}, with the remedy; empty if nothing is wrong.
     *
     * @param queues all queues of the cluster; none if they cannot be known
     */
    static Optional<String> problem(String name, List<ClusterQueue> queues) {
        if (queues.isEmpty()) {
            return Optional.empty();
        }
        Optional<ClusterQueue> found =
                queues.stream().filter(queue -> queue.isNamed(name)).findFirst();
        if (found.isEmpty()) {
            return mayBeCreated(name, queues)
                    ? Optional.empty()
                    : Optional.of("the cluster has no queue " + name + ": " + nameOne(queues));
        }
        return found.filter(queue -> !queue.takesJobs()).map(queue -> refusal(queue, queues));
    }

    private static boolean mayBeCreated(String name, List<ClusterQueue> queues) {
        int dot = name.lastIndexOf('.');
        return name.equals(BY_MAPPING)
                || (dot > 0 && queues.stream().anyMatch(queue -> queue.isNamed(name.substring(0, dot))));
    }

    private static String refusal(ClusterQueue queue, List<ClusterQueue> queues) {
        if (!queue.leaf()) {
            return queue.path() + " is not a leaf queue: " + nameOne(queues);
        }
        if (!queue.maySubmit()) {
            return "you may not submit to " + queue.path() + ": " + nameOne(queues)
                    + ", or have yourself added to its acl_submit_applications";
        }
        return queue.path() + " is " + queue.state() + " and takes no jobs: " + nameOne(queues)
                + ", or have it started";
    }

    private static String nameOne(List<ClusterQueue> queues) {
        List<String> open = queues.stream()
                .filter(ClusterQueue::takesJobs)
                .map(ClusterQueue::path)
                .sorted()
                .toList();
        if (open.isEmpty()) {
            return "there is no queue that you may submit to: ask the cluster's administrator for one";
        }
        String names = open.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return (open.size() == 1 ? "there is " : "there are ") + names + (open.size() > MOST_NAMED ? ", …" : "");
    }
}
