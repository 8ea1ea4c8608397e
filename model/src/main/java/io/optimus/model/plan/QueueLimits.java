package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.LimitReason;
import io.optimus.model.decision.ReasonKind;
import io.optimus.model.job.JobSnapshot;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says of the jobs of a queue whether its limit, and not the nodes, keeps them below what they could use.
 *
 * <p>Example: training in a queue may take 4 GPUs, its jobs have all 4, and 6 more are free on nodes. A job that would grow to
 * 6 workers has the limit as a part of its reason.
 */
final class QueueLimits {
    /** Only a job with one of these would take more. */
    private static final Set<ReasonKind> WANTS_MORE = EnumSet.of(
            ReasonKind.NO_ROOM,
            ReasonKind.SCATTERED,
            ReasonKind.OUTBID,
            ReasonKind.COMES_LATER,
            ReasonKind.BEST_FOR_ALL);

    private final QueueSnapshot queue;
    private final Resources left;
    private final Map<String, Resources> room = new HashMap<>();
    private final Resources free;

    private QueueLimits(QueueSnapshot queue, Map<String, Proposal> proposals) {
        this.queue = queue;
        Resources used = Resources.NONE;
        NodeUse use = new NodeUse();
        for (QueuedJob job : queue.jobs()) {
            Proposal proposal = proposals.get(job.id());
            if (proposal != null) {
                used = used.plus(job.job().resources(proposal.planned().allocation()));
                use.add(job.job(), proposal.planned());
            }
        }
        this.left = queue.cluster().budget().minus(used);
        Resources sum = Resources.NONE;
        for (NodeSnapshot node : queue.cluster().nodes()) {
            Resources here = node.available().minus(use.on(node.id())).max(Resources.NONE);
            room.put(node.id(), here);
            sum = sum.plus(here);
        }
        this.free = sum;
    }

    /** {@code proposals} with the limit of the queue in the reasons of those jobs that it holds. */
    static Map<String, Proposal> explained(QueueSnapshot queue, Map<String, Proposal> proposals) {
        boolean wanted = queue.jobs().stream().anyMatch(job -> Optional.ofNullable(proposals.get(job.id()))
                .filter(proposal -> isBelowMaximum(job.job(), proposal))
                .isPresent());
        if (!wanted) {
            return proposals;
        }
        QueueLimits limits = new QueueLimits(queue, proposals);
        Map<String, Proposal> explained = new HashMap<>(proposals);
        for (QueuedJob job : queue.jobs()) {
            explained.computeIfPresent(job.id(), (id, proposal) -> limits.limit(job.job(), proposal)
                    .map(limit -> because(proposal, limit))
                    .orElse(proposal));
        }
        return explained;
    }

    private static boolean isBelowMaximum(JobSnapshot job, Proposal proposal) {
        return !job.maximum().isWithin(proposal.planned().allocation());
    }

    private static Proposal because(Proposal proposal, LimitReason limit) {
        return new Proposal(
                proposal.planned(),
                () -> {
                    Explanation why = proposal.explanation();
                    return why.kinds().stream().anyMatch(WANTS_MORE::contains) ? why.and(limit) : why;
                },
                proposal.exploring());
    }

    /** The limit that keeps the job from its next task; empty if none does, or the nodes have no room for that either. */
    private Optional<LimitReason> limit(JobSnapshot job, Proposal proposal) {
        if (!isBelowMaximum(job, proposal)) {
            return Optional.empty();
        }
        Allocation more = next(job, proposal.planned().allocation());
        Resources needed = job.resources(more);
        if (!needed.fitsIn(free) || !hostsOne(job, more)) {
            return Optional.empty();
        }
        return needed.amounts().keySet().stream()
                .filter(resource -> needed.amount(resource) > Math.max(0, left.amount(resource)))
                .findFirst()
                .map(resource -> new LimitReason.OfQueue(
                        queue.queue(),
                        resource,
                        queue.cluster().budget().amount(resource),
                        free.amount(resource) - Math.max(0, left.amount(resource))));
    }

    private static Allocation next(JobSnapshot job, Allocation planned) {
        if (planned.isNone()) {
            return job.minimum();
        }
        boolean moreWorkers = planned.workers() < job.maximum().workers();
        return Allocation.NONE.plus(moreWorkers ? Role.WORKER : Role.PARAMETER_SERVER, 1);
    }

    /** Whether a node has room for a task of each role of {@code more}. */
    private boolean hostsOne(JobSnapshot job, Allocation more) {
        for (Role role : Role.values()) {
            Resources task = job.demand().of(role).task();
            if (more.count(role) > 0 && room.values().stream().noneMatch(task::fitsIn)) {
                return false;
            }
        }
        return true;
    }
}
