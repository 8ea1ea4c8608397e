package io.optimus.model.plan;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobSnapshot;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A leaf queue with the jobs that a round plans in it.
 *
 * @param queue its path, such as {@code root.research}
 * @param cluster nodes and budget of these jobs, before any other queue is planned
 * @param userLimits the most that the tasks of a user may use, by user; users without an entry are not limited
 * @param jobs its jobs, in any order
 */
public record QueueSnapshot(
        String queue, ClusterSnapshot cluster, SortedMap<String, Resources> userLimits, List<QueuedJob> jobs) {
    public QueueSnapshot {
        userLimits = Collections.unmodifiableSortedMap(new TreeMap<>(userLimits));
        jobs = List.copyOf(jobs);
    }

    List<JobSnapshot> snapshots() {
        return jobs.stream().map(QueuedJob::job).toList();
    }

    Map<String, String> userOfJob() {
        return jobs.stream().collect(Collectors.toMap(QueuedJob::id, QueuedJob::user));
    }

    QueueSnapshot within(ClusterSnapshot smaller) {
        return new QueueSnapshot(queue, smaller, userLimits, jobs);
    }
}
