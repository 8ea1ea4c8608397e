package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.exploration.ExpectedImprovement;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.TypicalSpeed;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes estimates of what one job reported, and says what they make worth trying.
 *
 * <p>It serves the job for as long as what it was made of holds, and remembers: the end is predicted anew only where losses or
 * the epoch are new, see {@link ConvergencePrediction}; what is to be expected of its speed, and what sizes promise, is worked
 * out for policies that ask for it, and anew only where speeds are, see {@link ExpectedImprovement}. Not safe for several
 * threads; the estimates are.
 */
public final class LearnedBelief {
    private final SpeedForm form;
    private final SizeRange range;
    private final Optional<ConvergencePrediction> end;
    private final ExpectedImprovement improvement;
    /** Null before it was asked for. */
    private @Nullable ExpectedSpeed expected;

    /**
     * For one job.
     *
     * @param form of its speed functions
     * @param range of the sizes that it can run on
     * @param stop when it ends, empty where it never says so
     * @param stepsPerEpoch above 0 and finite
     */
    public LearnedBelief(SpeedForm form, SizeRange range, Optional<StopRule> stop, double stepsPerEpoch) {
        this.form = form;
        this.range = range;
        this.end = stop.map(rule -> new ConvergencePrediction(rule, stepsPerEpoch));
        this.improvement = new ExpectedImprovement(range);
    }

    /**
     * Fits the speed function, and predicts the end.
     *
     * @param curve what came of fitting the losses
     * @param epochs the mean losses of its epochs
     * @param speeds what was measured of them
     * @param currentStep steps done
     */
    public Estimate estimate(CurveFit curve, EpochLosses epochs, MeasuredSizes speeds, long currentStep) {
        SpeedFit speed = new SpeedFitter(form).fit(speeds, range);
        return new Estimate(
                curve,
                speeds,
                speed,
                speed.fitted().or(() -> TypicalSpeed.through(form, speeds)),
                remaining(curve, epochs, currentStep));
    }

    /** {@code known}, of the same curve and speeds, at a later step. */
    public Estimate later(Estimate known, EpochLosses epochs, long currentStep) {
        return new Estimate(
                known.curve(),
                known.measured(),
                known.speed(),
                known.believed(),
                remaining(known.curve(), epochs, currentStep));
    }

    /**
     * For policies whose jobs do not explore first: what is typical, as far as nothing that was measured speaks against it;
     * before anything was measured, of no account but for how many times as fast a size is as another.
     */
    public ExpectedSpeed expected(Estimate known) {
        ExpectedSpeed last = expected;
        ExpectedSpeed now =
                last != null && last.isOf(known.measured()) ? last : new ExpectedSpeed(form, known.measured());
        expected = now;
        return now;
    }

    /**
     * The size that a job of which {@code known} is believed should try, where one repays.
     *
     * @param givenUp sizes that were tried and gave no sample
     * @param job as it runs now
     * @param fits whether there is room for a size now, that of what the job holds included
     */
    public Optional<Allocation> trial(
            Estimate known, Set<Allocation> givenUp, Running job, Predicate<Allocation> fits) {
        return improvement.next(expected(known), givenUp, known.remaining().toOptional(), job, fits);
    }

    private RemainingSteps remaining(CurveFit curve, EpochLosses epochs, long currentStep) {
        return end.map(prediction -> prediction.from(curve, epochs, (double) currentStep))
                .orElseGet(() -> new RemainingSteps.Unknown("the job names no rule that ends it"));
    }
}
