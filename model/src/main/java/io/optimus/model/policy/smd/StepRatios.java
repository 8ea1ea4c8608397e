package io.optimus.model.policy.smd;

import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.MeasuredSpeed;
import io.optimus.model.speed.PlacedSpeed;
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
    /**
     * The sum of ratios behind {@code speed}; empty for functions of another form.
     *
     * <p>A fit that gives way to measurements has the sum of the fit. A fit that knows of nodes has the sum as it is with every
     * task on a node of its own.
     */
    static Optional<StepRatios> of(SpeedFunction speed) {
        if (speed instanceof MeasuredSpeed measured) {
            return of(measured.fitted());
        }
        if (speed instanceof PlacedSpeed placed) {
            return of(placed.together()).map(ratios -> ratios.acrossNodes(placed.secondsPerRatioAcrossNodes()));
        }
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

    /** In an update of a worker, what crosses between nodes takes t·w/p; of a step with w updates that is t/p. */
    private StepRatios acrossNodes(double secondsPerRatio) {
        boolean updates = perServer > 0 || serversPerWorker > 0;
        return new StepRatios(
                perWorker,
                fixed,
                workersPerServer + (updates ? 0 : secondsPerRatio),
                workers,
                servers,
                perServer + (updates ? secondsPerRatio : 0),
                serversPerWorker);
    }

    /** With {@code servers} fixed the rest is A/w + B + C·w, least at √(A/C) workers; infinite where more are never worse. */
    double bestWorkers(int servers) {
        double inverse = perWorker + serversPerWorker * servers;
        double linear = workersPerServer / servers + workers;
        return Math.sqrt(inverse / linear);
    }
}
