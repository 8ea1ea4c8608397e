package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Asynchronous parameter-server training (Optimus, section 3.2, eq. 3), updates per second of all workers together:
 *
 * <pre>f(p,w) = w · (t0 + t1·w/p + t2·w + t3·p)⁻¹</pre>
 *
 * @param secondsFixed t0, forward and backward pass of one worker's batch, seconds, 0 or more
 * @param secondsPerRatio t1, transfer and update at a server that w/p workers share, seconds
 * @param secondsPerWorker t2, connection overhead per worker, seconds
 * @param secondsPerServer t3, connection overhead per parameter server, seconds
 */
public record AsynchronousSpeed(
        double secondsFixed, double secondsPerRatio, double secondsPerWorker, double secondsPerServer)
        implements SpeedFunction {
    @Override
    public SortedMap<String, Double> parameters() {
        return new TreeMap<>(Map.of(
                "secondsFixed", secondsFixed,
                "secondsPerRatio", secondsPerRatio,
                "secondsPerWorker", secondsPerWorker,
                "secondsPerServer", secondsPerServer));
    }

    @Override
    public double stepsPerSecond(Allocation allocation) {
        double p = allocation.parameterServers();
        double w = allocation.workers();
        return w / (secondsFixed + secondsPerRatio * w / p + secondsPerWorker * w + secondsPerServer * p);
    }
}
