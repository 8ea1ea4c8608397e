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
 * <p>What remains is believed of a job by t from 0 to 1, and its rank is what is to be expected: of two jobs, one has more
 * left as predicted with chance t1·t2, else with chance 1/2. Example: of three jobs, one is unknown. It has rank 2, the
 * longer one of the others 1 + 1/2, the shorter one 2 + 1/2.
 *
 * <p>Where nothing is known of any, by service so far: w = (s + 300)^(−1/4), s in GPU-seconds, the sum rounded down to 300,
 * 600, 1,200, … Whoever had little is likely to need little more; and since a job counts less only after about as much again
 * as it had, jobs that have no room together take turns that grow with their service. While the t of all jobs add up to less
 * than half of their number, w and p are between the two, by twice that part: no single prediction that comes or goes turns
 * the order of all jobs round.
 *
 * @param exponent p, to which a job's speed-up counts; below 0 it counts as a loss
 * @param ofJobs the weights, in their order
 */
record Weights(double exponent, List<Weight> ofJobs) {
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
     * By remaining work as far as that is known, by service for the rest.
     *
     * @param work what remains of each job, in shares of the cluster times seconds
     * @param trust how far that is believed, from 0 to 1
     * @param serviceSeconds what each job had so far, GPUs times seconds
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

    /** From 1 to as many as there are jobs; of equal work, whoever comes first has the larger one. */
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
            // Never below the first, as rounding would have it where nearly all is known.
            ranks[job] = Math.max(1, 1 + trust[job] * longer + open / 2);
            longer += trust[job];
        }
        return ranks;
    }

    /** w of rank {@code r}, 1 or more. */
    static double ofRank(double r) {
        double c = 1 / (1 - SPEEDUP_EXPONENT);
        return Math.pow(Math.pow(r, c) - Math.pow(r - 1, c), 1 / c);
    }

    private static double ofService(double seconds) {
        double doublings = Math.floor(Math.log(1 + seconds / SERVICE_OFFSET_SECONDS) / Math.log(2));
        return Math.pow(SERVICE_OFFSET_SECONDS * Math.pow(2, doublings), -0.25);
    }
}
