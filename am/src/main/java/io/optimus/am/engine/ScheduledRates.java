package io.optimus.am.engine;

/** Computes the gradients of another engine, and sends the learning rate of a schedule with each. */
public final class ScheduledRates extends WrappedEngine {
    private final LearningRateSchedule schedule;
    private double epoch;

    /** Wraps an engine whose optimizer has one parameter group. */
    public ScheduledRates(TrainingEngine wrapped, LearningRateSchedule schedule) {
        super(wrapped);
        this.schedule = schedule;
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        epoch = (double) part.step() * part.worker().batch() / trainingSamples();
        return super.step(part, progress);
    }

    /** The learning rate at the last step, and the weight decay. */
    @Override
    public float[] groupSettings() {
        return new float[] {(float) schedule.rateAt(epoch), (float) schedule.weightDecay()};
    }
}
