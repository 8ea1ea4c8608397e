package io.optimus.yarn.capacity;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * Keeps training applications within the published plan: held + reserved + pending ≤ ceiling, by role and node.
 *
 * <p>Applications without a ceiling are untouched, at the cost of one hash look-up. Where nothing is enforced, nothing
 * is published.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class GrantCeilings {
    private final CapacityScheduler scheduler;

    /** For applications of this scheduler, which may still be starting. */
    public GrantCeilings(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Whether {@code application} has a ceiling. */
    public boolean governs(ApplicationId application) {
        throw new UnsupportedOperationException(scheduler + " " + application);
    }

    /**
     * To be called first in the scheduler's {@code allocate}: admits what the ceiling has room for and returns what is
     * left for CapacityScheduler to do. For an application without a ceiling (and for its ApplicationMaster's own
     * container) that is {@code asks} itself. What an application with a ceiling may ask for is handed to YARN in here,
     * under the application's lock, so that no grant comes between counting and asking; then no resource request is
     * left to do.
     *
     * @param releases containers that this very call gives back
     */
    public AllocateAsks trim(ApplicationAttemptId attempt, AllocateAsks asks, List<ContainerId> releases) {
        throw new UnsupportedOperationException(attempt + " " + asks + " " + releases);
    }

    /** Replaces all ceilings; lowers what is pending beyond them and drops such reservations. */
    public void publish(Map<ApplicationId, Ceiling> ceilings) {
        throw new UnsupportedOperationException(ceilings.toString());
    }

    /** Sets one ceiling, such as that of a job that has just registered; lowers like {@link #publish}. */
    public void put(ApplicationId application, Ceiling ceiling) {
        throw new UnsupportedOperationException(application + " " + ceiling);
    }

    /** Forgets one application: it ended, or is not enforced any more. */
    public void remove(ApplicationId application) {
        throw new UnsupportedOperationException(application.toString());
    }

    /**
     * To be called after CapacityScheduler handled a node's heartbeat: a reservation that an application with a ceiling
     * has there is dropped, and its pending asks for the full node with it. Costs a hash look-up; never throws.
     */
    public void afterNodeUpdate(NodeId node) {
        throw new UnsupportedOperationException(node.toString());
    }
}
