package io.optimus.yarn.round;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.read.QueueView;
import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;

/** Why a round runs before its regular time. */
public enum RoundTrigger {
    /** A training job registered, or registered another attempt or demand. */
    ARRIVAL,
    /** A training job or an attempt of one ended. */
    COMPLETION,
    /** A node came, went, or changed its resources. */
    NODES,
    /** Nodes changed labels or attributes. */
    LABELS,
    /** Queues or their capacities changed, or an application moved. */
    QUEUES,
    /** Ordinary applications wait for resources that training holds beyond its budget. */
    ORDINARY_DEMAND,
    /** More room is free than in the last round, and jobs could use it. */
    ROOM,
    /** Others took the room that was planned for a job. */
    PLACE_TAKEN,
    /** A job measured its speed on a size for the first time. */
    SPEED_MEASURED,
    /** YARN changed the priority of a job. */
    PRIORITY,
    /** An administrator gave an order. */
    OPERATOR,
    /** The last round ran early and failed: what it ran for is still undecided. */
    FAILED_ROUND;

    /**
     * The trigger that {@code event} stands for, if any. The switch has no {@code default}, so that the compiler
     * reports new types of events; if another version of Hadoop has one at run time, this throws a {@link
     * LinkageError}.
     */
    public static Optional<RoundTrigger> of(SchedulerEvent event) {
        return switch (event.getType()) {
                // Ordinary applications come and go all the time: what they wait for and what they free is seen by
                // refreshes.
            case APP_ADDED, APP_ATTEMPT_ADDED, APP_REMOVED, APP_ATTEMPT_REMOVED -> Optional.empty();
            case NODE_ADDED, NODE_REMOVED, NODE_RESOURCE_UPDATE -> Optional.of(NODES);
            case NODE_LABELS_UPDATE, NODE_ATTRIBUTES_UPDATE -> Optional.of(LABELS);
            case MANAGE_QUEUE, AUTO_QUEUE_DELETION -> Optional.of(QUEUES);
            case NODE_UPDATE,
                    CONTAINER_EXPIRED,
                    RELEASE_CONTAINER,
                    KILL_RESERVED_CONTAINER,
                    MARK_CONTAINER_FOR_PREEMPTION,
                    MARK_CONTAINER_FOR_KILLABLE,
                    MARK_CONTAINER_FOR_NONKILLABLE -> Optional.empty();
        };
    }

    /** {@link #ORDINARY_DEMAND} if training in {@code queue} holds more than the budget of the queue or of one of its users. */
    public static Optional<RoundTrigger> of(QueueView queue) {
        boolean within = queue.trainingHeld().fitsIn(queue.cluster().budget())
                && queue.userBudgets().entrySet().stream().allMatch(budget -> queue.heldByUser()
                        .getOrDefault(budget.getKey(), Resources.NONE)
                        .fitsIn(budget.getValue()));
        return within ? Optional.empty() : Optional.of(ORDINARY_DEMAND);
    }
}
