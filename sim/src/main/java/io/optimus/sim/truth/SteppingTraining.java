package io.optimus.sim.truth;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;

/**
 * Trains a number of steps at a speed that is a function of size and nodes: a formula, or a measured surface.
 *
 * <p>Example: 100 steps, 2 steps/s on one worker, 3 on two. After 20 s on one worker, 60 steps remain, which take 20 s on two.
 */
public final class SteppingTraining implements Training {
    private final SpeedFunction truth;
    private final double totalSteps;
    private final Optional<? extends LossSource> losses;
    private final TrainingReports reports = new TrainingReports();
    private Placement placement = Placement.NONE;
    private double part = 1;
    private double speed;
    private double done;

    /**
     * A training that has not started.
     *
     * @param truth steps per second by size and nodes
     * @param totalSteps steps until it ends, above 0 and finite
     * @param losses the losses that it reports; empty if it reports none
     */
    public SteppingTraining(SpeedFunction truth, double totalSteps, Optional<? extends LossSource> losses) {
        this(truth, losses, totalSteps);
        if (!(totalSteps > 0 && totalSteps < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("A job must have more than 0 steps, got " + totalSteps);
        }
    }

    private SteppingTraining(SpeedFunction truth, Optional<? extends LossSource> losses, double totalSteps) {
        this.truth = truth;
        this.totalSteps = totalSteps;
        this.losses = losses;
    }

    /** A training of which no end is known: it goes on as long as the simulation. */
    public static SteppingTraining endless(SpeedFunction truth) {
        return new SteppingTraining(truth, Optional.empty(), Double.POSITIVE_INFINITY);
    }

    /** The losses and speeds that it has to report. */
    public TrainingReports reports() {
        return reports;
    }

    @Override
    public void place(Placement newPlacement) {
        placement = newPlacement;
        speed = changedSpeed();
    }

    @Override
    public void slow(double newPart) {
        part = newPart;
        speed = changedSpeed();
    }

    private double changedSpeed() {
        Allocation allocation = placement.allocation();
        return allocation.isNone()
                ? 0
                : part * truth.stepsPerSecond(allocation, placement.byNode().size());
    }

    @Override
    public double stepsPerSecond() {
        return speed;
    }

    @Override
    public double remainingSteps() {
        return totalSteps - done;
    }

    @Override
    public double secondsToNextChange() {
        return speed > 0 ? remainingSteps() / speed : Double.POSITIVE_INFINITY;
    }

    @Override
    public void run(double seconds) {
        boolean ends = seconds >= secondsToNextChange();
        double steps = ends ? remainingSteps() : seconds * speed;
        done = ends ? totalSteps : done + steps;
        reports.addSteps(placement, seconds, steps);
        losses.ifPresent(all -> all.showUntil(done).forEach(reports::addLoss));
    }

    @Override
    public boolean ended() {
        return done >= totalSteps;
    }
}
