package io.optimus.am.engine;

/**
 * All steps that a worker has done. The difference of two such totals tells how fast it was in between.
 *
 * @param steps their number
 * @param samples the samples that this worker took in them
 * @param ownSeconds their time without the time in which this worker waited for others
 * @param seconds their time, without the time between epochs
 */
public record StepTotals(long steps, long samples, double ownSeconds, double seconds) {
    /** No step yet. */
    public static final StepTotals NONE = new StepTotals(0, 0, 0, 0);

    /** One step more, of so many samples. */
    public StepTotals with(int moreSamples, long ownNanos, long nanos) {
        return new StepTotals(steps + 1, samples + moreSamples, ownSeconds + ownNanos / 1e9, seconds + nanos / 1e9);
    }

    /** What came since {@code before}. */
    public StepTotals since(StepTotals before) {
        return new StepTotals(
                steps - before.steps,
                samples - before.samples,
                ownSeconds - before.ownSeconds,
                seconds - before.seconds);
    }
}
