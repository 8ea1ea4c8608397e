package io.optimus.sim.trace;

import io.optimus.model.convergence.StopRule;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.NamedStrategy.Foresight;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.knowledge.LearnedKnowledge;
import io.optimus.sim.knowledge.RemainingSource;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.knowledge.TrueKnowledge;
import io.optimus.sim.truth.SteppingTraining;
import io.optimus.sim.truth.WorkStage;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Begins jobs that train a number of steps of a fixed batch.
 *
 * @param truth steps per second by size and nodes
 * @param training makes the job's training on that truth, of the run's seed
 * @param servers demand of parameter servers, or none
 * @param workers demand of workers
 * @param learning what the scheduler goes by, if it has to learn
 */
public record SteppingScript(
        SpeedFunction truth,
        LongFunction<SteppingTraining> training,
        RoleDemand servers,
        RoleDemand workers,
        Learning learning)
        implements SimulatedJob.Script {
    /** Of steps that are timed over a round, on machines that others use, too. */
    private static final double SPEED_NOISE = 0.03;

    /**
     * What a job says of itself when it registers.
     *
     * @param form of its speed functions
     * @param stop when it ends, empty where it does not say
     * @param stepsPerEpoch above 0
     */
    public record Learning(SpeedForm form, Optional<StopRule> stop, double stepsPerEpoch) {}

    @Override
    public Begun begin(RunOptions terms, long seed) {
        SteppingTraining begun = training.apply(seed);
        List<WorkStage> stages = List.of(WorkStage.of(begun.remainingSteps(), truth));
        return new Begun(begun, knowledge(begun, terms, seed), stages);
    }

    private Knowledge knowledge(SteppingTraining begun, RunOptions terms, long seed) {
        if (terms.foresight() == Foresight.TOLD) {
            return new TrueKnowledge(begun, truth, terms, Seeds.of(seed, "errors"));
        }
        return new LearnedKnowledge(
                begun.reports(),
                servers,
                workers,
                learning.form(),
                terms.remaining() instanceof RemainingSource.Unknown ? Optional.empty() : learning.stop(),
                learning.stepsPerEpoch(),
                SPEED_NOISE,
                Seeds.of(seed, "speeds"));
    }
}
