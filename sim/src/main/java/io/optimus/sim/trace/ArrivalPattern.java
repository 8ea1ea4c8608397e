package io.optimus.sim.trace;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/** The distribution of the jobs' arrival times. */
public enum ArrivalPattern {
    /** Times are uniform over the duration, as on the paper's testbed. */
    UNIFORM,
    /** Times between arrivals are exponential with mean duration/jobs; the last job may arrive after the duration. */
    POISSON,
    /**
     * Jobs arrive in bursts, as in clusters of Google: the rate in each {@value #BURST_SECONDS} s is log-normal, so that most
     * jobs arrive in a few of these intervals.
     */
    GOOGLE;

    /** A burst lasts for some rounds. */
    private static final double BURST_SECONDS = 600;

    /** Standard deviation of the logarithm of rates: the busiest sixth have more than e times the median rate. */
    private static final double BURST_SIGMA = 1;

    /** Returns the name on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Draws the arrival times of {@code jobs} jobs in seconds, ascending.
     *
     * @param durationSeconds time within which they arrive, above 0
     */
    public double[] draw(int jobs, double durationSeconds, Random random) {
        double[] seconds =
                switch (this) {
                    case UNIFORM -> random.doubles(jobs)
                            .map(part -> part * durationSeconds)
                            .toArray();
                    case POISSON -> poisson(jobs, durationSeconds / jobs, random);
                    case GOOGLE -> bursts(jobs, durationSeconds, random);
                };
        Arrays.sort(seconds);
        return seconds;
    }

    private static double[] poisson(int jobs, double meanSeconds, Random random) {
        double[] seconds = new double[jobs];
        double now = 0;
        for (int i = 0; i < jobs; i++) {
            now -= meanSeconds * Math.log(1 - random.nextDouble());
            seconds[i] = now;
        }
        return seconds;
    }

    private static double[] bursts(int jobs, double durationSeconds, Random random) {
        double[] until = new double[(int) Math.ceil(durationSeconds / BURST_SECONDS)];
        double sum = 0;
        for (int i = 0; i < until.length; i++) {
            sum += Math.exp(BURST_SIGMA * random.nextGaussian()) * length(i, durationSeconds);
            until[i] = sum;
        }
        double[] seconds = new double[jobs];
        for (int i = 0; i < jobs; i++) {
            double at = random.nextDouble() * sum;
            int burst = 0;
            while (until[burst] < at) {
                burst++;
            }
            seconds[i] = burst * BURST_SECONDS + random.nextDouble() * length(burst, durationSeconds);
        }
        return seconds;
    }

    /** The last burst ends with the duration. */
    private static double length(int burst, double durationSeconds) {
        return Math.min(BURST_SECONDS, durationSeconds - burst * BURST_SECONDS);
    }
}
