package io.optimus.sim.truth;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import java.util.ArrayList;
import java.util.List;

/** The losses and speeds that a job has to report since they were last taken. */
public final class TrainingReports {
    private final List<LossPoint> losses = new ArrayList<>();
    private final List<SpeedSample> speeds = new ArrayList<>();
    private Allocation allocation = Allocation.NONE;
    private int nodes;
    private double seconds;
    private double steps;
    private double step;

    /** Counts training. */
    void addSteps(Placement on, double forSeconds, double bySteps) {
        int onNodes = on.byNode().size();
        if (onNodes != nodes || !on.allocation().equals(allocation)) {
            closeSample();
            allocation = on.allocation();
            nodes = onNodes;
        }
        seconds += forSeconds;
        steps += bySteps;
        step += bySteps;
    }

    void addLoss(LossPoint point) {
        losses.add(point);
    }

    private void closeSample() {
        if (seconds > 0 && steps > 0) {
            speeds.add(new SpeedSample(allocation, nodes, steps / seconds, seconds));
        }
        seconds = 0;
        steps = 0;
    }

    /** The steps done until now. */
    public double step() {
        return step;
    }

    /** The losses since the last call, in order of their steps. */
    public List<LossPoint> takeLosses() {
        List<LossPoint> taken = List.copyOf(losses);
        losses.clear();
        return taken;
    }

    /** The true mean speeds since the last call, one for each period on the same size and number of nodes. */
    public List<SpeedSample> takeSpeeds() {
        closeSample();
        List<SpeedSample> taken = List.copyOf(speeds);
        speeds.clear();
        return taken;
    }
}
