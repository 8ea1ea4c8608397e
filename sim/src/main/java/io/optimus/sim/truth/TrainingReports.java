package io.optimus.sim.truth;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import java.util.ArrayList;
import java.util.List;

/** What a job could report since somebody last looked. Losses and speeds carry the noise of measuring. */
public final class TrainingReports {
    private final List<LossPoint> losses = new ArrayList<>();
    private final List<SpeedSample> speeds = new ArrayList<>();
    private Allocation allocation = Allocation.NONE;
    private int nodes;
    private double seconds;
    private double steps;
    private double step;

    /** It stepped. */
    void stepped(Placement on, double forSeconds, double bySteps) {
        int onNodes = on.byNode().size();
        if (onNodes != nodes || !on.allocation().equals(allocation)) {
            closeStretch();
            allocation = on.allocation();
            nodes = onNodes;
        }
        seconds += forSeconds;
        steps += bySteps;
        step += bySteps;
    }

    void lost(LossPoint point) {
        losses.add(point);
    }

    private void closeStretch() {
        if (seconds > 0 && steps > 0) {
            speeds.add(new SpeedSample(allocation, nodes, steps / seconds, seconds));
        }
        seconds = 0;
        steps = 0;
    }

    /** Steps done. */
    public double step() {
        return step;
    }

    /** Losses since the last call, in order of their steps. */
    public List<LossPoint> takeLosses() {
        List<LossPoint> taken = List.copyOf(losses);
        losses.clear();
        return taken;
    }

    /** True mean speeds of the stretches on one size and number of nodes since the last call. */
    public List<SpeedSample> takeSpeeds() {
        closeStretch();
        List<SpeedSample> taken = List.copyOf(speeds);
        speeds.clear();
        return taken;
    }
}
