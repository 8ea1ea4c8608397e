package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The reservations of ordinary applications that training has to give way to: those for which no node has room as it is, and those
 * that are bound to their node. YARN grants all others elsewhere, and then drops the reservation.
 *
 * <p>Example: an ordinary application reserved a GPU on node a, which training fills, and then a task on node b ends. YARN
 * grants the GPU of b. If training left a for the reservation, it would lose a task for nothing.
 */
final class Reservations {
    private final Map<String, Resources> givenWayTo = new TreeMap<>();

    /**
     * Finds the reservations on {@code nodes}.
     *
     * @param nodes the nodes of one partition
     * @param ours the training applications, whose reservations the plan decides about
     */
    Reservations(List<NodeView> nodes, Set<ApplicationId> ours) {
        List<Resources> free = new ArrayList<>();
        Map<String, Resources> movable = new TreeMap<>();
        for (NodeView node : nodes) {
            Optional<NodeView.Reservation> reservation = node.use().reservationBesides(ours);
            if (reservation.isPresent()) {
                NodeView.Reservation reserved = reservation.get();
                (reserved.onlyHere() ? givenWayTo : movable).put(node.id(), reserved.resources());
            } else if (node.usable()) {
                free.add(node.use().unallocated());
            }
        }
        // Room only shrinks, so a node without room for a size has none for the next reservation of that size.
        Map<Resources, Integer> firstWithRoom = new HashMap<>();
        movable.forEach((id, size) -> {
            int at = firstWithRoom.getOrDefault(size, 0);
            while (at < free.size() && !size.fitsIn(free.get(at))) {
                at++;
            }
            firstWithRoom.put(size, at);
            if (at < free.size()) {
                free.set(at, free.get(at).minus(size));
            } else {
                givenWayTo.put(id, size);
            }
        });
    }

    /** What training leaves free on {@code node} for the reservation there. */
    Resources on(NodeView node) {
        return givenWayTo.getOrDefault(node.id(), Resources.NONE);
    }
}
