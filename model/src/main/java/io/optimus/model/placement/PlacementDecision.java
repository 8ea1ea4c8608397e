package io.optimus.model.placement;

import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a placer decided.
 *
 * @param byJob placement and reason by job id
 */
public record PlacementDecision(SortedMap<String, Placed> byJob) {
    /**
     * One job's part.
     *
     * @param placement where its tasks shall be; none: it waits
     * @param reason why
     */
    public record Placed(Placement placement, PlacementReason reason) {}

    /** Copies. */
    public PlacementDecision {
        byJob = Collections.unmodifiableSortedMap(new TreeMap<>(byJob));
    }

    /** Placements by job id. */
    public SortedMap<String, Placement> placements() {
        TreeMap<String, Placement> placements = new TreeMap<>();
        for (Map.Entry<String, Placed> placed : byJob.entrySet()) {
            placements.put(placed.getKey(), placed.getValue().placement());
        }
        return placements;
    }

    /** The part of one job; refuses one that was not placed. */
    public Placed job(String id) {
        Placed placed = byJob.get(id);
        if (placed == null) {
            throw new IllegalArgumentException("Nothing was decided on " + id + ", only on " + byJob.keySet());
        }
        return placed;
    }
}
