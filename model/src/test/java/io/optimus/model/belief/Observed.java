package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SpeedForm;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Jobs and their observations for tests: synchronous, up to 4 ps + 8 workers, 20 steps an epoch. */
final class Observed {
    static final CurveFit NO_CURVE = new CurveFit.NotYet(0, 8);

    private Observed() {}

    static LearnedBelief belief(Optional<StopRule> stop, Observations first) {
        return belief(stop, Optional.empty(), first);
    }

    /** A job that has run before. */
    static LearnedBelief again(StopRule stop, LastRun lastRun, Observations first) {
        return belief(Optional.of(stop), Optional.of(lastRun), first);
    }

    private static LearnedBelief belief(Optional<StopRule> stop, Optional<LastRun> lastRun, Observations first) {
        RoleDemand servers = new RoleDemand(Resources.of(1024, 1, 0), 1, 4);
        RoleDemand workers = new RoleDemand(Resources.of(1024, 1, 1), 1, 8);
        return new LearnedBelief(
                new JobDemand(servers, workers),
                new SpeedForm.Synchronous(32),
                stop.map(rule -> new ConvergencePrediction(rule, 20)),
                lastRun,
                first);
    }

    static LearnedBelief ofTenEpochs(Observations first) {
        return belief(Optional.of(new StopRule.MaxEpochs(10)), first);
    }

    static Observations nothing(long step) {
        return speeds(MeasuredSizes.NONE, step);
    }

    static Observations speeds(Map<Allocation, Double> stepsPerSecond, long step) {
        return speeds(MeasuredSizes.of(stepsPerSecond), step);
    }

    static Observations speeds(MeasuredSizes speeds, long step) {
        return new Observations(NO_CURVE, EpochLosses.NONE, speeds, Set.of(), 0, step, HeldTime.NONE);
    }
}
