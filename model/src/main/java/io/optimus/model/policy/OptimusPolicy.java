package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.exploration.Exploration;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.CompletionTime;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.ExplorationSizes;
import io.optimus.model.policy.division.Participant;
import java.util.List;
import java.util.function.Function;

/**
 * Tasks go where they save the most completion time per share of the cluster (Optimus, section 4.1).
 *
 * <ol>
 *   <li>Jobs that may not shrink keep what they hold, even where limits were lowered below it.
 *   <li>Every job gets its minimum, whole or not at all, while it fits: larger priority first, then jobs that run
 *       (no running job is stopped for an equal one), then submit time, then id.
 *   <li>While anything gains: the job with the largest gain gets its task,
 *       <pre>gain = max( (Q/f(p,w) − Q/f(p,w+1)) / D_worker, (Q/f(p,w) − Q/f(p+1,w)) / D_ps )</pre>
 *       with Q remaining steps, f the speed function, D the share of the cluster that a task takes of its dominant resource. If
 *       neither task gains, one of each together is tried, over the sum of the shares. If that does not gain either, 2, 4, 8 …
 *       at a time are tried, because a job that outgrows its nodes is slower at first (this is ours; {@link #stepByStep} omits
 *       it). A task without room is dropped; its job and the loop go on. Gains of young jobs count 0.95 times.
 *   <li>A job that is to explore a size gets it from its own resources and those left. Jobs of unknown speed that explore
 *       nothing keep the size that they run on, as far as there is room.
 * </ol>
 *
 * <p>A job with a known speed whose end is not predicted yet is assumed to need, on its minimum, the median of the times of the
 * others on theirs, or an hour if no end is predicted. A job that stands still (its speed is too small for a double) gains
 * infinitely from the task that lets it step. That task comes first, because the job would never end without it.
 *
 * <p>Example: 4 GPUs, A and B on 1 ps + 1 worker each, a worker takes 1 GPU. A needs 100 s, or 60 s with one more worker; B
 * needs 50 s or 25 s. The third GPU goes to A: 40 s / (1/4) against 25 s / (1/4).
 */
public final class OptimusPolicy implements AllocationPolicy {
    /** No cluster has so many tasks. */
    private static final int FURTHEST = 1 << 20;

    private final int furthest;

    /** Jobs may grow by several tasks at a time. */
    public OptimusPolicy() {
        this(FURTHEST);
    }

    private OptimusPolicy(int furthest) {
        this.furthest = furthest;
    }

    /** Jobs grow by one task of one role at a time, as published: a job that is slower with it grows no further. */
    public static OptimusPolicy stepByStep() {
        return new OptimusPolicy(1);
    }

    @Override
    public String name() {
        return "optimus";
    }

    /** True ends need no bound. */
    @Override
    public boolean favoursMoreWork() {
        return furthest == FURTHEST;
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byRight(cluster, jobs);
        List<Participant> running = division.giveMinimums();
        new GreedyGrowth(division).grow(growing(running));
        new ExplorationSizes(division, true, OptimusPolicy::canAfford).give();
        return division.decision();
    }

    private static boolean canAfford(Participant participant, Allocation size) {
        return Exploration.isAffordable(participant.job().speed().orElseThrow(), size, participant.given());
    }

    private List<GrowingJob> growing(List<Participant> running) {
        List<Participant> known = running.stream()
                .filter(participant -> participant.job().speed().isPresent())
                .toList();
        Function<JobSnapshot, CompletionTime> completion =
                CompletionTime.of(known.stream().map(Participant::job).toList());
        return known.stream()
                .map(participant -> new GrowingJob(participant, completion.apply(participant.job()), furthest))
                .toList();
    }
}
