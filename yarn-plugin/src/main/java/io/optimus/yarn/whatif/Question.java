package io.optimus.yarn.whatif;

import io.optimus.yarn.configuration.OptimusConfiguration.Policies;
import io.optimus.yarn.read.ClusterCopy.AddedNode;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of the cluster that is asked about.
 *
 * @param job a job that would be submitted; empty for none
 * @param policy name of the policy of all queues; empty for no change
 * @param policies names of policies by path of the queue
 * @param limits the most that queues may use, in percent of their parents, by path
 * @param lostNodes ids of nodes that would be lost
 * @param addedNodes nodes that would be there
 */
public record Question(
        Optional<AskedJob> job,
        Optional<String> policy,
        SortedMap<String, String> policies,
        SortedMap<String, Double> limits,
        SortedSet<String> lostNodes,
        List<AddedNode> addedNodes) {
    public Question {
        policies = Collections.unmodifiableSortedMap(new TreeMap<>(policies));
        limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
        lostNodes = Collections.unmodifiableSortedSet(new TreeSet<>(lostNodes));
        addedNodes = List.copyOf(addedNodes);
    }

    /** The policies with the change. */
    Policies policies(Policies now) {
        SortedMap<String, String> byQueue = policy.isPresent() ? new TreeMap<>() : new TreeMap<>(now.byQueue());
        byQueue.putAll(policies);
        return new Policies(policy.orElse(now.defaultPolicy()), byQueue, now.gpuTypes(), now.distributedJobsPerNode());
    }
}
