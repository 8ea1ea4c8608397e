package io.optimus.am.client.cluster;

import io.optimus.am.client.cluster.ClusterClient.ClusterQueue;
import io.optimus.am.client.cluster.ClusterClient.LargestContainer;
import io.optimus.am.job.ClusterDemand;
import io.optimus.am.yaml.FileProblem;
import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares what a job asks for with what a cluster has. */
public final class ClusterCheck {
    private static final Map<String, String> KEYS =
            Map.of(Resources.MEMORY_MB, "memoryMb", Resources.VCORES, "vcores", Resources.GPUS, "gpus");

    private final ClusterDemand demand;
    private final LargestContainer largest;
    private final List<FileProblem> problems = new ArrayList<>();

    private ClusterCheck(ClusterDemand demand, LargestContainer largest) {
        this.demand = demand;
        this.largest = largest;
    }

    /** Every reason why the cluster would refuse the job, or never run it. */
    public static List<FileProblem> problems(
            ClusterDemand demand, LargestContainer largest, List<ClusterQueue> queues) {
        ClusterCheck check = new ClusterCheck(demand, largest);
        QueueCheck.problem(demand.queue(), queues)
                .ifPresent(sentence -> check.problems.add(demand.problem("queue", sentence)));
        demand.containers().forEach(check::container);
        return List.copyOf(check.problems);
    }

    private void container(String section, Resources task) {
        task.amounts().forEach((name, amount) -> {
            String key = section + "." + KEYS.getOrDefault(name, "resources." + name);
            if (!largest.names().contains(name)) {
                problems.add(demand.problem(key, unknown(name)));
            } else if (amount > largest.amounts().amount(name)) {
                problems.add(demand.problem(key, tooLarge(name, amount)));
            }
        });
    }

    private String unknown(String name) {
        return "the cluster does not count the resource " + name + ", only " + String.join(", ", largest.names())
                + ": leave the key out, or have " + name
                + " added to yarn.resource-types in the cluster's resource-types.xml";
    }

    private String tooLarge(String name, long amount) {
        long most = largest.amounts().amount(name);
        if (most == 0) {
            return "asks for " + amount + ", and no node of the cluster offers " + name
                    + ": leave the key out, or have yarn.nodemanager.resource-type." + name + " set on nodes";
        }
        return amount + " is above the cluster's largest container, which has " + most + " of " + name
                + ": lower it, or have yarn.scheduler.maximum-allocation raised for " + name;
    }
}
