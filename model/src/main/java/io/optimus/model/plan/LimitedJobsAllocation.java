package io.optimus.model.plan;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason.AfterCountedJobs;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.policy.AllocationPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Runs a policy over a queue in which only so many jobs of each user count, so that nobody gets more by cutting work into more
 * jobs. A user's jobs that may not shrink count first, then those of larger priority, those that run, and those that were
 * submitted first. The policy divides the queue among the jobs that count, and then what is left among the others. Where all jobs
 * are of one user, all count.
 *
 * <p>Example: two jobs of a user count, and there are 9 GPUs. Ann has four jobs and bob has one. Ann's first two jobs and bob's
 * job get 3 GPUs each. If bob's job can use only one, and ann's first two three each, her other jobs share the 2 that are left.
 */
final class LimitedJobsAllocation {
    private final AllocationPolicy policy;
    private final QueueSnapshot queue;
    private final Map<String, String> userOfJob;

    LimitedJobsAllocation(AllocationPolicy policy, QueueSnapshot queue) {
        this.policy = policy;
        this.queue = queue;
        this.userOfJob = queue.userOfJob();
    }

    AllocationDecision allocate() {
        List<JobSnapshot> counted = new ArrayList<>();
        List<JobSnapshot> others = new ArrayList<>();
        split(counted, others);
        ClusterSnapshot cluster = queue.cluster();
        if (others.isEmpty()) {
            return within(Map.of()).allocate(cluster, counted);
        }
        AllocationDecision first = within(Map.of()).allocate(reduced(cluster, keptBy(others)), counted);
        Map<String, Resources> taken = new HashMap<>();
        Resources sum = Resources.NONE;
        for (JobSnapshot job : counted) {
            Resources tasks = job.resources(first.job(job.id()).allocation());
            taken.merge(user(job), tasks, Resources::plus);
            sum = sum.plus(tasks);
        }
        AllocationDecision second = within(taken).allocate(reduced(cluster, sum), others);
        SortedMap<String, Decided> all = new TreeMap<>(first.byJob());
        others.forEach(job -> all.put(job.id(), explained(job, second.job(job.id()))));
        return new AllocationDecision(all);
    }

    private UserLimits within(Map<String, Resources> taken) {
        return new UserLimits(policy, userOfJob, queue.userLimits(), taken);
    }

    private void split(List<JobSnapshot> counted, List<JobSnapshot> others) {
        if (queue.jobsPerUser() == 0 || userOfJob.values().stream().distinct().count() < 2) {
            counted.addAll(queue.snapshots());
            return;
        }
        Map<String, Integer> ofUser = new HashMap<>();
        queue.snapshots().stream()
                .sorted(Comparator.comparing(JobSnapshot::mayShrink).thenComparing(Precedence.BY_RIGHT))
                .forEach(job -> {
                    int number = ofUser.merge(user(job), 1, Integer::sum);
                    (number <= queue.jobsPerUser() ? counted : others).add(job);
                });
    }

    private String user(JobSnapshot job) {
        return userOfJob.getOrDefault(job.id(), "");
    }

    /** The resources that those of {@code jobs} hold which may not shrink. */
    private static Resources keptBy(List<JobSnapshot> jobs) {
        return jobs.stream()
                .filter(job -> !job.mayShrink())
                .map(job -> job.resources(job.current().allocation()))
                .reduce(Resources.NONE, Resources::plus);
    }

    private static ClusterSnapshot reduced(ClusterSnapshot cluster, Resources taken) {
        return new ClusterSnapshot(cluster.nodes(), cluster.available().minus(taken));
    }

    /** Places were searched without the jobs that count, so the placer chooses them anew. */
    private Decided explained(JobSnapshot job, Decided decided) {
        return new Decided(
                decided.allocation(),
                new AfterCountedJobs(decided.reason(), user(job), queue.jobsPerUser()),
                decided.exploring(),
                decided.guaranteed(),
                Optional.empty());
    }
}
