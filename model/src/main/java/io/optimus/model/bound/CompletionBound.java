package io.optimus.model.bound;

import java.util.Comparator;
import java.util.List;

/**
 * Lower bounds on the mean completion time (from submission to end) and on the makespan of any schedule, whatever it knows,
 * however often it resizes at no cost, and however it places tasks. No schedule has to attain it.
 *
 * <p>Each is a relaxation of the problem, for jobs whose speed depends on their tasks alone. With r a job's arrival, h its
 * least seconds, W its least resource-seconds, G the amount of that resource, C its end:
 *
 * <ul>
 *   <li><b>alone</b>: C ≥ r + h, as if every job had the cluster to itself.
 *   <li><b>in sum</b>: no schedule does more than G resource-seconds in a second. So any schedule is also one of a single
 *       machine of speed G that jobs share in any way. There, serving the job with the least remaining work first gives the
 *       best mean (SRPT: Schrage, Operations Research 1968).
 *   <li><b>both</b>: let M be the mean time at which a job's work is done. It does no more than 1/h of its work in a second, so
 *       that C ≥ M + h/2. On the single machine ΣM is least if the job with the least whole W runs first (preemptively,
 *       Goemans, IPCO 1996): ΣC ≥ ΣM + Σh/2. Where a job has stages with an h and a W each, the mean over its W of the least
 *       seconds from there to its end replaces h/2.
 * </ul>
 *
 * <p>Example: four jobs arrive at once on 2 GPUs; each takes 10 s on 1 GPU, and no less on two. Alone gives 10 s. In sum gives
 * 5, 10, 15 and 20 s, a mean of 12.5 s. Both gives 2.5, 7.5, 12.5 and 17.5 s plus 5 s each, a mean of 15 s, which two jobs
 * after two others attain.
 */
public final class CompletionBound {
    private final List<Work> jobs;
    private final double capacity;

    /**
     * The bounds for some jobs. Each of several resources gives a bound; the largest holds.
     *
     * @param jobs 1 or more
     * @param capacity amount of the resource that the cluster has, above 0
     */
    public CompletionBound(List<Work> jobs, double capacity) {
        if (jobs.isEmpty() || !(capacity > 0)) {
            throw new IllegalArgumentException(
                    "A bound needs 1 or more jobs and a capacity above 0, got " + jobs.size() + " and " + capacity);
        }
        this.jobs = jobs.stream()
                .sorted(Comparator.comparingDouble(Work::arrivalSeconds))
                .toList();
        this.capacity = capacity;
    }

    /** A lower bound of the mean completion time of the jobs, in seconds. */
    public double meanCompletionSeconds() {
        double arrivals = jobs.stream().mapToDouble(Work::arrivalSeconds).sum();
        double alone = jobs.stream().mapToDouble(Work::leastSeconds).sum();
        double inSum = new SingleMachine(jobs, capacity, SingleMachine.LEAST_REMAINING_FIRST).sumOfEnds() - arrivals;
        double both = new SingleMachine(jobs, capacity, SingleMachine.LEAST_WORK_FIRST).sumOfMeanTimes()
                + jobs.stream().mapToDouble(Work::meanSecondsToEnd).sum()
                - arrivals;
        return Math.max(alone, Math.max(inSum, both)) / jobs.size();
    }

    /** A lower bound of the seconds from the first arrival to the last end. */
    public double makespanSeconds() {
        double lastAlone = jobs.stream()
                .mapToDouble(job -> job.arrivalSeconds() + job.leastSeconds())
                .max()
                .orElseThrow();
        double lastInSum = new SingleMachine(jobs, capacity, SingleMachine.LEAST_WORK_FIRST).lastEnd();
        return Math.max(lastAlone, lastInSum) - jobs.get(0).arrivalSeconds();
    }
}
