package io.optimus.yarn.metrics;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What all training jobs do at one moment. Jobs that have ended count as registered only.
 *
 * @param registered jobs that are registered
 * @param unplanned jobs that no plan covers yet
 * @param withoutTasks jobs that the plan gives no task and that train on none
 * @param starting jobs that the plan gives tasks and that train on none yet
 * @param waitingForGpus whether one of these jobs needs GPUs
 * @param silent jobs that have not reported for longer than {@link JobWatch} says
 * @param longestSilenceMillis the longest time since the last report of a job
 * @param waits jobs that train on no task, by the kind of their reason
 * @param queues jobs by the path of their queue
 */
public record JobFigures(
        int registered,
        int unplanned,
        int withoutTasks,
        int starting,
        boolean waitingForGpus,
        int silent,
        long longestSilenceMillis,
        SortedMap<String, Waits> waits,
        SortedMap<String, InQueue> queues) {
    /** There are no jobs. */
    static final JobFigures NONE = new JobFigures(0, 0, 0, 0, false, 0, 0, new TreeMap<>(), new TreeMap<>());

    public JobFigures {
        waits = Collections.unmodifiableSortedMap(new TreeMap<>(waits));
        queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
    }

    /**
     * Jobs that wait for the same reason.
     *
     * @param jobs how many
     * @param longestMillis how long the longest of them has trained on no task
     */
    public record Waits(int jobs, long longestMillis) {
        Waits plus(Waits other) {
            return new Waits(jobs + other.jobs, Math.max(longestMillis, other.longestMillis));
        }
    }

    /**
     * Jobs of one queue.
     *
     * @param jobs how many, without those that have ended
     * @param waiting those of them that train on no task
     */
    public record InQueue(int jobs, int waiting) {
        InQueue plus(InQueue other) {
            return new InQueue(jobs + other.jobs, waiting + other.waiting);
        }
    }
}
