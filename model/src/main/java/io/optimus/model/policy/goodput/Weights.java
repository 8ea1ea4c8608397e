package io.optimus.model.policy.goodput;

import io.optimus.model.policy.Weighed.ByRemainingWork;
import io.optimus.model.policy.Weighed.ByService;
import io.optimus.model.policy.Weighed.Equal;
import io.optimus.model.policy.Weighed.Standing;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much a job counts: what is lost by its delay is lost for everybody behind it.
 *
 * <p>By remaining work, rank r is 1 for the job with the most and n for the one with the least:
 *
 * <pre>w = (r^c − (r−1)^c)^(1/c),  c = 1/(1−q), q = 0.7</pre>
 *
 * <p>the derivative of the total flow time in the fluid model where k servers make a job k^q times as fast (heSRPT, Berg,
 * Vesilo and Harchol-Balter 2020). Example: of two jobs, the longer one weighs 1 and the shorter one (2^(10/3) − 1)^0.3 =
 * 1.94.
 *
 * <p>Where the remaining work of most jobs is not known, by service so far: w = (s + 300)^(−1/4), s in GPU-seconds. Whoever had little
 * is likely to need little more.
 *
 * @param exponent p, to which a job's speed-up counts; below 0 it counts as a loss
 * @param standings of the jobs, in their order
 */
record Weights(double exponent, List<Standing> standings) {
    /** Flat within 1 % from 0.6 to 0.8 on measured workloads. */
    private static final double SPEEDUP_EXPONENT = 0.7;

    /** Flat within 1 % from 0.7 to 1 on measured workloads. */
    private static final double EXPONENT_BY_RANK = 0.8;

    /** Without ranks, fairness has to stand in for foresight. */
    private static final double EXPONENT_BY_SERVICE = 0.5;

    /** Five minutes of a GPU: below it, who had more says nothing. */
    private static final double SERVICE_OFFSET_SECONDS = 300;

    /** Pollux's p: a job that is twice as slow counts twice. */
    private static final double EXPONENT_OF_POLLUX = -1;

    /** All of {@code jobs} jobs count the same. */
    static Weights equal(int jobs) {
        return new Weights(EXPONENT_OF_POLLUX, Collections.nCopies(jobs, new Equal()));
    }

    /**
     * By remaining work where that of at least half of the jobs is known. The others stand in the middle, first come first
     * served among themselves: no order for most of a queue.
     *
     * @param work what remains of each job, in shares of the cluster times seconds; NaN where it is not known
     * @param serviceSeconds what each job had so far, GPUs times seconds
     */
    static Weights of(double[] work, double[] serviceSeconds) {
        double[] known =
                Arrays.stream(work).filter(each -> !Double.isNaN(each)).sorted().toArray();
        if (known.length == 0 || 2 * known.length < work.length) {
            return new Weights(
                    EXPONENT_BY_SERVICE,
                    Arrays.stream(serviceSeconds).mapToObj(Weights::byService).toList());
        }
        double median = known[known.length / 2];
        double[] assumed = Arrays.stream(work)
                .map(each -> Double.isNaN(each) ? median : each)
                .toArray();
        return new Weights(EXPONENT_BY_RANK, List.of(byRank(assumed)));
    }

    private static Standing byService(double seconds) {
        return new ByService(Math.pow(seconds + SERVICE_OFFSET_SECONDS, -0.25), seconds);
    }

    /** Of equal work, whoever comes first has the larger rank. */
    private static Standing[] byRank(double[] work) {
        Integer[] longestFirst = IntStream.range(0, work.length).boxed().toArray(Integer[]::new);
        Arrays.sort(
                longestFirst,
                Comparator.<Integer>comparingDouble(job -> -work[job]).thenComparing(Comparator.reverseOrder()));
        Standing[] standings = new Standing[work.length];
        for (int i = 0; i < work.length; i++) {
            standings[longestFirst[i]] = new ByRemainingWork(ofRank(i + 1), work.length - i, work.length);
        }
        return standings;
    }

    /** w of rank {@code r}, 1 or more. */
    static double ofRank(int r) {
        double c = 1 / (1 - SPEEDUP_EXPONENT);
        return Math.pow(Math.pow(r, c) - Math.pow(r - 1, c), 1 / c);
    }
}
