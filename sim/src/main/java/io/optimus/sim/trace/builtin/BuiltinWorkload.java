package io.optimus.sim.trace.builtin;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.plan.NamedStrategy.Foresight;
import io.optimus.model.policy.RoleDemand;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.Learnt;
import io.optimus.sim.knowledge.Told;
import io.optimus.sim.trace.Arrivals;
import io.optimus.sim.trace.WorkloadSource;
import io.optimus.sim.truth.CrossingSpeed;
import io.optimus.sim.truth.NoisyLosses;
import io.optimus.sim.truth.SteppingTraining;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * A workload that needs no file: parameter-server jobs of eight measured models, synchronous and asynchronous in turn, each
 * ending when its loss no longer falls.
 *
 * <p>Drawn for each job: its arrival, how long an epoch takes on 1 ps + 1 worker, how fast its loss falls, and the decrease
 * of the loss below which it has converged. Epochs take minutes and not hours, as data were scaled down for the paper's
 * testbed, too.
 *
 * @param jobs 1 or more
 * @param durationSeconds in which they arrive
 * @param arrivals how
 */
public record BuiltinWorkload(int jobs, double durationSeconds, Arrivals arrivals) implements WorkloadSource {
    /** Three of each model and mode. */
    public static final int JOBS = 48;

    /** In which jobs arrive on the paper's testbed. */
    public static final double DURATION_SECONDS = 12_000;

    /** Servers of the paper's testbed. */
    public static final int NODES = 13;

    /** As half of the servers there have; here all of them. */
    public static final int GPUS_PER_NODE = 2;

    /** One GPU; as many cores as a node has for each of two tasks beside it. */
    private static final Resources WORKER = Resources.of(10_240, 3, 1);

    private static final Resources SERVER = Resources.of(8_192, 3, 0);
    private static final int MOST_TASKS = 12;

    /** A server and a worker for each GPU. */
    private static final int TASKS_PER_NODE = 2 * GPUS_PER_NODE;

    private static final double SHORTEST_EPOCH_SECONDS = 60;
    private static final double LONGEST_EPOCH_SECONDS = 600;

    /** Thresholds that owners set, as parts of the largest loss (Optimus, section 3.1). */
    private static final double LEAST_DECREASE = 0.01;

    private static final double MOST_DECREASE = 0.05;

    /** As in the authors' code. */
    private static final int EPOCHS_IN_A_ROW = 10;

    private static final double LOSS_NOISE = 0.02;
    private static final double SPEED_NOISE = 0.03;

    /** As many as an epoch reports losses. */
    private static final double FEWEST_STEPS_PER_EPOCH = 10;

    @Override
    public String name() {
        return "builtin-" + arrivals.word();
    }

    @Override
    public Workload draw(long seed) {
        Random random = Seeds.random(seed, "builtin workload");
        double[] seconds = arrivals.draw(jobs, durationSeconds, random);
        MeasuredModel[] models = MeasuredModel.values();
        List<SimulatedJob> drawn = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            MeasuredModel model = models[random.nextInt(models.length)];
            TrainingMode mode = i % 2 == 0 ? TrainingMode.SYNCHRONOUS : TrainingMode.ASYNCHRONOUS;
            drawn.add(job(i, model, mode, seconds[i], random));
        }
        return new Workload(name(), drawn);
    }

    private static SimulatedJob job(int number, MeasuredModel model, TrainingMode mode, double arrival, Random random) {
        CrossingSpeed truth = model.truth(mode, TASKS_PER_NODE);
        double epochSeconds = between(SHORTEST_EPOCH_SECONDS, LONGEST_EPOCH_SECONDS, random);
        double stepsPerEpoch =
                Math.max(FEWEST_STEPS_PER_EPOCH, Math.rint(epochSeconds * truth.stepsPerSecond(new Allocation(1, 1))));
        double decay = model.decayPerEpoch() * between(0.5, 1.5, random) / stepsPerEpoch;
        LossCurve curve = new LossCurve(decay, 1, model.limit(), model.firstLoss(), 0);
        StopRule stop = new StopRule.LossPlateau(between(LEAST_DECREASE, MOST_DECREASE, random), EPOCHS_IN_A_ROW);
        int requested = 1 << (1 + random.nextInt(3));
        RoleDemand servers = new RoleDemand(SERVER, 1, MOST_TASKS);
        RoleDemand workers = new RoleDemand(WORKER, 1, MOST_TASKS);
        SimulatedJob.Script script = (terms, seed) -> {
            NoisyLosses losses = new NoisyLosses(curve, LOSS_NOISE, stepsPerEpoch, Seeds.of(seed, "losses"));
            SteppingTraining training =
                    new SteppingTraining(truth, losses.epochsUntil(stop) * stepsPerEpoch, Optional.of(losses));
            return terms.foresight() == Foresight.TOLD
                    ? new Begun(training, new Told(training, truth, terms, Seeds.of(seed, "errors")))
                    : new Begun(
                            training,
                            new Learnt(
                                    training.reports(),
                                    servers,
                                    workers,
                                    model.form(mode),
                                    Optional.of(stop),
                                    stepsPerEpoch,
                                    SPEED_NOISE,
                                    Seeds.of(seed, "speeds")));
        };
        String id = String.format(Locale.ROOT, "%s-%s-%03d", model.label(), word(mode), number);
        return new SimulatedJob(
                id,
                model.label(),
                arrival,
                servers,
                workers,
                new Allocation(requested, requested),
                OptionalDouble.empty(),
                script);
    }

    private static String word(TrainingMode mode) {
        return switch (mode) {
            case SYNCHRONOUS -> "sync";
            case ASYNCHRONOUS -> "async";
        };
    }

    private static double between(double least, double most, Random random) {
        return least + (most - least) * random.nextDouble();
    }
}
