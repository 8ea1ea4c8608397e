package io.optimus.am.progress;

import io.optimus.model.throughput.ThroughputObservation;
import java.util.Optional;

/** Averages the times of a group's steps over windows of uninterrupted stepping. */
public final class StepTimeMeter {
    private final double windowSeconds;
    private int nodes;
    private int workers;
    private int steps;
    private int atomicBatch;
    private double gradientSeconds;
    private double stepSeconds;

    public StepTimeMeter(long windowMillis) {
        this.windowSeconds = windowMillis / 1e3;
    }

    /** A membership begins; both numbers are 1 or more. */
    public void begin(int onNodes, int ofWorkers) {
        nodes = onNodes;
        workers = ofWorkers;
        clear();
    }

    /**
     * Takes the mean times of {@code more} steps. Returns the means of a window when its steps have taken that long.
     *
     * @param samples the most samples that a worker computed at a time
     * @param ofGradient mean seconds of a part's forward and backward pass
     * @param ofStep mean seconds of the last part, with the all-reduce
     */
    public Optional<ThroughputObservation> add(int more, int samples, double ofGradient, double ofStep) {
        steps += more;
        atomicBatch = samples;
        gradientSeconds += more * ofGradient;
        stepSeconds += more * ofStep;
        return stepSeconds < windowSeconds ? Optional.empty() : end();
    }

    /** Stepping ends. Returns the means of the steps that were not returned; empty if there is none. */
    public Optional<ThroughputObservation> end() {
        if (steps == 0) {
            return Optional.empty();
        }
        ThroughputObservation means =
                new ThroughputObservation(nodes, workers, atomicBatch, gradientSeconds / steps, stepSeconds / steps);
        clear();
        return Optional.of(means);
    }

    private void clear() {
        steps = 0;
        gradientSeconds = 0;
        stepSeconds = 0;
    }
}
