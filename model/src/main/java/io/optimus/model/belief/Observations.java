package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.throughput.GoodputObservations;
import java.util.Optional;
import java.util.Set;

/**
 * The reports of a job until now.
 *
 * @param curve the fit of its losses
 * @param epochs the mean losses of its epochs
 * @param speeds the sizes that were measured; a job without parameter servers is measured as if it had one, see {@link
 *     AllReduceSpeed#sizeForFit}
 * @param givenUp sizes that were tried and gave no sample
 * @param exploredSteps steps that were run for exploring, 0 or more
 * @param step steps done, 0 or more; where the batch adapts, in steps of the initial batch
 * @param batch step times and gradient noise of a job that adapts its batch; empty for other jobs
 * @param workersPerNode the workers of the job that a node holds, 1 or more
 * @param held how long it has held tasks, which the scheduler saw itself
 */
public record Observations(
        CurveFit curve,
        EpochLosses epochs,
        MeasuredSizes speeds,
        Set<Allocation> givenUp,
        double exploredSteps,
        long step,
        Optional<GoodputObservations> batch,
        int workersPerNode,
        HeldTime held) {
    /** The reports of a job with a fixed batch. */
    public Observations(
            CurveFit curve,
            EpochLosses epochs,
            MeasuredSizes speeds,
            Set<Allocation> givenUp,
            double exploredSteps,
            long step,
            HeldTime held) {
        this(curve, epochs, speeds, givenUp, exploredSteps, step, Optional.empty(), 1, held);
    }

    /** The same with speeds that cannot be true cut to what is plausible. */
    Observations plausible() {
        return new Observations(
                curve, epochs, speeds.plausible(), givenUp, exploredSteps, step, batch, workersPerNode, held);
    }
}
