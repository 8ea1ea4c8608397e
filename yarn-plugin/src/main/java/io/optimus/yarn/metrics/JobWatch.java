package io.optimus.yarn.metrics;

import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.ReasonKind;
import io.optimus.model.job.Placement;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.metrics.JobFigures.InQueue;
import io.optimus.yarn.metrics.JobFigures.Waits;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Watches which jobs wait, for what and since when, and which are silent. Owned by the thread of the rounds.
 *
 * <p>A job waits while it trains on no task, since this scheduler first saw it so. It is silent after ten report intervals
 * without a report, but not before half a minute: a long collection of garbage is no reason to call anybody.
 */
public final class JobWatch {
    private static final int SILENT_INTERVALS = 10;
    private static final long LEAST_SILENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    /** In place of a kind of reason: the plan gives the job tasks, and it trains on none yet. */
    private static final String STARTING = "starting";

    private Map<ApplicationId, Long> waitsSince = Map.of();

    /**
     * The figures of {@code jobs} at {@code nowMillis}.
     *
     * @param reportIntervalMillis time between two reports of a job
     */
    public JobFigures observe(List<JobView> jobs, PublishedPlan plan, long reportIntervalMillis, long nowMillis) {
        Count count =
                new Count(plan, Math.max(LEAST_SILENCE_MILLIS, SILENT_INTERVALS * reportIntervalMillis), nowMillis);
        jobs.forEach(count::add);
        waitsSince = count.since;
        return count.figures(jobs.size());
    }

    /** Counts jobs. */
    private final class Count {
        private final PublishedPlan plan;
        private final long silenceMillis;
        private final long nowMillis;
        private final Map<ApplicationId, Long> since = new HashMap<>();
        private final SortedMap<String, Waits> waits = new TreeMap<>();
        private final SortedMap<String, InQueue> queues = new TreeMap<>();
        private int unplanned;
        private int withoutTasks;
        private int starting;
        private int silent;
        private long longestSilenceMillis;
        private boolean waitingForGpus;

        Count(PublishedPlan plan, long silenceMillis, long nowMillis) {
            this.plan = plan;
            this.silenceMillis = silenceMillis;
            this.nowMillis = nowMillis;
        }

        void add(JobView job) {
            Optional<JobPlan> part = plan.of(job.id());
            unplanned += part.isEmpty() ? 1 : 0;
            if (job.state() == JobView.State.FINISHED) {
                return;
            }
            boolean waiting = job.state() == JobView.State.WAITING;
            queues.merge(job.facts().queue(), new InQueue(1, waiting ? 1 : 0), InQueue::plus);
            long silence = Math.max(0, nowMillis - job.reports().lastMillis());
            longestSilenceMillis = Math.max(longestSilenceMillis, silence);
            silent += silence > silenceMillis ? 1 : 0;
            if (waiting) {
                addWaiting(job, part);
            }
        }

        private void addWaiting(JobView job, Optional<JobPlan> part) {
            boolean starts = part.filter(JobWatch::givesTasks).isPresent();
            starting += starts ? 1 : 0;
            withoutTasks += part.isPresent() && !starts ? 1 : 0;
            waitingForGpus |= needsGpus(job);
            long began = waitsSince.getOrDefault(job.id(), nowMillis);
            since.put(job.id(), began);
            waits.merge(starts ? STARTING : reason(part), new Waits(1, nowMillis - began), Waits::plus);
        }

        JobFigures figures(int registered) {
            return new JobFigures(
                    registered,
                    unplanned,
                    withoutTasks,
                    starting,
                    waitingForGpus,
                    silent,
                    longestSilenceMillis,
                    waits,
                    queues);
        }
    }

    private static boolean givesTasks(JobPlan part) {
        return !part.planned().equals(Placement.NONE);
    }

    private static boolean needsGpus(JobView job) {
        return job.registration()
                        .demand()
                        .resources(job.registration().demand().minimum())
                        .amount(Resources.GPUS)
                > 0;
    }

    private static String reason(Optional<JobPlan> part) {
        return part.flatMap(planned -> planned.why().kinds().stream().findFirst())
                .orElse(ReasonKind.FIRST_PLAN)
                .word();
    }
}
