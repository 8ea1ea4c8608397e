package io.optimus.model.exploration;

import io.optimus.model.Allocation;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.SizeRange;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the size that a running job should try, if there is one where that repays: the expected time that it saves by what
 * it may turn out to be, less what trying it costs.
 *
 * <pre>
 * worth(a) = (rest − T) · E[max(0, 1 − X)] − pause · (1 + P[X &gt; 1]) − T · E[max(0, 1 − 1/X)]
 * X = seconds(a) / seconds(now),  ln X ~ N(m, s²)
 * E[max(0, 1 − X)] = Φ(−m/s) − e^(m + s²/2) · Φ(−m/s − s)
 * </pre>
 *
 * <p>with m and s by {@link ExpectedSpeed}, rest the seconds that the job still takes as it runs now, T a round, for which it
 * tries a size, and a pause to go there and, where it is slower, one to go back. The size that is worth most is next, if
 * that is above 0; of equals, the first in order of allocations. This is expected improvement (Mockus, Tiesis and Zilinskas
 * 1978; Jones, Schonlau and Welch 1998, section 4.1) in time, with a price: sizes that are surely slower are worth
 * nothing, those that may well be faster are worth the more, the longer a job still runs.
 *
 * <p>It comes to rest: what was measured or given up is not tried again, and each measurement makes the others surer, so that
 * less remains to hope for.
 *
 * <p>Example: synchronous, 1 s a step on 2 ps + 2 workers, an hour left, 30 s a pause and 60 s a round. On 3 + 5, 1.19 s are
 * expected, give or take 20 %: most likely slower, but the chance that it is not is worth 4 s, and 57 s if a pause takes 1 s.
 * On 12 + 3, 0.78 s give or take 24 %, are worth 726 s: the most of all up to 12 + 12, so that this one is tried.
 *
 * <p>It serves one job, and remembers what sizes promise until that is news: a round that brings none costs a look at each
 * size. Not safe for several threads.
 */
public final class ExpectedImprovement {
    /** Of an unknown end, until the job is older: jobs that end sooner are hardly worth resizing at all. */
    private static final double LEAST_ROUNDS = 10;

    private final SizeRange range;
    /** Null before it was asked. */
    private @Nullable Prospects known;

    /** For a job that runs on sizes of {@code range}. */
    public ExpectedImprovement(SizeRange range) {
        this.range = range;
    }

    /**
     * A job while it runs.
     *
     * @param held what it runs on, none while it waits
     * @param trying what it is to be tried on by the plan in force
     * @param ageSeconds since it came: where nobody says how long it still takes, as long again (Lindy's rule: of an unknown
     *     life, half is over in the median)
     * @param pauseSeconds stepping that a resize costs, 0 or more
     * @param roundSeconds between two rounds, the time for which it tries a size
     */
    public record Running(
            Allocation held,
            Optional<Allocation> trying,
            double ageSeconds,
            double pauseSeconds,
            double roundSeconds) {}

    /**
     * The size to try next; empty where none is worth it. A size that is being tried stays the one until it was measured, so
     * that there is never more than one.
     *
     * @param expected of its speed
     * @param givenUp sizes that were tried and gave no sample
     * @param remainingSteps to the end, empty while not predicted
     * @param job as it runs now
     * @param fits whether there is room for a size now, that of what the job holds included
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
        return prospects(expected, job).best(restSeconds(expected, remainingSteps, job), open);
    }

    private Prospects prospects(ExpectedSpeed expected, Running job) {
        Prospects last = known;
        Prospects now = last != null && last.hold(expected, job) ? last : new Prospects(expected, job, range);
        known = now;
        return now;
    }

    private static double restSeconds(ExpectedSpeed expected, OptionalDouble remainingSteps, Running job) {
        return remainingSteps.isPresent()
                ? remainingSteps.getAsDouble() / expected.function().stepsPerSecond(job.held())
                : Math.max(LEAST_ROUNDS * job.roundSeconds(), job.ageSeconds());
    }
}
