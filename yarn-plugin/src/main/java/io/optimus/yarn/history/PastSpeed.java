package io.optimus.yarn.history;

import io.optimus.model.Allocation;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.HeldTime;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.belief.Observations;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.CheckedLife;
import io.optimus.yarn.jobs.JobView;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The speed of a job that has ended, for the next one of its name. */
final class PastSpeed {
    private PastSpeed() {}

    /**
     * Steps per second by size, on GPUs of speed 1: as fitted or, where there were too few measurements, the mean over its life, in
     * proportion to a typical job. Jobs of some seconds are slower than any measurement says, for their first steps and their end.
     *
     * @param estimate the scheduler's last one
     */
    static Optional<SpeedFunction> of(JobView job, Optional<Estimate> estimate, Optional<CheckedLife> life) {
        return estimate.filter(
                        known -> known.goodput().isPresent() || !known.speed().young())
                .flatMap(Estimate::believed)
                .or(() -> life.flatMap(whole -> mean(job, whole.lifeSeconds())))
                .or(() -> estimate.flatMap(Estimate::believed));
    }

    private static Optional<SpeedFunction> mean(JobView job, double seconds) {
        Allocation tasks = job.history().held().largest();
        double stepsPerSecond =
                (double) job.progress().step() / seconds / job.measured().gpuSpeed();
        if (tasks.workers() == 0 || !(stepsPerSecond > 0)) {
            return Optional.empty();
        }
        MeasuredSizes mean = new MeasuredSizes(List.of(new MeasuredSize(
                AllReduceSpeed.sizeForFit(job.registration().demand(), tasks), 1, stepsPerSecond, 0, 1)));
        Observations seen = new Observations(
                new CurveFit.NotYet(0, LossHistory.FEWEST_POINTS),
                EpochLosses.NONE,
                mean,
                Set.of(),
                0,
                0,
                HeldTime.NONE);
        return new LearnedBelief(
                        job.registration().demand(),
                        job.registration().training().speedForm(),
                        Optional.empty(),
                        seen)
                .speed();
    }
}
