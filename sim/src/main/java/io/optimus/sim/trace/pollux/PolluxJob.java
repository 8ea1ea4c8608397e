package io.optimus.sim.trace.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.knowledge.RemainingSource;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.knowledge.TrueKnowledge;
import io.optimus.sim.truth.WorkStage;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A job of a profiled model.
 *
 * <p>A policy that knows the truth knows the true speeds. If a job has a fixed batch, the policy counts only the epochs
 * after the present one, as the published oracle does, so that a job in its last epoch looks nearly done. If a job
 * adapts its batch, the policy knows the true remaining work.
 *
 * @param profile profile of its model
 * @param batch batch that its owner asks for
 * @param gpusPerNode GPUs of a node, 1 or more
 * @param perfect best goodput of its model
 */
record PolluxJob(Profile profile, int batch, int gpusPerNode, BestGoodput perfect) implements SimulatedJob.Script {
    @Override
    public RoleDemand workers(RoleDemand demand, Batch rule) {
        int most = profile.mostReplicas(profile.batch(rule, batch));
        return new RoleDemand(demand.task(), demand.min(), Math.max(demand.min(), most));
    }

    @Override
    public SimulatedJob.Begun begin(RunOptions terms, long seed) {
        OptionalInt fixed = profile.batch(terms.batch(), batch);
        SelfObservation self = new SelfObservation(profile.batches(), gpusPerNode);
        PolluxTraining training = new PolluxTraining(profile, fixed, self);
        Knowledge knowledge =
                switch (terms.knowledge()) {
                    case LEARNED -> new LearnedGoodput(
                            profile, fixed, gpusPerNode, self, end(terms.remaining(), training, self, seed));
                    case EXACT -> exact(training, fixed, terms, seed);
                };
        return new SimulatedJob.Begun(training, knowledge, stages(fixed));
    }

    /** The owner wants the final loss of a run with the initial batch. */
    private JobEnd end(RemainingSource remaining, PolluxTraining training, SelfObservation self, long seed) {
        double target = profile.epochs().lastLoss(profile.batches().initialBatch());
        return JobEnd.of(remaining, training, self, target, Seeds.of(seed, "declared"));
    }

    /** Each epoch is a stage, in steps of the initial batch. */
    private List<WorkStage> stages(OptionalInt fixed) {
        Epochs epochs = profile.epochs();
        return IntStream.range(0, epochs.count())
                .mapToObj(epoch -> new WorkStage(epochs.begin(epoch + 1) - epochs.begin(epoch), speed(epoch, fixed)))
                .toList();
    }

    private ToDoubleFunction<Allocation> speed(int epoch, OptionalInt fixed) {
        if (fixed.isEmpty()) {
            return size -> perfect.stepsPerSecond(epoch, size.workers());
        }
        FixedBatchSpeed speed = FixedBatchSpeed.measured(profile, fixed.getAsInt(), gpusPerNode);
        double gain =
                profile.epochs().gain(epoch, fixed.getAsInt(), profile.batches().initialBatch());
        return size -> gain * speed.stepsPerSecond(size);
    }

    private TrueKnowledge exact(PolluxTraining training, OptionalInt fixed, RunOptions terms, long seed) {
        if (fixed.isEmpty()) {
            return new TrueKnowledge(
                    training::remainingSteps,
                    () -> new MeasuredGoodput(profile, training.epoch(), gpusPerNode),
                    terms,
                    seed);
        }
        SpeedFunction speed = FixedBatchSpeed.measured(profile, fixed.getAsInt(), gpusPerNode);
        return new TrueKnowledge(training::stepsAfterThisEpoch, () -> speed, terms, seed);
    }
}
