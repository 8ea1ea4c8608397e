package io.optimus.model.exploration;

import io.optimus.model.Allocation;
import io.optimus.model.numerics.StandardNormal;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the size that a running job should try, if the time that it is expected to save there exceeds the cost of trying.
 *
 * <pre>
 * worth(a) = (rest − T) · E[max(0, 1 − X)] − pause · (1 + P[X &gt; 1]) − T · E[max(0, 1 − 1/X)]
 * X = seconds(a) / seconds(now),  ln X ~ N(m, s²)
 * E[max(0, 1 − X)] = Φ(−m/s) − e^(m + s²/2) · Φ(−m/s − s)
 * </pre>
 *
 * <p>m and s follow from {@link ExpectedSpeed}; rest are the seconds that the job still takes at its size, and T is the round
 * for which it tries a size. It pauses to change its size and, if the new one is slower, to change it back. The job tries the
 * size that is worth most, if that is above 0; of equal ones the first in order of allocations. This is expected improvement
 * (Mockus, Tiesis and Zilinskas 1978; Jones, Schonlau and Welch 1998, section 4.1) in units of time, with a price: sizes that
 * are surely slower are worth nothing, and those that may be faster are worth more, the longer the job still runs.
 *
 * <p>The search ends by itself: what was measured or given up is not tried again, and each measurement makes the speeds of the
 * other sizes surer.
 *
 * <p>Example: a synchronous job takes 1 s a step on 2 ps + 2 workers, has an hour left, and pauses for 30 s; a round is 60 s.
 * On 3 + 5 it is expected to take 1.19 s, plus or minus 20 %: most likely slower, but the chance that it is faster is worth 4
 * s, and 57 s if a pause takes 1 s. On 12 + 3 it is expected to take 0.78 s, plus or minus 24 %. That is worth 726 s, the most
 * of all sizes up to 12 + 12, so that the job tries it.
 *
 * <p>An instance serves one job and caches the worth of sizes until the speeds or the job change, so that a round without news
 * only looks at each size. Not safe for several threads.
 */
public final class ExpectedImprovement {
    /** An unknown end counts as at least this far away: resizing jobs that end sooner hardly pays off. */
    private static final double LEAST_ROUNDS = 10;

    private final SizeRange range;
    /** The trials as last computed; null before. */
    private @Nullable Trials known;

    /** Chooses for a job that runs on sizes of {@code range}. */
    public ExpectedImprovement(SizeRange range) {
        this.range = range;
    }

    /**
     * The state of a running job.
     *
     * @param held the size that it runs on, none while it waits
     * @param trying the size that it tries by the plan in force
     * @param ageSeconds since it was submitted; if the end is unknown, it is expected to take as long again (Lindy's rule: of
     *     an unknown life, half is over in the median)
     * @param pauseSeconds stepping time that a resize costs, 0 or more
     * @param roundSeconds between two rounds, the time for which the job tries a size
     */
    public record Running(
            Allocation held,
            Optional<Allocation> trying,
            double ageSeconds,
            double pauseSeconds,
            double roundSeconds) {}

    /**
     * Chooses the size to try next; empty if none is worth it. A job tries a size until it is measured, so that it never tries
     * more than one.
     *
     * @param expected its expected speed
     * @param givenUp sizes that were tried and gave no sample
     * @param remainingSteps to the end, empty while not predicted
     * @param job its state
     * @param fits whether a size has room now, including the resources that the job holds
     */
    public Optional<Allocation> next(
            ExpectedSpeed expected,
            Set<Allocation> givenUp,
            OptionalDouble remainingSteps,
            Running job,
            Predicate<Allocation> fits) {
        Predicate<Allocation> open =
                size -> !expected.ran().contains(size) && !givenUp.contains(size) && fits.test(size);
        Optional<Allocation> tried = job.trying().filter(open);
        if (tried.isPresent() || !expected.ran().contains(job.held())) {
            return tried;
        }
        return trials(expected, job).best(restSeconds(expected, remainingSteps, job), open);
    }

    private Trials trials(ExpectedSpeed expected, Running job) {
        Trials last = known;
        Trials now = last != null && last.isOf(expected, job) ? last : new Trials(expected, job, range);
        known = now;
        return now;
    }

    private static double restSeconds(ExpectedSpeed expected, OptionalDouble remainingSteps, Running job) {
        return remainingSteps.isPresent()
                ? remainingSteps.getAsDouble() / expected.function().stepsPerSecond(job.held())
                : Math.max(LEAST_ROUNDS * job.roundSeconds(), job.ageSeconds());
    }

    /** The expected gain and the cost of trying each size, whatever time the job has left. */
    static final class Trials {
        /** Keeps the division by a deviation possible where a speed is sure. */
        private static final double LEAST_DEVIATION = 1e-6;

        /** e^30 exceeds all ratios of speeds, and its square is still a double. */
        private static final double LARGEST_DEVIATION = 30;

        private final ExpectedSpeed expected;
        private final Running job;
        private final List<Trial> trials;

        /**
         * Trying one size.
         *
         * @param gain the expected part of the remaining time that is saved; 0 or more
         * @param costSeconds the pauses, and the round on a size that may be slower
         */
        record Trial(Allocation size, double gain, double costSeconds) {
            /** The seconds that trying the size is expected to save in all; below 0 if it costs more. */
            double worth(double restSeconds, double roundSeconds) {
                return Math.max(0, restSeconds - roundSeconds) * gain - costSeconds;
            }
        }

        /** The trials of the sizes on the grid of {@code range} that were not measured. */
        Trials(ExpectedSpeed expected, Running job, SizeRange range) {
            this.expected = expected;
            this.job = job;
            this.trials = new ArrayList<>();
            for (Allocation size : range.grid()) {
                if (!expected.ran().contains(size)) {
                    trials.add(of(size));
                }
            }
        }

        /** Whether these trials hold for such a job. */
        boolean isOf(ExpectedSpeed otherExpected, Running other) {
            return otherExpected == expected
                    && other.held().equals(job.held())
                    && other.pauseSeconds() == job.pauseSeconds()
                    && other.roundSeconds() == job.roundSeconds();
        }

        Trial of(Allocation size) {
            SpeedFunction speed = expected.function();
            double mean = Math.log(speed.stepsPerSecond(job.held()) / speed.stepsPerSecond(size));
            double deviation =
                    Math.max(LEAST_DEVIATION, Math.min(LARGEST_DEVIATION, expected.deviation(size, job.held())));
            double pauses = job.pauseSeconds() * (1 + StandardNormal.below(mean / deviation));
            double slowerSeconds = job.roundSeconds() * expectedGain(-mean, deviation);
            return new Trial(size, expectedGain(mean, deviation), pauses + slowerSeconds);
        }

        /** E[max(0, 1 − X)] of an X whose logarithm has this mean and deviation. */
        private static double expectedGain(double mean, double deviation) {
            double below = StandardNormal.below(-mean / deviation);
            double beyond = StandardNormal.below(-mean / deviation - deviation);
            return beyond == 0 ? below : below - Math.exp(mean + deviation * deviation / 2) * beyond;
        }

        /** The open size that is worth most to a job with {@code restSeconds} left; empty if none is worth anything. */
        Optional<Allocation> best(double restSeconds, Predicate<Allocation> open) {
            Allocation best = Allocation.NONE;
            double most = 0;
            for (Trial trial : trials) {
                double worth = trial.worth(restSeconds, job.roundSeconds());
                if (worth > most && open.test(trial.size())) {
                    best = trial.size();
                    most = worth;
                }
            }
            return best.isNone() ? Optional.empty() : Optional.of(best);
        }
    }
}
