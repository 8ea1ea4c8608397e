package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * A copy of one node of the scheduler.
 *
 * @param id {@code host:port}
 * @param rack rack of the node
 * @param gpuType type of its GPUs; empty if it is not known
 * @param partition node label, empty for the default partition
 * @param life whether it gets containers
 * @param capacity all its resources
 * @param use their use at one moment
 */
record NodeView(String id, String rack, String gpuType, String partition, Life life, Resources capacity, Use use) {
    /** Whether a node gets containers. */
    enum Life {
        RUNS,
        /** It is being decommissioned: what runs there may run on until a time-out. */
        LEAVES,
        AWAY;

        private static Life of(NodeState state) {
            return switch (state) {
                case RUNNING -> RUNS;
                case DECOMMISSIONING -> LEAVES;
                case NEW, UNHEALTHY, DECOMMISSIONED, LOST, REBOOTED, SHUTDOWN -> AWAY;
            };
        }
    }

    /** Whether new tasks may be placed there. */
    boolean usable() {
        return life == Life.RUNS;
    }

    /** The same node, used otherwise. */
    NodeView with(Use other) {
        return new NodeView(id, rack, gpuType, partition, life, capacity, other);
    }

    /**
     * The use of a node's resources at one moment.
     *
     * @param unallocated resources that no container holds; negative if the node is overcommitted
     * @param training resources of the tasks of each training application
     * @param reservation the reservation on the node
     */
    record Use(Resources unallocated, Map<ApplicationId, Resources> training, Optional<Reservation> reservation) {
        Use {
            training = Map.copyOf(training);
        }

        /** The same, where {@code applications} hold nothing. */
        Use without(Set<ApplicationId> applications) {
            Map<ApplicationId, Resources> others = new HashMap<>(training);
            others.keySet().removeAll(applications);
            return new Use(unallocated.plus(heldBy(applications)), others, reservationBesides(applications));
        }

        /** Resources that the tasks of {@code applications} hold. */
        Resources heldBy(Set<ApplicationId> applications) {
            return training.entrySet().stream()
                    .filter(tasks -> applications.contains(tasks.getKey()))
                    .map(Map.Entry::getValue)
                    .reduce(Resources.NONE, Resources::plus);
        }

        /** The reservation of an application other than {@code applications}. */
        Optional<Reservation> reservationBesides(Set<ApplicationId> applications) {
            return reservation.filter(reserved -> !applications.contains(reserved.application()));
        }

        /** Resources that no container holds, and no application other than {@code applications} has reserved. */
        Resources freeBesides(Set<ApplicationId> applications) {
            return reservationBesides(applications)
                    .map(reserved -> unallocated.minus(reserved.resources()))
                    .orElse(unallocated);
        }
    }

    /**
     * The resources that one application has reserved.
     *
     * @param onlyHere whether YARN may grant them on no node of another rack
     */
    record Reservation(ApplicationId application, Resources resources, boolean onlyHere) {
        private static Reservation of(RMContainer reserved, Containers containers) {
            return new Reservation(
                    reserved.getApplicationAttemptId().getApplicationId(),
                    Amounts.of(reserved.getReservedResource()),
                    containers.isBound(reserved));
        }
    }

    /** What a container is to the application that has it. */
    interface Containers {
        /** Whether it is a task of a training application. */
        boolean isTask(RMContainer container);

        /** Whether the request for a reserved container names nodes or racks that YARN may not leave. */
        boolean isBound(RMContainer reserved);
    }

    /**
     * Copies {@code node}.
     *
     * @param gpuType type of its GPUs; empty if it is not known
     * @param containers what its containers are
     */
    static NodeView of(FiCaSchedulerNode node, String gpuType, Containers containers) {
        List<RMContainer> running;
        Resources unallocated;
        Optional<RMContainer> reserved;
        // Under the lock of its own methods: otherwise a container that ends in between would be neither free nor held.
        synchronized (node) {
            running = node.getCopiedListOfRunningContainers();
            unallocated = Amounts.of(node.getUnallocatedResource());
            reserved = Optional.ofNullable(node.getReservedContainer());
        }
        Map<ApplicationId, Resources> training = new HashMap<>();
        running.stream()
                .filter(containers::isTask)
                .forEach(task -> training.merge(
                        task.getApplicationAttemptId().getApplicationId(),
                        Amounts.of(task.getAllocatedResource()),
                        Resources::plus));
        return new NodeView(
                node.getNodeID().toString(),
                node.getRackName(),
                gpuType,
                node.getPartition(),
                Life.of(node.getRMNode().getState()),
                Amounts.of(node.getTotalResource()),
                new Use(unallocated, training, reserved.map(container -> Reservation.of(container, containers))));
    }
}
