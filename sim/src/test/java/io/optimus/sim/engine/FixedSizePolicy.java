package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.model.plan.Strategy;
import io.optimus.model.policy.AllocationPolicy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Policies for tests, simple enough to follow by hand. */
public final class FixedSizePolicy implements AllocationPolicy {
    private final String name;
    private final Sizes sizes;

    private interface Sizes {
        Allocation of(JobSnapshot job, int jobs, Resources left);
    }

    private FixedSizePolicy(String name, Sizes sizes) {
        this.name = name;
        this.sizes = sizes;
    }

    /** Gives jobs the size that they asked for, in order of submission, while that fits. */
    public static NamedStrategy asAsked() {
        return strategy(new FixedSizePolicy(
                "as-asked",
                (job, jobs, left) -> job.resources(job.requested()).fitsIn(left) ? job.requested() : Allocation.NONE));
    }

    /** Divides four workers among the jobs, without parameter servers. */
    public static NamedStrategy quarters() {
        return strategy(new FixedSizePolicy("quarters", (job, jobs, left) -> new Allocation(0, 4 / jobs)));
    }

    /** Never gives a job any tasks. */
    static NamedStrategy nothing() {
        return strategy(new FixedSizePolicy("nothing", (job, jobs, left) -> Allocation.NONE));
    }

    private static NamedStrategy strategy(FixedSizePolicy policy) {
        return new NamedStrategy(
                policy.name(),
                "for tests",
                KnowledgeSource.EXACT,
                Batch.FIXED,
                seed -> new Strategy(policy, new OptimusPlacer(), Strategy.Resizes.AS_DECIDED));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Resources left = cluster.available();
        Map<String, Decided> decided = new HashMap<>();
        List<JobSnapshot> inOrder = jobs.stream()
                .sorted(Comparator.comparingLong(JobSnapshot::submitMillis).thenComparing(JobSnapshot::id))
                .toList();
        for (JobSnapshot job : inOrder) {
            Allocation size = sizes.of(job, jobs.size(), left);
            left = left.minus(job.resources(size));
            decided.put(job.id(), new Decided(size, new AllocationReason.Stated("for a test"), false));
        }
        return AllocationDecision.of(decided);
    }
}
