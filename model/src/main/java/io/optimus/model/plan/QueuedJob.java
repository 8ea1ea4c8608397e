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
 * @param job what is allocated and placed; {@link JobSnapshot#current()} is what it holds now
 * @param user who submitted it
 * @param inForce what the last plan has in mind for it
 * @param underWay whether it has not carried that out yet
 * @param avoidedNodes ids of nodes where it shall get no new task
 * @param gpuTypes types of GPUs that its owner accepts; none: any
 */
public record QueuedJob(
        JobSnapshot job,
        String user,
        Proposal inForce,
        boolean underWay,
        SortedSet<String> avoidedNodes,
        SortedSet<String> gpuTypes) {
    /** Whoever was submitted first comes first; no two are equal. */
    static final Comparator<QueuedJob> BY_AGE = Comparator.comparing(QueuedJob::job, Precedence.BY_AGE);

    /** Copies. */
    public QueuedJob {
        avoidedNodes = Collections.unmodifiableSortedSet(new TreeSet<>(avoidedNodes));
        gpuTypes = Collections.unmodifiableSortedSet(new TreeSet<>(gpuTypes));
    }

    /** A job of which no plan was made yet, that avoids no node and accepts any GPU. */
    public static QueuedJob of(JobSnapshot job, String user) {
        return new QueuedJob(
                job,
                user,
                new Proposal(job.current(), "", false),
                false,
                Collections.emptySortedSet(),
                Collections.emptySortedSet());
    }

    /** The same with another snapshot of the job. */
    QueuedJob with(JobSnapshot snapshot) {
        return new QueuedJob(snapshot, user, inForce, underWay, avoidedNodes, gpuTypes);
    }

    String id() {
        return job.id();
    }

    /** What is in force, where it can be: a job may have come to avoid a node since. */
    Placement old() {
        return isKeptOff(inForce.planned()) ? inForce.planned() : job.current();
    }

    /** {@code proposal}; where the same is under way already, that, for the reason that it was decided for. */
    Proposal goingOn(Proposal proposal) {
        boolean same = proposal.planned().equals(inForce.planned()) && proposal.exploring() == inForce.exploring();
        return underWay && same ? inForce : proposal;
    }

    /** Whether {@code placement} has no more tasks on the nodes that the job avoids than run there. */
    boolean isKeptOff(Placement placement) {
        return avoidedNodes.stream()
                .allMatch(node -> placement.on(node).isWithin(job.current().on(node)));
    }

    /** Avoided nodes where nothing of it runs. */
    Set<String> avoidedAndEmpty() {
        Set<String> nodes = new TreeSet<>(avoidedNodes);
        nodes.removeIf(node -> !job.current().on(node).isNone());
        return nodes;
    }
}
