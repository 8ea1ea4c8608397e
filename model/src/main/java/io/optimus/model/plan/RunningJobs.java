package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.InterruptedComputationException;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.placement.Placer;
import io.optimus.model.policy.AllocationPolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Runs a policy over a queue in which running jobs keep their minimums, if {@link QueueSnapshot#keepsRunning} says so and these
 * have room together. Where the policy would stop such a job, it decides again with the job's minimum as tasks that the job may
 * not give up.
 *
 * <p>Example: jobs A and B run on 8 GPUs each, with a minimum of 2, and others have taken all but 4 GPUs. The policy would give
 * all 4 to A. B keeps 2, and A gets the other 2.
 */
final class RunningJobs {
    /** After so many decisions, all running jobs keep their minimums, not only those that would be stopped. */
    private static final int MOST_DECISIONS = 3;

    private static final Placer IN_PLACE = new OptimusPlacer();

    private final AllocationPolicy policy;
    private final QueueSnapshot queue;

    RunningJobs(AllocationPolicy policy, QueueSnapshot queue) {
        this.policy = policy;
        this.queue = queue;
    }

    AllocationDecision allocate() {
        AllocationDecision decision = new LimitedJobsAllocation(policy, queue).allocate();
        Set<String> stopped = stopped(decision);
        if (!queue.keepsRunning() || stopped.isEmpty() || !minimumsFit()) {
            return decision;
        }
        Set<String> kept = new HashSet<>();
        for (int decisions = 1; !stopped.isEmpty() && decisions <= MOST_DECISIONS; decisions++) {
            InterruptedComputationException.check();
            kept.addAll(decisions < MOST_DECISIONS ? stopped : running());
            decision = new LimitedJobsAllocation(policy, keeping(kept)).allocate();
            stopped = stopped(decision);
        }
        return decision;
    }

    /**
     * Places the tasks by {@code placer}, or where it would move so many tasks of a running job that fewer than its minimum stay,
     * by one that leaves them where they are: others could take the room on the new nodes first.
     *
     * @param moves tells by id which jobs have to move
     */
    Map<String, Placed> place(Placer placer, AllocationDecision decision, Predicate<String> moves) {
        Map<String, Placed> placed = new AvoidingPlacement(placer, queue, decision).place();
        boolean leaves = queue.keepsRunning()
                && queue.snapshots().stream()
                        .filter(job -> job.isRunning() && !moves.test(job.id()))
                        .anyMatch(job -> !keepsMinimumInPlace(job, decision, placed));
        return leaves ? new AvoidingPlacement(IN_PLACE, queue, decision).place() : placed;
    }

    private boolean keepsMinimumInPlace(JobSnapshot job, AllocationDecision decision, Map<String, Placed> placed) {
        Placed there = placed.get(job.id());
        if (there == null || decision.job(job.id()).allocation().isNone()) {
            return true;
        }
        Set<String> nodes =
                queue.cluster().nodes().stream().map(NodeSnapshot::id).collect(Collectors.toSet());
        Placement held = job.current().within(nodes::contains);
        Allocation stays = Allocation.NONE;
        for (Map.Entry<String, Allocation> tasks : held.byNode().entrySet()) {
            stays = stays.plus(tasks.getValue().min(there.placement().on(tasks.getKey())));
        }
        return job.minimum().min(held.allocation()).isWithin(stays);
    }

    private Set<String> running() {
        return queue.snapshots().stream()
                .filter(JobSnapshot::isRunning)
                .map(JobSnapshot::id)
                .collect(Collectors.toSet());
    }

    private Set<String> stopped(AllocationDecision decision) {
        return queue.snapshots().stream()
                .filter(JobSnapshot::isRunning)
                .map(JobSnapshot::id)
                .filter(id -> decision.job(id).allocation().isNone())
                .collect(Collectors.toSet());
    }

    /** Whether what running jobs need to go on fits into the queue and into the limits of their users. */
    private boolean minimumsFit() {
        Resources needed = Resources.NONE;
        Map<String, Resources> byUser = new HashMap<>();
        for (QueuedJob queued : queue.jobs()) {
            JobSnapshot job = queued.job();
            if (job.isRunning() || !job.mayShrink()) {
                Resources own = job.resources(
                        job.mayShrink() ? job.minimum() : job.current().allocation());
                needed = needed.plus(own);
                byUser.merge(queued.user(), own, Resources::plus);
            }
        }
        return needed.fitsIn(queue.cluster().available())
                && byUser.entrySet().stream().allMatch(user -> user.getValue()
                        .fitsIn(queue.userLimits().getOrDefault(user.getKey(), user.getValue())));
    }

    private QueueSnapshot keeping(Set<String> kept) {
        List<QueuedJob> jobs = queue.jobs().stream()
                .map(queued -> kept.contains(queued.id()) && queued.job().mayShrink()
                        ? queued.with(queued.job().keepingMinimum())
                        : queued)
                .toList();
        return queue.with(jobs);
    }
}
