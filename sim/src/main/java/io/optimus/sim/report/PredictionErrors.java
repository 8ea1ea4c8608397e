package io.optimus.sim.report;

import io.optimus.sim.engine.SimulationListener.BeliefError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Errors of predictions by model and by the progress of jobs, divided into {@value #BINS} equal parts.
 *
 * @param byModel errors of each part of the progress in order, by model
 */
public record PredictionErrors(SortedMap<String, List<Bin>> byModel) {
    public static final int BINS = 10;

    /** The errors of a run without predictions. */
    static final PredictionErrors NONE = new PredictionErrors(Collections.emptySortedMap());

    /**
     * Errors in one part of the progress of jobs.
     *
     * @param end errors of the remaining steps, as parts of all steps
     * @param speed errors of the speed on the job's present size, relative to the true speed
     */
    public record Bin(Errors end, Errors speed) {}

    /**
     * Absolute errors.
     *
     * @param count number of predictions
     * @param sum sum of their errors
     * @param worst the largest error, 0 without predictions
     */
    public record Errors(long count, double sum, double worst) {
        static final Errors NONE = new Errors(0, 0, 0);

        /** Returns the mean error; NaN without predictions. */
        double mean() {
            return sum / count;
        }

        Errors plus(Errors other) {
            return new Errors(count + other.count, sum + other.sum, Math.max(worst, other.worst));
        }

        private Errors with(double error) {
            return Double.isFinite(error) ? plus(new Errors(1, Math.abs(error), Math.abs(error))) : this;
        }
    }

    public PredictionErrors {
        byModel = Collections.unmodifiableSortedMap(new TreeMap<>(byModel));
    }

    static List<Bin> all(Collection<PredictionErrors> runs) {
        List<Bin> sums = none();
        for (PredictionErrors run : runs) {
            for (List<Bin> bins : run.byModel.values()) {
                for (int i = 0; i < BINS; i++) {
                    Bin sum = sums.get(i);
                    sums.set(
                            i,
                            new Bin(
                                    sum.end().plus(bins.get(i).end()),
                                    sum.speed().plus(bins.get(i).speed())));
                }
            }
        }
        return sums;
    }

    private static List<Bin> none() {
        return new ArrayList<>(Collections.nCopies(BINS, new Bin(Errors.NONE, Errors.NONE)));
    }

    static final class Sums {
        private final SortedMap<String, List<Bin>> byModel = new TreeMap<>();

        void add(BeliefError belief) {
            List<Bin> bins = byModel.computeIfAbsent(belief.model(), model -> none());
            int bin = Math.min(BINS - 1, (int) (belief.progress() * BINS));
            Bin before = bins.get(bin);
            bins.set(
                    bin,
                    new Bin(
                            before.end().with(belief.remainingError()),
                            before.speed().with(belief.speedError())));
        }

        PredictionErrors errors() {
            return new PredictionErrors(byModel);
        }
    }
}
