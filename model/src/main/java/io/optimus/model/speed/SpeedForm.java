package io.optimus.model.speed;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;

/**
 * The shape of a speed function, as a sum of features of (p, w) with coefficients of 0 or more, in seconds: the time of a
 * step (synchronous: 1/f) or of one worker's update (asynchronous: w/f). That makes the fit linear.
 */
public sealed interface SpeedForm {
    /**
     * The form of {@code mode}.
     *
     * @param globalBatch samples a step of all workers together, above 0; without effect in asynchronous mode
     */
    static SpeedForm of(TrainingMode mode, double globalBatch) {
        return switch (mode) {
            case SYNCHRONOUS -> new Synchronous(globalBatch);
            case ASYNCHRONOUS -> new Asynchronous();
        };
    }

    /** The features of {@code allocation}, each above 0. */
    double[] features(Allocation allocation);

    /** The seconds that the features sum to at a measured speed. */
    double seconds(Allocation allocation, double stepsPerSecond);

    /** The function with these coefficients, in order of the features. */
    SpeedFunction function(double[] coefficients);

    /**
     * The number of coefficients that the sizes of {@code range} can tell apart, 1 or more: if the number of one role is fixed,
     * some features are multiples of others. As many sizes must be measured before the function is known.
     */
    int degreesOfFreedom(SizeRange range);

    /** 1/f = t0·M/w + t1 + t2·w/p + t3·w + t4·p. */
    record Synchronous(double globalBatch) implements SpeedForm {
        /** Throws if the batch is not above 0 and finite. */
        public Synchronous {
            if (!(globalBatch > 0 && globalBatch < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("A global batch must be above 0, got " + globalBatch);
            }
        }

        @Override
        public double[] features(Allocation allocation) {
            double p = allocation.parameterServers();
            double w = allocation.workers();
            return new double[] {globalBatch / w, 1, w / p, w, p};
        }

        @Override
        public double seconds(Allocation allocation, double stepsPerSecond) {
            return 1 / stepsPerSecond;
        }

        @Override
        public SpeedFunction function(double[] t) {
            return new SynchronousSpeed(globalBatch, t[0], t[1], t[2], t[3], t[4]);
        }

        @Override
        public int degreesOfFreedom(SizeRange range) {
            if (range.workerCounts() == 1) {
                return Math.min(3, range.serverCounts()); // 1, 1/p, p
            }
            int ofWorkers = Math.min(3, range.workerCounts()); // 1/w, 1, w
            return range.serverCounts() == 1 ? ofWorkers : ofWorkers + 2;
        }
    }

    /** w/f = t0 + t1·w/p + t2·w + t3·p. */
    record Asynchronous() implements SpeedForm {
        @Override
        public double[] features(Allocation allocation) {
            double p = allocation.parameterServers();
            double w = allocation.workers();
            return new double[] {1, w / p, w, p};
        }

        @Override
        public double seconds(Allocation allocation, double stepsPerSecond) {
            return allocation.workers() / stepsPerSecond;
        }

        @Override
        public SpeedFunction function(double[] t) {
            return new AsynchronousSpeed(t[0], t[1], t[2], t[3]);
        }

        @Override
        public int degreesOfFreedom(SizeRange range) {
            if (range.workerCounts() == 1) {
                return Math.min(3, range.serverCounts()); // 1, 1/p, p
            }
            return range.serverCounts() == 1 ? 2 : 4; // 1, w
        }
    }
}
