package io.optimus.am.engine;

import io.optimus.model.TrainingMode;
import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;

/**
 * The engine that the emulated engine wraps, and the terms of the speed function that it is paced to (Optimus, section
 * 3.2; see {@link SynchronousSpeed} and {@link AsynchronousSpeed}). At least one term is above 0.
 *
 * @param engine {@code java} or {@code djl}
 * @param secondsPerSample forward pass, seconds per sample of the global batch; synchronous training only
 * @param secondsFixed time that does not depend on the number of tasks, seconds
 * @param secondsPerRatio transfer and update at a server that w/p workers share, seconds
 * @param secondsPerWorker connection overhead per worker, seconds
 * @param secondsPerServer connection overhead per parameter server, seconds
 */
public record EmulatedSpec(
        String engine,
        double secondsPerSample,
        double secondsFixed,
        double secondsPerRatio,
        double secondsPerWorker,
        double secondsPerServer) {
    /** The speed function of these terms: steps of the whole job per second. */
    public SpeedFunction speed(TrainingMode mode, int globalBatch) {
        return switch (mode) {
            case SYNCHRONOUS -> new SynchronousSpeed(
                    globalBatch, secondsPerSample, secondsFixed, secondsPerRatio, secondsPerWorker, secondsPerServer);
            case ASYNCHRONOUS -> new AsynchronousSpeed(
                    secondsFixed, secondsPerRatio, secondsPerWorker, secondsPerServer);
        };
    }
}
