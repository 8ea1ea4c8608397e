package io.optimus.model.policy.smd;

import io.optimus.model.job.JobSnapshot;

/**
 * The value of a job's end by its time (SMD, INFOCOM 2021): all of the weight if the job ends soon, half of it at the target
 * time, nothing long after.
 *
 * <pre>u(t) = g1 / (1 + exp(g2·(t − g3)))</pre>
 *
 * @param weight g1, the largest value of the job, above 0
 * @param sensitivity g2, how steeply the value falls around the target time, per second, 0 or more
 * @param targetSeconds g3, the time at which half of the value is lost
 */
record Utility(double weight, double sensitivity, double targetSeconds) {
    /** A job that ends at once is worth 98 % of its weight, one that takes twice the usual time 2 %. */
    private static final double STEEPNESS = 4;

    /** The least usual time, so that the sensitivity stays finite. */
    private static final double LEAST_SECONDS = 1e-3;

    /** Larger priorities count no more than this: 2^30 outweighs any number of jobs. */
    private static final int LARGEST_PRIORITY = 30;

    /**
     * The utility of a job whose owner does not state one.
     *
     * <p>Each step of priority doubles the weight. The target is the usual time to an end plus the age of the job. So short
     * jobs are worth more than long ones, and long jobs catch up as they grow older.
     *
     * @param usualSeconds to the end of a job of this round, above 0
     */
    static Utility of(JobSnapshot job, double usualSeconds) {
        int priority = Math.max(-LARGEST_PRIORITY, Math.min(LARGEST_PRIORITY, job.priority()));
        double usual = Math.max(LEAST_SECONDS, usualSeconds);
        return new Utility(
                Math.scalb(1.0, priority),
                STEEPNESS / usual,
                usual + job.history().ageSeconds());
    }

    /** The value of an end in {@code seconds}, 0 or more, may be infinite. */
    double at(double seconds) {
        return weight / (1 + Math.exp(sensitivity * (seconds - targetSeconds)));
    }
}
