package io.optimus.sim.trace.builtin;

import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.knowledge.LearnedKnowledge.Declaration;
import io.optimus.sim.trace.SteppingScript;
import io.optimus.sim.truth.NoisyLosses;
import io.optimus.sim.truth.SteppingTraining;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * Parameter-server jobs of a model that end when their loss no longer falls, by the paper's rule.
 *
 * <p>Each job draws how long an epoch takes on 1 ps + 1 worker, how fast its loss falls, and the decrease of the loss
 * below which it has converged. Epochs take minutes instead of hours, as the paper's testbed also used scaled-down
 * data.
 *
 * @param model name of the model
 * @param form form of its speed function
 * @param truth true speed function
 * @param most most tasks of each role, 1 or more
 * @param losses fall of the loss
 */
public record ConvergingJob(String model, SpeedForm form, SpeedFunction truth, Allocation most, Decay losses) {
    private static final double SHORTEST_EPOCH_SECONDS = 60;
    private static final double LONGEST_EPOCH_SECONDS = 600;

    /** Thresholds that owners set, as parts of the largest loss (Optimus, section 3.1). */
    private static final double LEAST_DECREASE = 0.01;

    private static final double MOST_DECREASE = 0.05;

    /** The number in the authors' code. */
    private static final int EPOCHS_IN_A_ROW = 10;

    private static final double LOSS_NOISE = 0.02;

    /** One step for each loss that an epoch reports. */
    private static final double FEWEST_STEPS_PER_EPOCH = 10;

    /** The number of sizes that owners ask for: 2, 4 or 8 tasks of each role. */
    private static final int REQUESTS = 3;

    /**
     * The fall of a loss over epochs e, without noise: {@code fall · (1/(rate·e + 1) + limit)}.
     *
     * @param rate rate per epoch, above 0: after 1/rate epochs, the loss has fallen by half of its whole fall
     * @param limit final loss, as a part of the fall
     * @param fall difference between the first and the final loss, above 0
     */
    public record Decay(double rate, double limit, double fall) {
        /** Typical values among the eight models. */
        public static final Decay TYPICAL = new Decay(0.2, 0.1, 7);
    }

    public ConvergingJob(String model, SpeedForm form, SpeedFunction truth, Allocation most) {
        this(model, form, truth, most, Decay.TYPICAL);
    }

    public SimulatedJob draw(String id, double arrivalSeconds, Random random) {
        double epochSeconds = between(SHORTEST_EPOCH_SECONDS, LONGEST_EPOCH_SECONDS, random);
        double stepsPerEpoch =
                Math.max(FEWEST_STEPS_PER_EPOCH, Math.rint(epochSeconds * truth.stepsPerSecond(new Allocation(1, 1))));
        double rate = losses.rate() * between(0.5, 1.5, random) / stepsPerEpoch;
        LossCurve curve = new InverseDecay(rate, 1, losses.limit(), losses.fall(), 0);
        StopRule stop = new StopRule.LossPlateau(between(LEAST_DECREASE, MOST_DECREASE, random), EPOCHS_IN_A_ROW);
        int requested = 2 << random.nextInt(REQUESTS);
        JobDemand demand = new JobDemand(
                new RoleDemand(SteppingScript.DEFAULT_SERVER, 1, most.parameterServers()),
                new RoleDemand(SteppingScript.DEFAULT_WORKER, 1, most.workers()));
        return new SimulatedJob(
                id,
                model,
                arrivalSeconds,
                demand,
                new Allocation(requested, requested).min(most),
                OptionalDouble.empty(),
                script(curve, stop, stepsPerEpoch, demand));
    }

    private SimulatedJob.Script script(LossCurve curve, StopRule stop, double stepsPerEpoch, JobDemand demand) {
        return new SteppingScript(
                truth,
                seed -> {
                    NoisyLosses noisy = new NoisyLosses(curve, LOSS_NOISE, stepsPerEpoch, Seeds.of(seed, "losses"));
                    return new SteppingTraining(truth, noisy.epochsUntil(stop) * stepsPerEpoch, Optional.of(noisy));
                },
                demand,
                new Declaration(form, Optional.of(stop), stepsPerEpoch));
    }

    private static double between(double least, double most, Random random) {
        return least + (most - least) * random.nextDouble();
    }
}
