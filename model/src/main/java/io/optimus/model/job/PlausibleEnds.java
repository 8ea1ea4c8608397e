package io.optimus.model.job;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Bounds how much a job can gain by claiming that much work is left, where policies give more to jobs with more work.
 *
 * <pre>rest ≤ 4 · max(median rest of the other jobs, time run so far)</pre>
 *
 * <p>All times are on the minimum of each job. Nobody but the job knows its rest, so a job that claims far more than others is
 * believed more the longer it has run: after a day it may have four days left. Under diminishing returns, four times the
 * work is worth about twice the tasks. A job alone is believed whatever it claims.
 *
 * <p>Example: A needs 100 s and B claims 10,000 s. B counts with 400 s at first, and with 1,000 s after it has run for 250 s.
 */
public final class PlausibleEnds {
    /** Optimus gives tasks by Q/f: with f growing as w^0.8, 4 times the work gets 4^(1/1.8) = 2.2 times the workers. */
    private static final double MOST_TIMES = 4;

    private PlausibleEnds() {}

    /** Returns {@code jobs}, in the same order, with ends that are too far away brought nearer. */
    public static List<JobSnapshot> of(List<JobSnapshot> jobs) {
        double[] rests = jobs.stream()
                .map(PlausibleEnds::rest)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .sorted()
                .toArray();
        return rests.length < 2
                ? jobs
                : jobs.stream().map(job -> bounded(job, rests)).toList();
    }

    private static JobSnapshot bounded(JobSnapshot job, double[] rests) {
        OptionalDouble rest = rest(job);
        if (rest.isEmpty()) {
            return job;
        }
        double most = MOST_TIMES * Math.max(medianOfOthers(rests, rest.getAsDouble()), ran(job));
        return rest.getAsDouble() <= most
                ? job
                : job.withRemaining(most * job.speed().orElseThrow().stepsPerSecond(job.minimum()));
    }

    /** The upper median of {@code rests}, which are sorted, without one {@code own} among them. */
    private static double medianOfOthers(double[] rests, double own) {
        int middle = (rests.length - 1) / 2;
        return rests[middle >= Arrays.binarySearch(rests, own) ? middle + 1 : middle];
    }

    /** The predicted seconds on the minimum; empty if they are not known. */
    private static OptionalDouble rest(JobSnapshot job) {
        double speed =
                job.speed().map(known -> known.stepsPerSecond(job.minimum())).orElse(0.0);
        double seconds = job.remainingSteps().orElse(Double.NaN) / speed;
        return Double.isFinite(seconds) ? OptionalDouble.of(seconds) : OptionalDouble.empty();
    }

    /** The seconds in which its minimum would have had the worker-seconds that it had. */
    private static double ran(JobSnapshot job) {
        return job.history().workerSeconds() / Math.max(1, job.minimum().workers());
    }
}
