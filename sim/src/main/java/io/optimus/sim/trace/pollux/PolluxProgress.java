package io.optimus.sim.trace.pollux;

import java.util.OptionalInt;

/** The work of a job in its own steps: steps of its fixed batch, or of the initial batch if it adapts its batch. */
final class PolluxProgress {
    private final double[] progressPerStep;
    /** Steps of all epochs after each epoch. */
    private final double[] stepsAfter;

    private final double total;

    PolluxProgress(Profile profile, OptionalInt batch) {
        Epochs epochs = profile.epochs();
        this.progressPerStep = new double[epochs.count()];
        this.stepsAfter = new double[epochs.count()];
        double steps = 0;
        for (int epoch = epochs.count() - 1; epoch >= 0; epoch--) {
            progressPerStep[epoch] = batch.isPresent()
                    ? epochs.gain(epoch, batch.getAsInt(), profile.batches().initialBatch())
                    : 1;
            stepsAfter[epoch] = steps;
            steps += (epochs.begin(epoch + 1) - epochs.begin(epoch)) / progressPerStep[epoch];
        }
        this.total = steps;
    }

    /** Returns how many steps of the initial batch one of the job's steps is worth in an epoch; after the end, in the last one. */
    double progressPerStep(int epoch) {
        return progressPerStep[Math.min(epoch, progressPerStep.length - 1)];
    }

    double total() {
        return total;
    }

    /** Returns the steps to the end, while {@code progress} of {@code epoch} is left. */
    double steps(int epoch, double progress) {
        return progress / progressPerStep[epoch] + stepsAfter[epoch];
    }
}
