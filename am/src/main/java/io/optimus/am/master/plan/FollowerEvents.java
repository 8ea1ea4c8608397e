package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.SortedSet;

/** What following the plan leads to; for the journal, the page and the end of the job. */
public interface FollowerEvents {
    /** A directive was taken up. */
    void following(Directive directive);

    /** A task was given a container. */
    void started(JobTask task);

    /** The training was asked for another membership under the present directive. */
    void resizing(Allocation from, Allocation to, SortedSet<TaskId> members, Directive directive);

    /** YARN did not give {@code count} containers in time; the asks are withdrawn for a while. */
    void unmet(RoleOnNode seat, int count);

    /** Tasks failed often on {@code nodes}: none is started there until this is called again. */
    void avoiding(SortedSet<String> nodes);

    /** A container ended that should not have. */
    void lost(JobTask task, ContainerExit exit);

    /** So many tasks failed that the job cannot go on. */
    void failed(String diagnostics);
}
