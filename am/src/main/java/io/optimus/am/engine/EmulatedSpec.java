package io.optimus.am.engine;

import io.optimus.model.TrainingMode;
import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.Objects;

/**
 * The engine that an emulated one wraps, and the terms of the speed function that it is paced to (Optimus, section 3.2;
 * see {@link SynchronousSpeed} and {@link AsynchronousSpeed}). Absent terms are 0.
 *
 * @param engine {@code java} or {@code djl}
 * @param secondsPerSample forward pass, seconds per sample of the global batch; synchronous training only
 * @param secondsFixed what no task count changes, seconds
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
    /** An absent engine becomes an empty name, which no engine has. */
    public EmulatedSpec {
        engine = Objects.requireNonNullElse(engine, "");
    }

    /** The speed function of these terms: steps of the whole job per second. */
    public SpeedFunction speed(TrainingMode mode, int globalBatch) {
        return switch (mode) {
            case SYNCHRONOUS -> new SynchronousSpeed(
                    globalBatch, secondsPerSample, secondsFixed, secondsPerRatio, secondsPerWorker, secondsPerServer);
            case ASYNCHRONOUS -> new AsynchronousSpeed(
                    secondsFixed, secondsPerRatio, secondsPerWorker, secondsPerServer);
        };
    }

    /** The same terms around another engine. */
    public EmulatedSpec wrapping(String other) {
        return new EmulatedSpec(
                other, secondsPerSample, secondsFixed, secondsPerRatio, secondsPerWorker, secondsPerServer);
    }
}
