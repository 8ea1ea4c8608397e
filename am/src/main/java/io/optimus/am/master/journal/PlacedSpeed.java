package io.optimus.am.master.journal;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedSample;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A measured speed and where it was measured.
 *
 * @param sample of it, with the number of nodes where these are known
 * @param workerNode YARN's id of a node that a worker was on, whose GPUs it was; empty where it is not known
 */
public record PlacedSpeed(SpeedSample sample, Optional<String> workerNode) {
    /** Where {@code members} stepped, by node; it is not known where they are not those of the sample. */
    public static PlacedSpeed of(SpeedSample sample, SortedMap<String, Allocation> members) {
        Allocation all = members.values().stream().reduce(Allocation.NONE, Allocation::plus);
        if (!all.equals(sample.allocation())) {
            return new PlacedSpeed(sample, Optional.empty());
        }
        return new PlacedSpeed(
                sample.on(members.size()),
                members.entrySet().stream()
                        .filter(node -> node.getValue().workers() > 0)
                        .map(Map.Entry::getKey)
                        .findFirst());
    }
}
