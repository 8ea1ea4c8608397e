package io.optimus.am.coordinator;

import io.optimus.am.job.BatchSpec;
import io.optimus.model.throughput.AllReduceThroughput;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.BatchSplit;
import io.optimus.model.throughput.Goodput;
import io.optimus.model.throughput.GoodputFitter;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.model.throughput.ThroughputProfile;
import java.util.Optional;

/**
 * Chooses the batch of a job with all-reduce: the one of the best goodput ({@link Goodput}; Pollux, section 3) for the
 * workers that the job has. Until step times and noise are known, and in a job with a fixed batch, it keeps the batch.
 *
 * <p>A choice is at most twice the largest batch so far, because times and noise of batches far from those that ran are
 * guesses. Example: initial 32, max 512, noise that makes 512 the best. The batches are 32, 64, 128, 256, 512.
 *
 * <p>A lone worker computes each step in two parts at least, if it may accumulate: the gradient's noise is measured between
 * them.
 *
 * <p>Not safe for several threads.
 */
final class BatchChooser {
    /** The noise is a mean whose weights decay by 2 % a step; estimates of fewer steps are mostly random. */
    static final int FEWEST_MEASURED_STEPS = 50;

    /** A change costs a pause of some tenths of a second, and predictions err by several percent. */
    private static final double WORTHWHILE = 1.05;

    private static final int MOST_GROWTH = 2;

    /** As many as {@link Goodput} tries. */
    private static final int CANDIDATES = 50;

    private final BatchSpec spec;
    private final BatchLimits limits;
    private final ThroughputProfile profile = new ThroughputProfile();
    private final GoodputFitter fitter = new GoodputFitter();
    private Optional<GradientNoise> noise = Optional.empty();
    private int measuredSteps;
    private Choice current;
    private int largest;

    /**
     * The samples of a membership's steps.
     *
     * @param batch of all workers, 1 or more
     * @param accumulate in how many more parts than one each worker computes its samples, 0 or more
     */
    record Choice(int batch, int accumulate) {}

    BatchChooser(BatchSpec spec, BatchLimits limits) {
        this.spec = spec;
        this.limits = limits;
        this.current = new Choice(limits.initialBatch(), 0);
        this.largest = limits.initialBatch();
    }

    /** Goes on from a checkpoint with this batch and noise. */
    void restore(int batch, Optional<GradientNoise> known) {
        int possible = spec.adapts() ? Math.min(batch, limits.maxBatch()) : limits.initialBatch();
        current = new Choice(Math.max(possible, limits.initialBatch()), 0);
        largest = current.batch();
        noise = known;
        measuredSteps = known.isPresent() ? FEWEST_MEASURED_STEPS : 0;
    }

    /** Takes the mean times of some steps. */
    void add(ThroughputObservation times) {
        profile.add(times);
    }

    /** Takes the noise that {@code steps} more steps have led to. */
    void add(GradientNoise last, int steps) {
        noise = Optional.of(last);
        measuredSteps = (int) Math.min(FEWEST_MEASURED_STEPS, (long) measuredSteps + steps);
    }

    /** The gradient's noise of the initial batch, once enough steps were measured. */
    Optional<GradientNoise> noise() {
        return measuredSteps < FEWEST_MEASURED_STEPS ? Optional.empty() : noise;
    }

    /** The samples of the steps of the last membership that has begun. */
    Choice current() {
        return current;
    }

    /**
     * Chooses for a membership that begins.
     *
     * @param nodes the nodes that its workers are on, from 1 to {@code workers}
     * @param workers 1 or more
     */
    Choice choose(int nodes, int workers) {
        current = measured(nodes, workers).map(Measured::best).orElseGet(() -> choice(kept(workers), workers));
        largest = Math.max(largest, current.batch());
        return current;
    }

    /** Whether another batch is so much better on these workers that a change pays. */
    boolean wantsAnother(int nodes, int workers) {
        return measured(nodes, workers)
                .filter(known -> known.stepsPerSecond(known.best()) >= WORTHWHILE * known.stepsPerSecond(current))
                .isPresent();
    }

    private Optional<Measured> measured(int nodes, int workers) {
        return fitter.throughput(profile.observations())
                .filter(times -> spec.adapts())
                .flatMap(times -> noise().map(known -> new Measured(times, known, nodes, workers)));
    }

    /** What is known of the batches of {@code workers} on {@code nodes}. */
    private final class Measured {
        private final AllReduceThroughput times;
        private final GradientNoise known;
        private final int nodes;
        private final int workers;

        Measured(AllReduceThroughput times, GradientNoise known, int nodes, int workers) {
            this.times = times;
            this.known = known;
            this.nodes = nodes;
            this.workers = workers;
        }

        /** The goodput, in steps of the initial batch. */
        double stepsPerSecond(Choice choice) {
            int parts = choice.accumulate() + 1;
            BatchSplit split = new BatchSplit(roundedUp(choice.batch(), workers * parts), choice.accumulate());
            return known.gain((double) choice.batch() / limits.initialBatch())
                    / times.updateSeconds(nodes, workers, split);
        }

        /** The best of batches in equal ratios from the smallest to the largest that may be tried. */
        Choice best() {
            double smallest = limits.smallestBatch(workers);
            double most = Math.max(smallest, Math.min(most(workers), (double) MOST_GROWTH * largest));
            double ratio = Math.pow(most / smallest, 1.0 / (CANDIDATES - 1));
            Choice best = choice((int) smallest, workers);
            double total = smallest;
            for (int i = 1; i < CANDIDATES; i++) {
                total *= ratio;
                Choice candidate = choice((int) Math.min(most, (double) Math.round(total)), workers);
                best = stepsPerSecond(candidate) > stepsPerSecond(best) ? candidate : best;
            }
            return best;
        }
    }

    /** The largest batch of these workers. */
    private int most(int workers) {
        return spec.onWorkers(limits, workers).maxBatch();
    }

    /** The batch so far, as far as these workers can train with it. */
    private int kept(int workers) {
        return spec.adapts() ? Math.min(most(workers), Math.max(current.batch(), workers)) : limits.initialBatch();
    }

    private Choice choice(int batch, int workers) {
        return new Choice(batch, parts(batch, workers) - 1);
    }

    /** The number of parts, each of which has a sample. */
    private int parts(int batch, int workers) {
        if (!spec.accumulates()) {
            return 1;
        }
        int parts = roundedUp(roundedUp(batch, workers), limits.maxAtomicBatch());
        int fewest = spec.adapts() && workers == 1 ? 2 : 1;
        return Math.max(1, Math.min(Math.max(parts, fewest), batch / workers));
    }

    private static int roundedUp(int dividend, int divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
