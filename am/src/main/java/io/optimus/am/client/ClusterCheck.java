package io.optimus.am.client;

import io.optimus.am.client.Cluster.LargestContainer;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.Problem;
import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds what a job asks for and a cluster does not have. */
final class ClusterCheck {
    private static final Map<String, String> KEYS =
            Map.of(Resources.MEMORY_MB, "memoryMb", Resources.VCORES, "vcores", Resources.GPUS, "gpus");

    private final JobFile file;
    private final LargestContainer largest;
    private final List<Problem> problems = new ArrayList<>();

    private ClusterCheck(JobFile file, LargestContainer largest) {
        this.file = file;
        this.largest = largest;
    }

    /** Every reason for which a cluster would not take the job, or never run it. */
    static List<Problem> problems(JobFile file, LargestContainer largest, List<Queue> queues) {
        ClusterCheck check = new ClusterCheck(file, largest);
        JobSpec spec = file.spec();
        QueueCheck.problem(spec.queue(), queues)
                .ifPresent(sentence -> check.problems.add(file.problem("queue", sentence)));
        check.container("roles.worker", spec.worker().task());
        check.container("roles.ps", spec.parameterServer().task());
        check.container(
                "applicationMaster",
                Resources.of(spec.master().memoryMb(), spec.master().vcores(), 0));
        return List.copyOf(check.problems);
    }

    private void container(String section, Resources task) {
        task.amounts().forEach((name, amount) -> {
            String key = section + "." + KEYS.getOrDefault(name, "resources." + name);
            if (!largest.names().contains(name)) {
                problems.add(file.problem(key, unknown(name)));
            } else if (amount > largest.amounts().amount(name)) {
                problems.add(file.problem(key, tooLarge(name, amount)));
            }
        });
    }

    private String unknown(String name) {
        return "the cluster counts no resource " + name + ", only " + String.join(", ", largest.names())
                + ": leave the key out, or have " + name
                + " added to yarn.resource-types in the cluster's resource-types.xml";
    }

    private String tooLarge(String name, long amount) {
        long most = largest.amounts().amount(name);
        if (most == 0) {
            return "no node of the cluster offers " + name + ", " + amount
                    + " are asked for: leave the key out, or have yarn.nodemanager.resource-type." + name
                    + " set on nodes";
        }
        return amount + " is above the cluster's largest container, which has " + most + " of " + name
                + ": lower it, or have yarn.scheduler.maximum-allocation raised for " + name;
    }
}
