package io.optimus.model.throughput;

import java.util.List;
import java.util.Optional;

/**
 * Keeps the goodput of one job up to date with its observations. The ResourceManager, the job's ApplicationMaster and the
 * simulator use it. Only what changed is computed again: the step times after other observations, the goodput after other step
 * times or another gradient noise.
 *
 * <p>Not safe for several threads; its results are.
 */
public final class GoodputFitter {
    private final ThroughputFitter fitter = new ThroughputFitter();
    private List<ThroughputObservation> fitted = List.of();
    private Optional<AllReduceThroughput> throughput = Optional.empty();
    private Optional<Goodput> goodput = Optional.empty();

    /** The step times that fit {@code steps}; empty if there are none. */
    public Optional<AllReduceThroughput> throughput(List<ThroughputObservation> steps) {
        if (!steps.equals(fitted)) {
            throughput = fitter.fit(steps).map(ThroughputFit::throughput);
            fitted = List.copyOf(steps);
        }
        return throughput;
    }

    /**
     * The goodput with the best batch for each size, in steps of the initial batch; empty before a step and the noise were
     * measured.
     *
     * @param workersPerNode how many workers a node holds, 1 or more
     */
    public Optional<Goodput> goodput(GoodputObservations seen, int workersPerNode) {
        Optional<Goodput> now = throughput(seen.steps())
                .flatMap(times -> seen.noise().map(noise -> new Goodput(times, noise, seen.limits(), workersPerNode)));
        if (!now.equals(goodput)) {
            goodput = now;
        }
        return goodput;
    }
}
