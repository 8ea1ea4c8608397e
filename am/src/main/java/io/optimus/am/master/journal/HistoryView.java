package io.optimus.am.master.journal;

import io.optimus.model.losses.LossPoint;
import java.util.List;

/**
 * What a job has lived through, as shown.
 *
 * @param losses the loss curve, thinned
 * @param allocations allocations and when they began
 * @param resizes the last resizes, oldest first
 * @param survivorsRestarted tasks that a resize should have kept and that are not the same process after it
 */
public record HistoryView(
        List<LossPoint> losses,
        List<TrainingHistory.TimedAllocation> allocations,
        List<ResizeRecord> resizes,
        int survivorsRestarted) {}
