package io.optimus.model.plan;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.AllocationReason.WithinUsersLimit;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.AllocationPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Runs a policy over a queue within CapacityScheduler's limit for each user. The jobs of a user who got too much are allocated
 * again within the user's limit, and the other jobs share what is left.
 *
 * <p>Example: there are 8 GPUs, and user ann may have 4. The policy gives ann's job 6 GPUs and bob's job 2. The job of ann is
 * allocated again within 4 GPUs, then the job of bob within the 4 that are left.
 */
final class UserLimits {
    private final AllocationPolicy policy;
    private final Map<String, String> userOfJob;
    private final Map<String, Resources> limits;
    private final Map<String, Resources> taken;

    /**
     * Limits a policy.
     *
     * @param limits what all jobs of a user may take; a user without an entry is not limited
     * @param taken the part of it that other jobs of a user have
     */
    UserLimits(
            AllocationPolicy policy,
            Map<String, String> userOfJob,
            Map<String, Resources> limits,
            Map<String, Resources> taken) {
        this.policy = policy;
        this.userOfJob = userOfJob;
        this.limits = limits;
        this.taken = taken;
    }

    AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        SortedMap<String, Decided> settled = new TreeMap<>();
        List<JobSnapshot> open = new ArrayList<>(jobs);
        ClusterSnapshot left = cluster;
        while (true) {
            InterruptedComputationException.check();
            AllocationDecision decision = policy.allocate(left, open);
            Optional<String> over = firstOver(open, decision);
            if (over.isEmpty()) {
                settled.putAll(decision.byJob());
                return new AllocationDecision(settled);
            }
            List<JobSnapshot> theirs = of(open, over.get());
            Resources budget = left.available().minus(keptByOthers(open, over.get()));
            Resources others = takenBy(over.get());
            Resources limit =
                    limits.getOrDefault(over.get(), budget).minus(others).min(budget);
            AllocationDecision within = policy.allocate(new ClusterSnapshot(left.nodes(), limit), theirs);
            String scarce = total(theirs, decision).dominant(limit).resource();
            within.byJob()
                    .forEach((job, decided) ->
                            settled.put(job, limited(decided, over.get(), limit.plus(others), scarce)));
            left = new ClusterSnapshot(left.nodes(), left.available().minus(total(theirs, within)));
            open.removeAll(theirs);
        }
    }

    /** The resources that jobs of other users hold and may not give up. */
    private Resources keptByOthers(List<JobSnapshot> jobs, String user) {
        return jobs.stream()
                .filter(job -> !job.mayShrink() && !user.equals(userOfJob.getOrDefault(job.id(), "")))
                .map(job -> job.resources(job.current().allocation()))
                .reduce(Resources.NONE, Resources::plus);
    }

    private static Decided limited(Decided decided, String user, Resources limit, String resource) {
        AllocationReason reason = new WithinUsersLimit(decided.reason(), user, limit.amount(resource), resource);
        return new Decided(decided.allocation(), reason, decided.exploring(), decided.guaranteed(), Optional.empty());
    }

    private Optional<String> firstOver(List<JobSnapshot> jobs, AllocationDecision decision) {
        return jobs.stream()
                .map(job -> userOfJob.getOrDefault(job.id(), ""))
                .distinct()
                .sorted()
                .filter(limits::containsKey)
                .filter(user -> !total(of(jobs, user), decision)
                        .fitsIn(limits.getOrDefault(user, Resources.NONE).minus(takenBy(user))))
                .findFirst();
    }

    private Resources takenBy(String user) {
        return taken.getOrDefault(user, Resources.NONE);
    }

    private List<JobSnapshot> of(List<JobSnapshot> jobs, String user) {
        return jobs.stream()
                .filter(job -> user.equals(userOfJob.getOrDefault(job.id(), "")))
                .toList();
    }

    private static Resources total(List<JobSnapshot> jobs, AllocationDecision decision) {
        Resources total = Resources.NONE;
        for (JobSnapshot job : jobs) {
            Decided decided = decision.byJob().get(job.id());
            if (decided != null) {
                total = total.plus(job.resources(decided.allocation()));
            }
        }
        return total;
    }
}
