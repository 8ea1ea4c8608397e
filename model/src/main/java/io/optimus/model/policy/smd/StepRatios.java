package io.optimus.model.policy.smd;

import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.Optional;

/**
 * Seconds of a step as a sum of ratios of task counts, each of coefficients of 0 or more:
 *
 * <pre>T(p,w) = a/w + b + c·w/p + d·w + e·p + f/p + g·p/w</pre>
 *
 * <p>A synchronous function is that with f = g = 0; of an asynchronous one, T are the seconds of an update, with c = d = e
 * = 0.
 *
 * @param perWorker a
 * @param fixed b
 * @param workersPerServer c
 * @param workers d
 * @param servers e
 * @param perServer f
 * @param serversPerWorker g
 */
record StepRatios(
        double perWorker,
        double fixed,
        double workersPerServer,
        double workers,
        double servers,
        double perServer,
        double serversPerWorker) {
    /** Of functions that are such a sum; empty for others. */
    static Optional<StepRatios> of(SpeedFunction speed) {
        if (speed instanceof SynchronousSpeed synchronous) {
            return Optional.of(new StepRatios(
                    synchronous.globalBatch() * synchronous.secondsPerSample(),
                    synchronous.secondsFixed(),
                    synchronous.secondsPerRatio(),
                    synchronous.secondsPerWorker(),
                    synchronous.secondsPerServer(),
                    0,
                    0));
        }
        if (speed instanceof AsynchronousSpeed asynchronous) {
            return Optional.of(new StepRatios(
                    asynchronous.secondsFixed(),
                    asynchronous.secondsPerWorker(),
                    0,
                    0,
                    0,
                    asynchronous.secondsPerRatio(),
                    asynchronous.secondsPerServer()));
        }
        return Optional.empty();
    }

    /** With {@code servers} fixed the rest is A/w + B + C·w, least at √(A/C) workers; infinite where more are never worse. */
    double bestWorkers(int servers) {
        double inverse = perWorker + serversPerWorker * servers;
        double linear = workersPerServer / servers + workers;
        return Math.sqrt(inverse / linear);
    }
}
