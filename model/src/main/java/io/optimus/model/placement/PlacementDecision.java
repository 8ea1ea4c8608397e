package io.optimus.model.placement;

import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The decision of a placer.
 *
 * @param byJob placement and reason by job id
 */
public record PlacementDecision(SortedMap<String, Placed> byJob) {
    /**
     * One job's part.
     *
     * @param placement the nodes of its tasks; without tasks if it waits
     * @param reason why they are there
     */
    public record Placed(Placement placement, PlacementReason reason) {}

    public PlacementDecision {
        byJob = Collections.unmodifiableSortedMap(new TreeMap<>(byJob));
    }

    public SortedMap<String, Placement> placements() {
        TreeMap<String, Placement> placements = new TreeMap<>();
        for (Map.Entry<String, Placed> placed : byJob.entrySet()) {
            placements.put(placed.getKey(), placed.getValue().placement());
        }
        return placements;
    }

    /** The part of one job; throws if the job was not placed. */
    public Placed job(String id) {
        Placed placed = byJob.get(id);
        if (placed == null) {
            throw new IllegalArgumentException("Job " + id + " was not placed, only " + byJob.keySet());
        }
        return placed;
    }
}
