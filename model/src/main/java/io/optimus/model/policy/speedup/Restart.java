package io.optimus.model.policy.speedup;

import io.optimus.model.job.JobSnapshot;

/** What changing a running job leaves of its speed (Pollux, section 4.2.1). */
public final class Restart {
    private Restart() {}

    /**
     * The part of its life that a job would have trained if it had paid for every resize so far and for one more:
     *
     * <pre>max(age − cost · resizes, 0) / (age + cost)</pre>
     *
     * <p>Example: 300 s old, 2 resizes, 30 s each: 240/330 = 0.73.
     *
     * @return from 0 to 1
     */
    public static double factor(JobSnapshot job) {
        double age = job.history().ageSeconds();
        double cost = job.resizeCostSeconds();
        double trained = Math.max(0, age - cost * job.history().resizes());
        return trained == 0 ? 0 : trained / (age + cost);
    }
}
