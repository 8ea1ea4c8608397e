package io.optimus.model.job;

import io.optimus.model.Allocation;

/**
 * The past of a job.
 *
 * @param ageSeconds since submission, 0 or more
 * @param workerSeconds workers that it held, summed over time, 0 or more; times its GPUs per worker, this is its attained
 *     service in GPU-seconds
 * @param resizes resizes that it carried out, not counting its start, 0 or more
 * @param largest the most tasks of each role that it ran on at a time
 */
public record JobHistory(double ageSeconds, double workerSeconds, int resizes, Allocation largest) {
    /** The history of a job that was just submitted. */
    public static final JobHistory NEW = new JobHistory(0, 0, 0, Allocation.NONE);

    /** Refuses a negative number of resizes. */
    public JobHistory {
        if (resizes < 0) {
            throw new IllegalArgumentException("A job has done 0 resizes or more, not " + resizes);
        }
    }
}
