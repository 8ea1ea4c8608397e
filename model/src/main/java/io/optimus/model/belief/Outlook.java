package io.optimus.model.belief;

import io.optimus.model.Allocation;

/**
 * How resizes that are foreseen move the end of a job.
 *
 * <p>Example: a job has 2 workers, with which it would end in 100 s. According to a forecast of the cluster, another job ends in
 * 20 s, this one then grows to 4 workers, and it ends in 60 s. The factor is 0.6.
 *
 * @param tasks those that the job has when the forecast begins; on others, it says nothing
 * @param gpuSpeed the speed of their GPUs, relative to the GPUs of the speed function
 * @param factor the time to the end that is foreseen, as a multiple of that on these tasks; above 0
 */
public record Outlook(Allocation tasks, double gpuSpeed, double factor) {
    /** Of a factor; what is beyond is taken for an error of the forecast. */
    private static final double LARGEST = 1000;

    /** Throws if the factor is not plausible, see {@link #isPlausible}. */
    public Outlook {
        if (!isPlausible(factor)) {
            throw new IllegalArgumentException("No job ends so much earlier or later: " + factor);
        }
    }

    /** Whether it is of these tasks on GPUs of this speed. */
    boolean isFor(Allocation others, double speedOfTheirGpus) {
        return tasks.equals(others) && gpuSpeed == speedOfTheirGpus;
    }

    /** Whether a forecast can be right that moves an end by this factor. */
    public static boolean isPlausible(double factor) {
        return factor >= 1 / LARGEST && factor <= LARGEST;
    }
}
