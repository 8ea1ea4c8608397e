package io.optimus.model.policy.smd;

import io.optimus.model.job.JobSnapshot;

/**
 * What it is worth that a job ends after some time (SMD, INFOCOM 2021): all of the weight if soon, half of it at the
 * target time, nothing long after.
 *
 * <pre>u(t) = g1 / (1 + exp(g2·(t − g3)))</pre>
 *
 * @param weight g1, what the job is worth at most, above 0
 * @param sensitivity g2, how steeply that falls around the target time, per second, 0 or more
 * @param targetSeconds g3, when half of it is lost
 */
record Utility(double weight, double sensitivity, double targetSeconds) {
    /** A job that ends at once is worth 98 % of its weight, one that takes twice the usual time 2 %. */
    private static final double STEEPNESS = 4;

    /** Ends that are nearer are as near as that. */
    private static final double LEAST_SECONDS = 1e-3;

    /** Beyond this, priorities are worth no more: 2^30 outweighs as many jobs as there are. */
    private static final int LARGEST_PRIORITY = 30;

    /**
     * Of a job whose owner said nothing of what its end is worth to him.
     *
     * <p>A step of priority doubles the weight. The target is the usual time to an end, and as far away again as the job is
     * old: short jobs are worth more than long ones, and a long job comes to be worth as much by its age.
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

    /** For an end in {@code seconds}, 0 or more, may be infinite. */
    double at(double seconds) {
        return weight / (1 + Math.exp(sensitivity * (seconds - targetSeconds)));
    }
}
