package io.optimus.sim.engine;

/**
 * The time that a job pauses when its tasks change. It holds its new tasks during the pause. A job without tasks pauses
 * when it gets tasks again.
 *
 * @param leastSeconds 0 or more
 * @param mostSeconds upper end of the range from which the pause of each job is drawn once
 * @param measured whether a job with a measured pause uses that one instead
 * @param atStart whether a job also pauses at its first start
 */
public record ResizePause(double leastSeconds, double mostSeconds, boolean measured, boolean atStart) {
    /** Throws if the range is empty. */
    public ResizePause {
        if (!(leastSeconds >= 0 && leastSeconds <= mostSeconds && mostSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("The range of pauses must be 0 <= least <= most seconds, got least="
                    + leastSeconds + " most=" + mostSeconds);
        }
    }

    /** The same pause for all jobs, also at their start. */
    public static ResizePause of(double seconds) {
        return new ResizePause(seconds, seconds, false, true);
    }

    /**
     * The pauses of one job.
     *
     * @param startSeconds at its first start
     * @param resizeSeconds at every other change of its tasks
     */
    record OfJob(double startSeconds, double resizeSeconds) {}

    /** The pauses of {@code job}, which are always the same for a seed. */
    OfJob of(SimulatedJob job, long seed) {
        double drawn = leastSeconds
                + (mostSeconds - leastSeconds) * Seeds.random(seed, "pause").nextDouble();
        SimulatedJob.Pauses known = measured ? job.pauses() : SimulatedJob.Pauses.UNKNOWN;
        double resize = known.resizeSeconds().orElse(drawn);
        return new OfJob(atStart ? known.startSeconds().orElse(resize) : 0, resize);
    }
}
