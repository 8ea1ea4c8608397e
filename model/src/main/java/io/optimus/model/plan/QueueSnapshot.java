package io.optimus.model.plan;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.PlausibleEnds;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A leaf queue with the jobs that a round plans in it.
 *
 * @param queue its path, such as {@code root.research}
 * @param cluster nodes and budget of these jobs, before any other queue is planned
 * @param userLimits the most that the tasks of a user may use, by user; users without an entry are not limited
 * @param jobsPerUser the jobs of one user that count beside those of other users; 0 for all
 * @param keepsRunning whether running jobs keep their minimums as long as these have room together. It is so where ordinary
 *     applications that came later took room of the queue or wait for it
 * @param jobs its jobs, in any order
 */
public record QueueSnapshot(
        String queue,
        ClusterSnapshot cluster,
        SortedMap<String, Resources> userLimits,
        int jobsPerUser,
        boolean keepsRunning,
        List<QueuedJob> jobs) {
    public QueueSnapshot {
        userLimits = Collections.unmodifiableSortedMap(new TreeMap<>(userLimits));
        jobs = List.copyOf(jobs);
    }

    /** A queue in which all jobs of every user count, and which has jobs only. */
    public QueueSnapshot(
            String queue, ClusterSnapshot cluster, SortedMap<String, Resources> userLimits, List<QueuedJob> jobs) {
        this(queue, cluster, userLimits, 0, false, jobs);
    }

    List<JobSnapshot> snapshots() {
        return jobs.stream().map(QueuedJob::job).toList();
    }

    Map<String, String> userOfJob() {
        return jobs.stream().collect(Collectors.toMap(QueuedJob::id, QueuedJob::user));
    }

    /** The same queue, where no job counts with far more work than the others: see {@link PlausibleEnds}. */
    QueueSnapshot withPlausibleEnds() {
        List<JobSnapshot> plausible = PlausibleEnds.of(snapshots());
        List<QueuedJob> bounded = IntStream.range(0, jobs.size())
                .mapToObj(i -> jobs.get(i).with(plausible.get(i)))
                .toList();
        return with(bounded);
    }

    /** The same queue with other jobs. */
    public QueueSnapshot with(List<QueuedJob> others) {
        return new QueueSnapshot(queue, cluster, userLimits, jobsPerUser, keepsRunning, others);
    }

    /** The same queue on other nodes, or with another budget. */
    public QueueSnapshot within(ClusterSnapshot smaller) {
        return new QueueSnapshot(queue, smaller, userLimits, jobsPerUser, keepsRunning, jobs);
    }
}
