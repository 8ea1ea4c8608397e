package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * One node, copied from the scheduler.
 *
 * @param id {@code host:port}
 * @param rack of the node
 * @param gpuType of its GPUs, empty where nobody told
 * @param partition node label, empty for the default partition
 * @param usable whether it runs and is not being drained
 * @param capacity all of it
 * @param unallocated what no container holds; negative where overcommitted
 * @param training what the tasks of each training application held when {@code unallocated} was free
 * @param reservation what is reserved here and for whom
 */
record NodeView(
        String id,
        String rack,
        String gpuType,
        String partition,
        boolean usable,
        Resources capacity,
        Resources unallocated,
        Map<ApplicationId, Resources> training,
        Optional<Reservation> reservation) {
    /** Copies. */
    NodeView {
        training = Map.copyOf(training);
    }

    /** What one application has reserved. */
    record Reservation(ApplicationId application, Resources resources) {
        private static Reservation of(RMContainer reserved) {
            return new Reservation(
                    reserved.getApplicationAttemptId().getApplicationId(), Amounts.of(reserved.getReservedResource()));
        }
    }

    /**
     * Copies {@code node}.
     *
     * @param gpuType of its GPUs, empty where nobody told
     * @param isTask whether a container is a task of a training application
     */
    static NodeView of(FiCaSchedulerNode node, String gpuType, Predicate<RMContainer> isTask) {
        List<RMContainer> containers;
        Resources unallocated;
        Optional<Reservation> reservation;
        // Its methods lock it, too: a container that ends in between would be neither free nor held.
        synchronized (node) {
            containers = node.getCopiedListOfRunningContainers();
            unallocated = Amounts.of(node.getUnallocatedResource());
            reservation = Optional.ofNullable(node.getReservedContainer()).map(Reservation::of);
        }
        Map<ApplicationId, Resources> training = new HashMap<>();
        containers.stream()
                .filter(isTask)
                .forEach(task -> training.merge(
                        task.getApplicationAttemptId().getApplicationId(),
                        Amounts.of(task.getAllocatedResource()),
                        Resources::plus));
        return new NodeView(
                node.getNodeID().toString(),
                node.getRackName(),
                gpuType,
                node.getPartition(),
                node.getRMNode().getState() == NodeState.RUNNING,
                Amounts.of(node.getTotalResource()),
                unallocated,
                training,
                reservation);
    }

    /** What others than {@code applications} have reserved. */
    Resources reservedBesides(Set<ApplicationId> applications) {
        return reservation
                .filter(reserved -> !applications.contains(reserved.application()))
                .map(Reservation::resources)
                .orElse(Resources.NONE);
    }
}
