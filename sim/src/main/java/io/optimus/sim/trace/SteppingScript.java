package io.optimus.sim.trace;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.knowledge.LearnedKnowledge;
import io.optimus.sim.knowledge.LearnedKnowledge.Declaration;
import io.optimus.sim.knowledge.RemainingSource;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.knowledge.TrueKnowledge;
import io.optimus.sim.truth.SteppingTraining;
import io.optimus.sim.truth.WorkStage;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Starts jobs that train a fixed number of steps with a fixed batch.
 *
 * @param truth steps per second by size and nodes
 * @param training makes the job's training from that truth and the run's seed
 * @param demand demand of the job
 * @param declared declaration of the job at its registration, for a scheduler that has to learn
 */
public record SteppingScript(
        SpeedFunction truth, LongFunction<SteppingTraining> training, JobDemand demand, Declaration declared)
        implements SimulatedJob.Script {
    /** The resources of a worker if a workload names none: Optimus's authors gave these to workers of ResNet-50. */
    public static final Resources DEFAULT_WORKER = Resources.of(8_192, 2, 1);

    /** The resources of a parameter server if a workload names none, from the same source. */
    public static final Resources DEFAULT_SERVER = Resources.of(9_216, 3, 0);

    /** The noise of speeds that are measured over a round on shared machines. */
    private static final double SPEED_NOISE = 0.03;

    @Override
    public Begun begin(RunOptions terms, long seed) {
        SteppingTraining begun = training.apply(seed);
        List<WorkStage> stages = List.of(WorkStage.of(begun.remainingSteps(), truth));
        return new Begun(begun, knowledge(begun, terms, seed), stages);
    }

    private Knowledge knowledge(SteppingTraining begun, RunOptions terms, long seed) {
        if (terms.knowledge() == KnowledgeSource.EXACT) {
            return new TrueKnowledge(begun, truth, terms, Seeds.of(seed, "errors"));
        }
        Declaration known = terms.remaining() instanceof RemainingSource.Unknown ? declared.withoutStop() : declared;
        return new LearnedKnowledge(begun.reports(), demand, known, SPEED_NOISE, Seeds.of(seed, "speeds"));
    }
}
