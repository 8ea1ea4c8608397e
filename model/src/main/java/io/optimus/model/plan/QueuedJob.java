package io.optimus.model.plan;

import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.Precedence;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A job in its queue.
 *
 * @param job its snapshot
 * @param user the user who submitted it
 * @param inForce the proposal of the last plan
 * @param underWay whether it has not yet carried out that proposal
 * @param avoidedNodes ids of nodes on which it gets no new tasks
 * @param gpuTypes types of GPUs that its owner accepts; if empty, any type
 */
public record QueuedJob(
        JobSnapshot job,
        String user,
        Proposal inForce,
        boolean underWay,
        SortedSet<String> avoidedNodes,
        SortedSet<String> gpuTypes) {
    /** Orders by submission, then by id: no two jobs are equal. */
    static final Comparator<QueuedJob> BY_AGE = Comparator.comparing(QueuedJob::job, Precedence.BY_AGE);

    public QueuedJob {
        avoidedNodes = Collections.unmodifiableSortedSet(new TreeSet<>(avoidedNodes));
        gpuTypes = Collections.unmodifiableSortedSet(new TreeSet<>(gpuTypes));
    }

    /** A job that no plan covers yet, that avoids no node and accepts any GPU. */
    public static QueuedJob of(JobSnapshot job, String user) {
        return new QueuedJob(
                job,
                user,
                Proposal.of(job.current()),
                false,
                Collections.emptySortedSet(),
                Collections.emptySortedSet());
    }

    QueuedJob with(JobSnapshot snapshot) {
        return new QueuedJob(snapshot, user, inForce, underWay, avoidedNodes, gpuTypes);
    }

    String id() {
        return job.id();
    }

    /** The placement in force, or the current one if the job meanwhile avoids a node of the former. */
    Placement old() {
        return addsNothingOnAvoided(inForce.planned()) ? inForce.planned() : job.current();
    }

    /** {@code proposal}, or the proposal in force if both are the same and it is under way: its reason still holds. */
    Proposal orInForce(Proposal proposal) {
        boolean same = proposal.planned().equals(inForce.planned()) && proposal.exploring() == inForce.exploring();
        return underWay && same ? inForce : proposal;
    }

    /** Whether {@code placement} adds no tasks on nodes that the job avoids. */
    boolean addsNothingOnAvoided(Placement placement) {
        return avoidedNodes.stream()
                .allMatch(node -> placement.on(node).isWithin(job.current().on(node)));
    }

    Set<String> avoidedAndEmpty() {
        Set<String> nodes = new TreeSet<>(avoidedNodes);
        nodes.removeIf(node -> !job.current().on(node).isNone());
        return nodes;
    }
}
