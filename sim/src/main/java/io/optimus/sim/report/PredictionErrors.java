package io.optimus.sim.report;

import io.optimus.sim.engine.Witness.Belief;
import java.util.ArrayList;
import java.util.List;

/**
 * Mean absolute errors of what was believed, by the progress of jobs in {@value #BINS} equal parts; no number
 * where nothing was believed.
 *
 * @param remaining of the remaining steps, as parts of all steps
 * @param speed of the speed, relative to the true one, on the size that a job has
 */
public record PredictionErrors(List<Double> remaining, List<Double> speed) {
    /** How many parts progress is divided into. */
    public static final int BINS = 20;

    /** Copies. */
    public PredictionErrors {
        remaining = List.copyOf(remaining);
        speed = List.copyOf(speed);
    }

    /** Adds up while a simulation runs. */
    static final class Sums {
        private final double[] remaining = new double[BINS];
        private final double[] speed = new double[BINS];
        private final int[] remainings = new int[BINS];
        private final int[] speeds = new int[BINS];

        void add(Belief belief) {
            int bin = Math.min(BINS - 1, (int) (belief.progress() * BINS));
            if (Double.isFinite(belief.remainingError())) {
                remaining[bin] += Math.abs(belief.remainingError());
                remainings[bin]++;
            }
            if (Double.isFinite(belief.speedError())) {
                speed[bin] += Math.abs(belief.speedError());
                speeds[bin]++;
            }
        }

        PredictionErrors means() {
            return new PredictionErrors(means(remaining, remainings), means(speed, speeds));
        }

        private static List<Double> means(double[] sums, int[] counts) {
            List<Double> means = new ArrayList<>();
            for (int i = 0; i < BINS; i++) {
                means.add(counts[i] == 0 ? Double.NaN : sums[i] / counts[i]);
            }
            return means;
        }
    }
}
