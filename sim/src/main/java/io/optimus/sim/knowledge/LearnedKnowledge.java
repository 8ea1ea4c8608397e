package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.HeldTime;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.belief.Observations;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.job.JobDemand;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SpeedSamples;
import io.optimus.sim.truth.TrainingReports;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Learns from what a job reports, as the ResourceManager does: losses go into a {@link LossHistory}, speeds into {@link
 * SpeedSamples}, and both into a {@link LearnedBelief}. Speeds are measured with noise.
 */
public final class LearnedKnowledge implements Knowledge {
    private final TrainingReports reports;
    private final JobDemand demand;
    private final double noise;
    private final Random draws;
    private final LossHistory losses;
    private final LossCurveFitter fitter = new LossCurveFitter();
    private final SpeedSamples speeds = new SpeedSamples();
    private final LearnedBelief belief;
    private CurveFit curve;
    private Allocation exploring = Allocation.NONE;
    private double exploredSteps;
    private HeldTime held = HeldTime.NONE;

    /**
     * A job's own description at its registration.
     *
     * @param form of its speed functions
     * @param stop when it ends; empty if it does not say
     * @param stepsPerEpoch above 0
     */
    public record Declaration(SpeedForm form, Optional<StopRule> stop, double stepsPerEpoch) {
        /** Returns the same declaration without an end. */
        public Declaration withoutStop() {
            return new Declaration(form, Optional.empty(), stepsPerEpoch);
        }
    }

    /**
     * Starts without knowledge.
     *
     * @param reports reports of the job
     * @param demand demand of the job
     * @param declared declaration of the job
     * @param noise relative standard deviation of measured speeds, 0 or more
     * @param seed seed of that noise
     */
    public LearnedKnowledge(TrainingReports reports, JobDemand demand, Declaration declared, double noise, long seed) {
        this.reports = reports;
        this.demand = demand;
        this.noise = noise;
        this.draws = new Random(seed);
        this.losses = new LossHistory(declared.stepsPerEpoch());
        this.curve = fitter.fit(losses);
        this.belief = new LearnedBelief(
                demand,
                declared.form(),
                declared.stop().map(rule -> new ConvergencePrediction(rule, declared.stepsPerEpoch())),
                observations(MeasuredSizes.NONE, 0));
    }

    @Override
    public boolean observe() {
        return observe(reports.takeLosses(), reports.takeSpeeds(), reports.step());
    }

    /**
     * Takes in reports.
     *
     * @param points losses since the last call
     * @param samples speeds since the last call
     * @param step steps done
     * @return whether the speed was measured on a size for the first time
     */
    public boolean observe(List<LossPoint> points, List<SpeedSample> samples, double step) {
        points.forEach(losses::add);
        if (!points.isEmpty()) {
            curve = fitter.fit(losses);
        }
        int sizesBefore = speeds.sizes().sizes().size();
        samples.forEach(this::take);
        MeasuredSizes sizes = speeds.sizes();
        belief.update(observations(sizes, step));
        return sizes.sizes().size() > sizesBefore;
    }

    private void take(SpeedSample sample) {
        Allocation size = sample.allocation();
        double measured = sample.stepsPerSecond() * Math.max(0.5, 1 + noise * draws.nextGaussian());
        speeds.add(
                new SpeedSample(AllReduceSpeed.sizeForFit(demand, size), sample.nodes(), measured, sample.seconds()));
        held = new HeldTime(size, held.seconds() + sample.seconds(), 1);
        exploredSteps += size.equals(exploring) ? sample.stepsPerSecond() * sample.seconds() : 0;
    }

    private Observations observations(MeasuredSizes sizes, double step) {
        return new Observations(curve, losses.epochs(), sizes, Set.of(), exploredSteps, Math.round(step), held);
    }

    @Override
    public void planned(Allocation size, boolean explores) {
        exploring = explores ? size : Allocation.NONE;
    }

    @Override
    public BeliefSource belief() {
        return belief;
    }
}
