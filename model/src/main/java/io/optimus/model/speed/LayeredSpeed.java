package io.optimus.model.speed;

import io.optimus.model.Allocation;

/**
 * Synchronous parameter-server training layer by layer (SMD, section 3): the gradients of a layer are pushed, and its
 * parameters pulled, while the layers before it are still computed.
 *
 * <pre>
 * computed_i = computed_(i+1) + backward_i        from the last layer down, after the forward pass
 * sent_i     = max(computed_i, sent_(i+1)) + transfer_i
 * seconds(p,w) = sent_1 + t1 + t3·w
 * </pre>
 *
 * <p>With m = M/w samples a worker, forward and backward passes take t0·m, of which the backward one has two thirds, by
 * layers as they cost; all transfers take t2·w/p, by layers as they are large. Unrolled, sent_1 is the forward pass plus the
 * largest, over the layers i, of the backward pass of i and all after it plus the transfers of i and all before it.
 *
 * <p>Example: two layers of the same cost, the first with a quarter of the bytes; 0.3 s forward, 0.6 s backward, 0.4 s of
 * transfers. The last layer is computed at 0.6 s and sent at 0.9 s, the first is computed at 0.9 s and sent at 1.0 s; one
 * after the other it would be 1.3 s.
 *
 * <p>The structure is the paper's; it is known to us from its abstract and from articles on it, and the shares of the passes
 * are ours.
 *
 * @param layers of the network
 * @param globalBatch M, samples a step of all workers together, above 0
 * @param secondsPerSample t0, forward and backward pass, seconds per sample, 0 or more
 * @param secondsFixed t1, everything that no task count changes, seconds
 * @param secondsPerRatio t2, transfer of all parameters at a server that w/p workers share, seconds
 * @param secondsPerWorker t3, overhead per worker, seconds
 */
public record LayeredSpeed(
        Layers layers,
        double globalBatch,
        double secondsPerSample,
        double secondsFixed,
        double secondsPerRatio,
        double secondsPerWorker)
        implements SpeedFunction {
    /** The backward pass computes gradients by parameters and by inputs, the forward pass one product. */
    private static final double BACKWARD = 2.0 / 3;

    @Override
    public double stepsPerSecond(Allocation allocation) {
        double[] features = features(layers, globalBatch, allocation, critical(allocation));
        return 1
                / (secondsPerSample * features[0]
                        + secondsFixed * features[1]
                        + secondsPerRatio * features[2]
                        + secondsPerWorker * features[3]);
    }

    /** The layer, from 0, that the end of a step waits for: the later, the more the transfers decide. */
    int critical(Allocation allocation) {
        double workers = allocation.workers();
        return layers.critical(
                BACKWARD * secondsPerSample * globalBatch / workers,
                secondsPerRatio * workers / allocation.parameterServers());
    }

    /** What t0 to t3 are multiplied by where the end of a step waits for layer {@code critical}. */
    static double[] features(Layers layers, double globalBatch, Allocation allocation, int critical) {
        double workers = allocation.workers();
        return new double[] {
            globalBatch / workers * (1 - BACKWARD + BACKWARD * layers.computedFrom(critical)),
            1,
            workers / allocation.parameterServers() * layers.bytesUpTo(critical),
            workers
        };
    }
}
