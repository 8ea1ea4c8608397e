package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.exploration.ExpectedImprovement;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.exploration.Exploration;
import io.optimus.model.job.JobDemand;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.TypicalSpeed;
import io.optimus.model.throughput.Goodput;
import io.optimus.model.throughput.GoodputFitter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The belief that the scheduler learns of one job from its reports: the fitted speed function, the predicted end, and the size
 * to learn from next.
 *
 * <p>Only what changed is computed again: the fit after new speeds; the end after new losses or a new epoch (see {@link
 * ConvergencePrediction}); the goodput after new step times or gradient noise; the expected speed and trial sizes after new
 * speeds, when a policy asks for them (see {@link ExpectedImprovement}). A fit that throws leaves the belief as it was. Sizes
 * are the job's own: without parameter servers if the job has none, see {@link AllReduceSpeed}.
 *
 * <p>Not safe for several threads; its estimates are.
 */
public final class LearnedBelief implements BeliefSource {
    /** A job may describe itself anew in some attempts, and correct itself in each. */
    private static final int MOST_BEGUN = 8;

    private final JobDemand demand;
    private final boolean hasServers;
    private final SpeedForm form;
    private final SizeRange range;
    private final Optional<ConvergencePrediction> end;
    private final Optional<LastRun> lastRun;
    private final Exploration exploration;
    private final ExpectedImprovement improvement;
    private final GoodputFitter goodputs = new GoodputFitter();
    private final PromisedEnds promised;
    /** How often its promises began anew. */
    private final int begun;

    private Observations seen;
    private Estimate estimate;
    /** The speed function of a fixed batch, as last computed. */
    private Optional<SpeedFunction> measured = Optional.empty();

    /** Null until it is asked for. */
    private @Nullable ExpectedSpeed expected;

    /**
     * Learns the belief of one job.
     *
     * @param demand the sizes that it can run on
     * @param form of its speed functions
     * @param end predicts when it ends, empty where it names no rule for that
     * @param first what it has reported until now
     */
    public LearnedBelief(JobDemand demand, SpeedForm form, Optional<ConvergencePrediction> end, Observations first) {
        this(demand, form, end, Optional.empty(), first);
    }

    /**
     * Learns the belief of one job that may have run before.
     *
     * @param demand the sizes that it can run on
     * @param form of its speed functions
     * @param end predicts when it ends, empty where it names no rule for that
     * @param lastRun what its owner is told of before it has reported enough
     * @param first what it has reported until now
     */
    public LearnedBelief(
            JobDemand demand,
            SpeedForm form,
            Optional<ConvergencePrediction> end,
            Optional<LastRun> lastRun,
            Observations first) {
        this(demand, form, end, lastRun, first, new PromisedEnds(), 1);
    }

    private LearnedBelief(
            JobDemand demand,
            SpeedForm form,
            Optional<ConvergencePrediction> end,
            Optional<LastRun> lastRun,
            Observations first,
            PromisedEnds promised,
            int begun) {
        this.demand = demand;
        this.promised = promised;
        this.begun = begun;
        this.hasServers = demand.hasParameterServers();
        this.form = form;
        this.range = new SizeRange(sizeForFit(demand.minimum()), sizeForFit(demand.maximum()));
        this.end = end;
        this.lastRun = lastRun;
        this.exploration = new Exploration(form, range);
        this.improvement = new ExpectedImprovement(range);
        this.seen = first.plausible();
        SpeedFit fit = new SpeedFitter(form).fit(seen.speeds(), range);
        this.estimate = estimate(seen, fit, measured(fit, seen.speeds()));
        estimate.remaining().toOptional().ifPresent(promised::promise);
    }

    /**
     * What is believed of a job's speed if only these sizes were measured.
     *
     * @param stepsPerSecond the measured steps per second of each size, on GPUs of speed 1
     */
    public static LearnedBelief ofSpeeds(JobDemand demand, SpeedForm form, Map<Allocation, Double> stepsPerSecond) {
        MeasuredSizes sizes = new MeasuredSizes(stepsPerSecond.entrySet().stream()
                .map(size ->
                        new MeasuredSize(AllReduceSpeed.sizeForFit(demand, size.getKey()), 1, size.getValue(), 0, 1))
                .toList());
        Observations seen = new Observations(
                new CurveFit.NotYet(0, LossHistory.FEWEST_POINTS),
                EpochLosses.NONE,
                sizes,
                Set.of(),
                0,
                0,
                HeldTime.NONE);
        return new LearnedBelief(demand, form, Optional.empty(), seen);
    }

