package io.optimus.model.policy.goodput;

import io.optimus.model.decision.GoodputReason.ByRemainingWork;
import io.optimus.model.decision.GoodputReason.ByService;
import io.optimus.model.decision.GoodputReason.Equal;
import io.optimus.model.decision.GoodputReason.Weight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The weight of each job in the objective: a delay of a job delays every job behind it.
 *
 * <p>By remaining work, rank r is 1 for the job with the most and n for the job with the least:
 *
 * <pre>w = (r^c − (r−1)^c)^(1/c),  c = 1/(1−q), q = 0.7</pre>
 *
 * <p>This is the derivative of the total flow time in the fluid model where k servers make a job k^q times as fast (heSRPT, Berg,
 * Vesilo and Harchol-Balter 2020). Example: of two jobs, the longer one weighs 1 and the shorter one (2^(10/3) − 1)^0.3 =
 * 1.94.
 *
 * <p>The remaining work of a job is trusted by t from 0 to 1, and its rank is the expected rank: with probability t1·t2, the
 * predictions tell which of two jobs has more left; else each has more with probability 1/2. Example: of three jobs, one is
 * unknown. It has rank 2, the longer of the others 1 + 1/2, the shorter 2 + 1/2.
 *
 * <p>If nothing is known of any job, service so far decides: w = (s + 300)^(−1/4), s in GPU-seconds, the sum rounded down to
 * 300, 600, 1,200, … A job that had little service is likely to need little more. A job counts less only after it had about as
 * much service again, so that jobs which have no room together take turns that grow with their service. While the t of all jobs
 * add up to less than half of their number, w and p lie between those of both rules, by twice that part. So no single
 * prediction that comes or goes reverses the order of all jobs.
 *
 * @param exponent p, the exponent of a job's speed-up; below 0 the power is a loss
 * @param ofJobs the weights, in order of the jobs
 */
record Weights(double exponent, List<Weight> ofJobs) {
    /** Results differ by at most 1 % from 0.6 to 0.8 on measured workloads. */
    private static final double SPEEDUP_EXPONENT = 0.7;

    /** Results differ by at most 1 % from 0.7 to 1 on measured workloads. */
    private static final double EXPONENT_BY_RANK = 0.8;

    /** Without ranks, fairness has to replace prediction. */
    private static final double EXPONENT_BY_SERVICE = 0.5;

    /** Five minutes of a GPU: smaller differences of service say nothing. */
    private static final double SERVICE_OFFSET_SECONDS = 300;

    /** Pollux's p: a job that is twice as slow counts twice. */
    private static final double EXPONENT_OF_POLLUX = -1;

    static Weights equal(int jobs) {
        return new Weights(EXPONENT_OF_POLLUX, Collections.nCopies(jobs, new Equal()));
    }

    /**
     * Weights by remaining work as far as that is known, by service for the rest.
     *
     * @param work remaining work of each job, in shares of the cluster times seconds
     * @param trust how far that is trusted, from 0 to 1
     * @param serviceSeconds service of each job so far, GPUs times seconds
     */
    static Weights of(double[] work, double[] trust, double[] serviceSeconds) {
        double[] ranks = expectedRanks(work, trust);
        double byRank = Math.min(1, 2 * Arrays.stream(trust).sum() / Math.max(1, work.length));
        List<Weight> weights = new ArrayList<>();
        for (int i = 0; i < work.length; i++) {
            double weight = Math.pow(ofRank(ranks[i]), byRank) * Math.pow(ofService(serviceSeconds[i]), 1 - byRank);
            int place = (int) Math.round(work.length + 1 - ranks[i]);
            weights.add(
                    byRank == 1
                            ? new ByRemainingWork(weight, place, work.length)
                            : new ByService(weight, serviceSeconds[i]));
        }
        return new Weights(byRank * EXPONENT_BY_RANK + (1 - byRank) * EXPONENT_BY_SERVICE, weights);
    }

    /** Ranks from 1 to the number of jobs; of equal work, the first job has the larger rank. */
    private static double[] expectedRanks(double[] work, double[] trust) {
        Integer[] longestFirst = IntStream.range(0, work.length).boxed().toArray(Integer[]::new);
        Arrays.sort(
                longestFirst,
                Comparator.<Integer>comparingDouble(job -> -work[job]).thenComparing(Comparator.reverseOrder()));
        double known = Arrays.stream(trust).sum();
        double longer = 0;
        double[] ranks = new double[work.length];
        for (int job : longestFirst) {
            double open = work.length - 1 - trust[job] * (known - trust[job]);
            // Rounding could give a little less than 1 where nearly all is known.
            ranks[job] = Math.max(1, 1 + trust[job] * longer + open / 2);
            longer += trust[job];
        }
        return ranks;
    }

    /** The weight of rank {@code r}, 1 or more. */
    static double ofRank(double r) {
        double c = 1 / (1 - SPEEDUP_EXPONENT);
        return Math.pow(Math.pow(r, c) - Math.pow(r - 1, c), 1 / c);
    }

    private static double ofService(double seconds) {
        double doublings = Math.floor(Math.log(1 + seconds / SERVICE_OFFSET_SECONDS) / Math.log(2));
        return Math.pow(SERVICE_OFFSET_SECONDS * Math.pow(2, doublings), -0.25);
    }
}
