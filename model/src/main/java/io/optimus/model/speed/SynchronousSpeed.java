package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Synchronous parameter-server training (Optimus, section 3.2, eq. 4):
 *
 * <pre>f(p,w) = (t0·M/w + t1 + t2·w/p + t3·w + t4·p)⁻¹</pre>
 *
 * @param globalBatch M, samples a step of all workers together, above 0
 * @param secondsPerSample t0, forward pass, seconds per sample, 0 or more
 * @param secondsFixed t1, backward pass and everything that no task count changes, seconds
 * @param secondsPerRatio t2, transfer and update at a server that w/p workers share, seconds
 * @param secondsPerWorker t3, connection overhead per worker, seconds
 * @param secondsPerServer t4, connection overhead per parameter server, seconds
 */
public record SynchronousSpeed(
        double globalBatch,
        double secondsPerSample,
        double secondsFixed,
        double secondsPerRatio,
        double secondsPerWorker,
        double secondsPerServer)
        implements SpeedFunction {
    @Override
    public SortedMap<String, Double> parameters() {
        return new TreeMap<>(Map.of(
                "globalBatch", globalBatch,
                "secondsPerSample", secondsPerSample,
                "secondsFixed", secondsFixed,
                "secondsPerRatio", secondsPerRatio,
                "secondsPerWorker", secondsPerWorker,
                "secondsPerServer", secondsPerServer));
    }

    @Override
    public double stepsPerSecond(Allocation allocation) {
        double p = allocation.parameterServers();
        double w = allocation.workers();
        return 1
                / (secondsPerSample * globalBatch / w
                        + secondsFixed
                        + secondsPerRatio * w / p
                        + secondsPerWorker * w
                        + secondsPerServer * p);
    }
}