    /**
     * The belief of this job, which describes itself in another way now. What it has promised counts on, except for the first few
     * times: a job that has read its data knows better how many steps an epoch has. Do not use this belief any more.
     *
     * @param now what the job has reported until now
     */
    public LearnedBelief describedAnew(
            JobDemand newDemand,
            SpeedForm newForm,
            Optional<ConvergencePrediction> newEnd,
            Optional<LastRun> newLastRun,
            Observations now) {
        if (begun < MOST_BEGUN) {
            return new LearnedBelief(newDemand, newForm, newEnd, newLastRun, now, new PromisedEnds(), begun + 1);
        }
        hold(now);
        return new LearnedBelief(newDemand, newForm, newEnd, newLastRun, now, promised, begun);
    }

    /** The job has held its tasks until now. */
    private void hold(Observations now) {
        promised.held(now.held().seconds() - seen.held().seconds(), speedOf(now.held()));
    }

    /** Takes in what the job has reported until now, and returns the new estimate. */
    public Estimate update(Observations reported) {
        Observations now = reported.plausible();
        boolean sameSpeeds = now.speeds().equals(seen.speeds());
        SpeedFit fit = sameSpeeds ? estimate.speed() : new SpeedFitter(form).fit(now.speeds(), range);
        Estimate next = estimate(now, fit, sameSpeeds ? measured : measured(fit, now.speeds()));
        hold(now);
        next.remaining().toOptional().ifPresent(promised::promise);
        seen = now;
        estimate = next;
        return next;
    }

    /** The steps per second of a job that holds these tasks; 0 before it is known and where they are less than its minimum. */
    private double speedOf(HeldTime held) {
        Allocation tasks = held.tasks();
        return demand.minimum().isWithin(tasks)
                ? estimate.believed().map(speed -> speed.stepsPerSecond(tasks)).orElse(0.0) * held.gpuSpeed()
                : 0;
    }

    private Estimate estimate(Observations now, SpeedFit fit, Optional<SpeedFunction> fixedBatch) {
        measured = fixedBatch;
        Optional<Goodput> goodput = now.batch().flatMap(batch -> goodputs.goodput(batch, now.workersPerNode()));
        RemainingSteps remaining = end.map(
                        prediction -> prediction.from(now.curve(), now.epochs(), (double) now.step()))
                .orElseGet(() -> new RemainingSteps.Unknown("the job names no rule that ends it"));
        Optional<SpeedFunction> believed =
                goodput.<SpeedFunction>map(known -> known).or(() -> fixedBatch);
        return new Estimate(now.curve(), fit, believed, goodput, remaining, lastRun, Optional.empty());
    }

    /** The speed function of a fixed batch. */
    private Optional<SpeedFunction> measured(SpeedFit fit, MeasuredSizes speeds) {
        return hasServers ? fit.fitted().or(() -> TypicalSpeed.through(form, speeds)) : AllReduceSpeed.of(fit, speeds);
    }

    public Estimate estimate() {
        return estimate;
    }

    @Override
    public Optional<SpeedFunction> speed() {
        return estimate.believed();
    }

    /** The typical speed, corrected by measurements; before the first one, only ratios of speeds mean something. */
    @Override
    public Optional<SpeedFunction> expectedSpeed() {
        return hasServers ? Optional.of(expected().function()) : speed();
    }

    private ExpectedSpeed expected() {
        ExpectedSpeed last = expected;
        ExpectedSpeed now = last != null && last.isOf(seen.speeds()) ? last : new ExpectedSpeed(form, seen.speeds());
        expected = now;
        return now;
    }

    /** The predicted steps, but no fewer than the job is late by its own {@linkplain PromisedEnds promises}. */
    @Override
    public RemainingBelief remaining() {
        return RemainingBelief.predicted(estimate.remaining()).atLeast(promised.lateSteps());
    }

    @Override
    public boolean young() {
        return estimate.young();
    }

    /** Empty once the goodput is known: as in Pollux, it is optimistic about sizes that did not run. */
    @Override
    public Optional<Allocation> explorationSize(Predicate<Allocation> fits) {
        if (estimate.goodput().isPresent()) {
            return Optional.empty();
        }
        Set<Allocation> givenUp = seen.givenUp().stream().map(this::sizeForFit).collect(Collectors.toSet());
        return exploration
                .next(
                        seen.speeds(),
                        estimate.speed(),
                        givenUp,
                        estimate.partOfWork(seen.exploredSteps(), (double) seen.step()),
                        size -> fits.test(sizeOfJob(size)))
                .map(this::sizeOfJob);
    }

    /** Empty without parameter servers: that belief beyond the most workers that ran is optimistic enough to grow on. */
    @Override
    public Optional<Allocation> trialSize(Running job, Predicate<Allocation> fits) {
        return hasServers
                ? improvement.next(
                        expected(), seen.givenUp(), estimate.remaining().toOptional(), job, fits)
                : Optional.empty();
    }

    private Allocation sizeForFit(Allocation size) {
        return AllReduceSpeed.sizeForFit(demand, size);
    }

    private Allocation sizeOfJob(Allocation size) {
        return AllReduceSpeed.sizeOfJob(demand, size);
    }
}
