package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.exploration.ExpectedImprovement;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.exploration.Exploration;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.GivenSpeed;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SpeedSamples;
import io.optimus.sim.truth.TrainingReports;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Learnt from reports by the same classes as in the ResourceManager: losses into a {@link LossHistory}, speeds into {@link
 * SpeedSamples}, both fitted by an {@link LearnedBelief}, sizes to learn from chosen by {@link Exploration} or {@link
 * ExpectedImprovement}.
 *
 * <p>A job without parameter servers is fitted as if it had one that never changes: its seconds are then a sum of 1/w, 1
 * and w. Until there is a fit, and beyond the most workers that it ran on, what was not seen is taken to cost nothing.
 */
public final class LearnedKnowledge implements Knowledge {
    private final TrainingReports reports;
    private final boolean withoutServers;
    private final double noise;
    private final Random draws;
    private final LossHistory losses;
    private final LossCurveFitter curves = new LossCurveFitter();
    private final SpeedSamples speeds = new SpeedSamples();
    private final LearnedBelief estimator;
    private final Exploration exploration;
    private MeasuredSizes sizes = MeasuredSizes.NONE;
    private CurveFit curve;
    private Estimate estimate;
    private Allocation offered = Allocation.NONE;
    private double exploredSteps;

    /**
     * Of a job that nothing is known of.
     *
     * @param reports of the job
     * @param servers its demand of parameter servers, or none
     * @param workers its demand of workers
     * @param form of its speed functions
     * @param stop when it ends, empty where it does not say
     * @param stepsPerEpoch above 0
     * @param noise standard deviation of a measured speed, relative
     * @param seed of that noise
     */
    public LearnedKnowledge(
            TrainingReports reports,
            RoleDemand servers,
            RoleDemand workers,
            SpeedForm form,
            Optional<StopRule> stop,
            double stepsPerEpoch,
            double noise,
            long seed) {
        this.reports = reports;
        this.withoutServers = servers.max() == 0;
        this.noise = noise;
        this.draws = new Random(seed);
        SizeRange range = new SizeRange(
                fitted(new Allocation(servers.min(), workers.min())),
                fitted(new Allocation(servers.max(), workers.max())));
        this.losses = new LossHistory(stepsPerEpoch);
        this.estimator = new LearnedBelief(form, range, stop, stepsPerEpoch);
        this.exploration = new Exploration(form, range);
        this.curve = curves.fit(losses);
        this.estimate = estimator.estimate(curve, losses.epochs(), sizes, 0);
    }

    /** As the fit counts sizes. */
    private Allocation fitted(Allocation size) {
        return withoutServers ? new Allocation(1, size.workers()) : size;
    }

    /** As the job counts sizes. */
    private Allocation real(Allocation size) {
        return withoutServers ? new Allocation(0, size.workers()) : size;
    }

    @Override
    public boolean observe() {
        List<LossPoint> points = reports.takeLosses();
        List<SpeedSample> samples = reports.takeSpeeds();
        points.forEach(losses::add);
        for (SpeedSample sample : samples) {
            double measured = sample.stepsPerSecond() * Math.max(0.5, 1 + noise * draws.nextGaussian());
            speeds.add(new SpeedSample(fitted(sample.allocation()), sample.nodes(), measured, sample.seconds()));
            exploredSteps += sample.allocation().equals(offered) ? sample.stepsPerSecond() * sample.seconds() : 0;
        }
        if (!points.isEmpty()) {
            curve = curves.fit(losses);
        }
        int sizesBefore = sizes.sizes().size();
        if (!samples.isEmpty()) {
            sizes = speeds.sizes();
        }
        long step = Math.round(reports.step());
        estimate = samples.isEmpty() && points.isEmpty()
                ? estimator.later(estimate, losses.epochs(), step)
                : estimator.estimate(curve, losses.epochs(), sizes, step);
        return sizes.sizes().size() > sizesBefore;
    }

    @Override
    public Optional<SpeedFunction> speed() {
        if (!withoutServers) {
            return estimate.believed();
        }
        Optional<SpeedFunction> unseen = OptimisticSpeed.through(sizes);
        return unseen.flatMap(beyond -> estimate.speed()
                        .fitted()
                        .<SpeedFunction>map(fitted -> new ServerlessSpeed(fitted, mostWorkers(), beyond)))
                .or(() -> unseen);
    }

    /** The most that it was measured on, 0 before. */
    private int mostWorkers() {
        return sizes.allocations().stream().mapToInt(Allocation::workers).max().orElse(0);
    }

    @Override
    public Optional<SpeedFunction> expectedSpeed() {
        return withoutServers
                ? speed()
                : Optional.of(estimator.expected(estimate).function());
    }

    @Override
    public RemainingBelief stepsLeft() {
        return RemainingBelief.predicted(estimate.remaining());
    }

    @Override
    public boolean young() {
        return estimate.young();
    }

    @Override
    public Optional<Allocation> exploration(Predicate<Allocation> fits) {
        Optional<Allocation> next = exploration
                .next(
                        sizes,
                        estimate.speed(),
                        Collections.emptySet(),
                        estimate.partOfWork(exploredSteps, reports.step()),
                        size -> fits.test(real(size)))
                .map(this::real);
        offered = next.orElse(Allocation.NONE);
        return next;
    }

    @Override
    public Optional<Allocation> trial(Running job, Predicate<Allocation> fits) {
        return withoutServers ? Optional.empty() : estimator.trial(estimate, Collections.emptySet(), job, fits);
    }

    /**
     * Of a job without servers: to the most workers that it ran on as fitted, and on more as before there was a fit. Few sizes
     * cannot tell what each worker adds to a step from what its way between nodes adds once.
     */
    private record ServerlessSpeed(SpeedFunction fittedWithOne, int mostWorkers, SpeedFunction beyond)
            implements GivenSpeed {
        @Override
        public double stepsPerSecond(Allocation allocation) {
            return allocation.workers() > mostWorkers
                    ? beyond.stepsPerSecond(allocation)
                    : fittedWithOne.stepsPerSecond(new Allocation(1, allocation.workers()));
        }

        @Override
        public double stepsPerSecond(Allocation allocation, int nodes) {
            return allocation.workers() > mostWorkers
                    ? beyond.stepsPerSecond(allocation, nodes)
                    : fittedWithOne.stepsPerSecond(new Allocation(1, allocation.workers()), nodes);
        }
    }

    /**
     * Of a job without servers before there is a fit, as Pollux does (section 4.1): half of the only step that was seen is
     * for workers to share, and what was not seen costs nothing.
     */
    private record OptimisticSpeed(double sharedSeconds, double fixedSeconds) implements GivenSpeed {
        static Optional<SpeedFunction> through(MeasuredSizes measured) {
            if (measured.isEmpty()) {
                return Optional.empty();
            }
            MeasuredSize few = measured.sizes().get(0);
            MeasuredSize many = measured.sizes().get(measured.sizes().size() - 1);
            double most = workers(many) / many.stepsPerSecond();
            double shared = workers(few) == workers(many)
                    ? most / 2
                    : (1 / few.stepsPerSecond() - 1 / many.stepsPerSecond()) / (1 / workers(few) - 1 / workers(many));
            double within = Math.max(0, Math.min(most, shared));
            return Optional.of(new OptimisticSpeed(within, (most - within) / workers(many)));
        }

        private static double workers(MeasuredSize size) {
            return size.allocation().workers();
        }

        @Override
        public double stepsPerSecond(Allocation allocation) {
            return 1 / (sharedSeconds / allocation.workers() + fixedSeconds);
        }
    }
}
