package io.optimus.model.policy.smd;

import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.MeasuredSpeed;
import io.optimus.model.speed.PlacedSpeed;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.Optional;

/**
 * Seconds of a step as a sum of ratios of task counts, each of coefficients of 0 or more:
 *
 * <pre>T(p,w) = a/w + b + c·w/p + d·w + e·p + f/p + g·p/w</pre>
 *
 * <p>A synchronous function has f = g = 0, an asynchronous one c = d = e = 0.
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
     * <p>For a fit that measurements correct, this is the sum of the fit. For a fit that depends on nodes, it is the sum with
     * every task on a node of its own.
     */
    static Optional<StepRatios> of(SpeedFunction speed) {
        if (speed instanceof MeasuredSpeed measured) {
            return of(measured.fitted());
        }
        if (speed instanceof PlacedSpeed placed) {
            return of(placed.together())
                    .map(ratios -> placed.form() instanceof SpeedForm.Synchronous
                            ? ratios.slower(placed.secondsPerRatioAcrossNodes(), 0)
                            : ratios.slower(0, placed.secondsPerRatioAcrossNodes()));
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

    /** Adds the seconds of transfers between nodes: t·w/p a step, or t·w/p an update, which is t/p a step of w updates. */
    private StepRatios slower(double moreWorkersPerServer, double morePerServer) {
        return new StepRatios(
                perWorker,
                fixed,
                workersPerServer + moreWorkersPerServer,
                workers,
                servers,
                perServer + morePerServer,
                serversPerWorker);
    }

    /** With fixed {@code servers}, T = A/w + B + C·w is least at √(A/C) workers; infinite if more workers are never worse. */
    double bestWorkers(int servers) {
        double inverse = perWorker + serversPerWorker * servers;
        double linear = workersPerServer / servers + workers;
        return Math.sqrt(inverse / linear);
    }
}
