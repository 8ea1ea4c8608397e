package io.optimus.yarn.history;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.CheckedLife;
import io.optimus.yarn.jobs.JobView;
import java.util.Map;
import java.util.Optional;

/** The speed of a job that has ended, for the next one of its name. */
final class PastSpeed {
    private static final double BRIEF_SECONDS = 60;

    private PastSpeed() {}

    /**
     * Steps per second by size, on GPUs of speed 1. For a job that trained for less than {@value #BRIEF_SECONDS} s, this is the mean
     * speed over its life, scaled to other sizes as for a typical job. Such a job has few measurements, and its first steps are slow.
     *
     * @param estimate the scheduler's last one
     */
    static Optional<SpeedFunction> of(JobView job, Optional<Estimate> estimate, Optional<CheckedLife> life) {
        Optional<SpeedFunction> believed = estimate.flatMap(Estimate::believed);
        return life.filter(whole -> believed.isEmpty() || isBrief(whole))
                .flatMap(whole -> mean(job, whole))
                .or(() -> believed);
    }

    static boolean isBrief(CheckedLife life) {
        return life.lifeSeconds() < BRIEF_SECONDS;
    }

    private static Optional<SpeedFunction> mean(JobView job, CheckedLife life) {
        Allocation tasks = job.history().held().largest();
        boolean hasTasks = tasks.workers() > 0
                && (tasks.parameterServers() > 0 || !job.registration().demand().hasParameterServers());
        double stepsPerSecond =
                life.steps() / life.lifeSeconds() / job.measured().gpuSpeed();
        if (!hasTasks || !(stepsPerSecond > 0)) {
            return Optional.empty();
        }
        return LearnedBelief.ofSpeeds(
                        job.registration().demand(),
                        job.registration().training().speedForm(),
                        Map.of(tasks, stepsPerSecond))
                .speed();
    }
}
