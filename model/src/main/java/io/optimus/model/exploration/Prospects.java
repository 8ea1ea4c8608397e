package io.optimus.model.exploration;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.numerics.StandardNormal;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a job may gain by trying each size, and what that costs: of one state of knowledge, whether it has much or little left. */
final class Prospects {
    /** So that what is sure can be divided by. */
    private static final double LEAST_DEVIATION = 1e-6;

    /** A factor of e^30 is beyond all speeds that can be told apart; its square is a number still. */
    private static final double LARGEST_DEVIATION = 30;

    private final ExpectedSpeed expected;
    private final Running job;
    private final List<Prospect> ofSizes;

    /**
     * One size.
     *
     * @param gain part of the time left that is saved, 0 or more
     * @param costSeconds pauses, and the round on a size that may be slower
     */
    record Prospect(Allocation size, double gain, double costSeconds) {
        /** Seconds that trying it is expected to save in all; below 0 where it costs more. */
        double worth(double restSeconds, double roundSeconds) {
            return Math.max(0, restSeconds - roundSeconds) * gain - costSeconds;
        }
    }

    /** Of the grid of {@code range}; what was measured is left out. */
    Prospects(ExpectedSpeed expected, Running job, SizeRange range) {
        this.expected = expected;
        this.job = job;
        this.ofSizes = new ArrayList<>();
        for (Allocation size : range.grid()) {
            if (!expected.ran().contains(size)) {
                ofSizes.add(of(size));
            }
        }
    }

    /** Whether nothing changed since that they depend on. */
    boolean hold(ExpectedSpeed nowExpected, Running now) {
        return nowExpected == expected
                && now.held().equals(job.held())
                && now.pauseSeconds() == job.pauseSeconds()
                && now.roundSeconds() == job.roundSeconds();
    }

    Prospect of(Allocation size) {
        SpeedFunction speed = expected.function();
        double mean = Math.log(speed.stepsPerSecond(job.held()) / speed.stepsPerSecond(size));
        double deviation = Math.max(LEAST_DEVIATION, Math.min(LARGEST_DEVIATION, expected.deviation(size, job.held())));
        double pauses = job.pauseSeconds() * (1 + StandardNormal.below(mean / deviation));
        double slowerSeconds = job.roundSeconds() * expectedGain(-mean, deviation);
        return new Prospect(size, expectedGain(mean, deviation), pauses + slowerSeconds);
    }

    /** E[max(0, 1 − X)] of X with a logarithm of this mean and deviation. */
    private static double expectedGain(double mean, double deviation) {
        double below = StandardNormal.below(-mean / deviation);
        double beyond = StandardNormal.below(-mean / deviation - deviation);
        return beyond == 0 ? below : below - Math.exp(mean + deviation * deviation / 2) * beyond;
    }

    /** The open size that is worth most to a job with {@code restSeconds} left, if that is anything. */
    Optional<Allocation> best(double restSeconds, Predicate<Allocation> open) {
        Allocation best = Allocation.NONE;
        double most = 0;
        for (Prospect prospect : ofSizes) {
            double worth = prospect.worth(restSeconds, job.roundSeconds());
            if (worth > most && open.test(prospect.size())) {
                best = prospect.size();
                most = worth;
            }
        }
        return best.isNone() ? Optional.empty() : Optional.of(best);
    }
}
