package io.optimus.sim.engine;

/**
 * How long a job stands still when its tasks change. It holds its new tasks meanwhile; a job that is given nothing stands
 * still anyway, and pauses when it gets tasks again.
 *
 * @param leastSeconds 0 or more
 * @param mostSeconds each job's pause is drawn once between both; equal: all the same
 * @param measured whether jobs of which the pause was measured take that instead
 * @param atStart whether the first start of a job takes as long
 */
public record ResizePause(double leastSeconds, double mostSeconds, boolean measured, boolean atStart) {
    /** Refuses an empty range. */
    public ResizePause {
        if (!(leastSeconds >= 0 && leastSeconds <= mostSeconds && mostSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("A pause is drawn from 0 <= least <= most seconds, got least="
                    + leastSeconds + " most=" + mostSeconds);
        }
    }

    /** The same for all jobs, the start included. */
    public static ResizePause of(double seconds) {
        return new ResizePause(seconds, seconds, false, true);
    }

    /** Of {@code job}: always the same for a seed. */
    double seconds(SimulatedJob job, long seed) {
        if (measured && job.pauseSeconds().isPresent()) {
            return job.pauseSeconds().getAsDouble();
        }
        return leastSeconds
                + (mostSeconds - leastSeconds) * Seeds.random(seed, "pause").nextDouble();
    }
}
