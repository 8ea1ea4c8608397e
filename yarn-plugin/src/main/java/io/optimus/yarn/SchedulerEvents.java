package io.optimus.yarn;

import io.optimus.yarn.enforce.GrantCeilings;
import io.optimus.yarn.history.PastJob;
import io.optimus.yarn.read.SchedulerChanges;
import io.optimus.yarn.recording.Recorded;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTrigger;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what happens in CapacityScheduler: notes what the next snapshot has to copy again, asks for rounds, and forgets
 * applications that have ended. Any thread of YARN may call it at any time, also while no rounds run.
 */
final class SchedulerEvents {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerEvents.class);

    private final CapacityScheduler scheduler;
    private final ControlLoop.State state;
    private final GrantCeilings ceilings;
    private volatile SchedulerChanges changes = new SchedulerChanges();

    SchedulerEvents(CapacityScheduler scheduler, ControlLoop.State state, GrantCeilings ceilings) {
        this.scheduler = scheduler;
        this.state = state;
        this.ceilings = ceilings;
    }

    /** Begins to note changes for new rounds: a former loop that hangs must not take changes from them. */
    void readAfresh() {
        changes = new SchedulerChanges();
    }

    /** What changed in the scheduler since the last snapshot. */
    SchedulerChanges changes() {
        return changes;
    }

    /** Handles a scheduler event. May be called at any time; never throws. */
    void happened(SchedulerEvent event) {
        try {
            if (event instanceof NodeUpdateSchedulerEvent update) {
                ceilings.afterNodeUpdate(update);
            } else if (event instanceof NodeRemovedSchedulerEvent removed) {
                ceilings.nodeLeft(removed.getRemovedRMNode().getNodeID());
            } else if (event instanceof AppAttemptRemovedSchedulerEvent removed) {
                ended(removed.getApplicationAttemptID().getApplicationId());
            } else if (event instanceof AppRemovedSchedulerEvent removed) {
                ended(removed.getApplicationID());
                if (state.registry().contains(removed.getApplicationID())) {
                    state.past().applicationEnded(removed.getApplicationID(), outcome(removed));
                    recordEnd(removed);
                }
                state.registry().remove(removed.getApplicationID());
                ceilings.remove(removed.getApplicationID());
                state.orders().forget(removed.getApplicationID());
            }
            RoundTrigger.of(event).ifPresent(trigger -> {
                noteChange(event, trigger);
                state.timer().signal(trigger);
            });
        } catch (RuntimeException | LinkageError e) {
            // This runs on the scheduler's thread: an event of another Hadoop version must not end the ResourceManager.
            LOG.warn("event ignored type={}", event.getType(), e);
        }
    }

    private void noteChange(SchedulerEvent event, RoundTrigger trigger) {
        if (event instanceof NodeAddedSchedulerEvent added) {
            // After a restart, nodes bring containers that YARN recovers.
            Optional.ofNullable(scheduler.getNode(added.getAddedRMNode().getNodeID()))
                    .ifPresent(changes::recovered);
        } else if (trigger != RoundTrigger.NODES) {
            changes.everything();
        }
    }

    /** The recorder knows whether the job's ApplicationMaster has told of its end before. */
    private void recordEnd(AppRemovedSchedulerEvent removed) {
        state.recorder()
                .ended(new Recorded.End(
                        System.currentTimeMillis(),
                        removed.getApplicationID(),
                        outcome(removed).word(),
                        -1,
                        OptionalDouble.empty()));
    }

    private static PastJob.Outcome outcome(AppRemovedSchedulerEvent removed) {
        RMAppState state = removed.getFinalState();
        if (state == RMAppState.FAILED) {
            return PastJob.Outcome.FAILED;
        }
        return state == RMAppState.KILLED ? PastJob.Outcome.KILLED : PastJob.Outcome.UNKNOWN;
    }

    private void ended(ApplicationId application) {
        if (state.registry().contains(application)) {
            state.timer().signal(RoundTrigger.COMPLETION);
        }
    }

    void released(RMContainer container) {
        try {
            ApplicationId application = container.getApplicationAttemptId().getApplicationId();
            changes.container(container.getContainer().getNodeId(), application);
            if (state.registry().contains(application)) {
                state.timer().released();
            }
        } catch (RuntimeException e) {
            // This runs on the scheduler's thread.
            LOG.warn("container not read, the next snapshot copies everything", e);
            changes.everything();
        }
    }

    /** An ApplicationMaster requested or released something. */
    void requested(ApplicationId application) {
        changes.application(application);
    }

    /** YARN granted, reserved or took containers. */
    void granted(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> commit) {
        try {
            changes.committed(commit);
        } catch (RuntimeException | LinkageError e) {
            // This runs on the scheduler's thread.
            LOG.warn("commit not read, the next snapshot copies everything", e);
            changes.everything();
        }
    }

    /** Queues, their capacities or the queue of an application changed. */
    void queuesChanged() {
        changes.everything();
        state.timer().signal(RoundTrigger.QUEUES);
    }
}
