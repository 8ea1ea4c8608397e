package io.optimus.yarn.whatif;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.forecast.ForecastJob;
import io.optimus.yarn.history.PastJobs.LearnedJob;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.RunKind;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What is assumed of a job that has not been submitted, since it has reported nothing. Its owner's figures come first, then what
 * was learned of the owner's last job of the same name that trained to its end in the same way. Otherwise its speed or its end
 * stay unknown.
 *
 * @param job the job
 * @param forecast what the forecast takes for true
 * @param speedFrom where its speed comes from, in words
 * @param stepsFrom where its steps come from, in words
 */
record AssumedJob(JobView job, ForecastJob forecast, String speedFrom, String stepsFrom) {
    /**
     * Assumes something of a job.
     *
     * @param asked its owner's figures
     * @param last the owner's last job of the same name; empty if none is known
     */
    static AssumedJob of(JobView job, AskedJob asked, Optional<LearnedJob> last) {
        Optional<LearnedJob> like = last.filter(known -> known.kind().mayTellOf(RunKind.of(job)));
        String unknown = last.map(known -> "unknown: " + known.id() + ", the last job of this name, trained in another"
                        + " way or until another rule")
                .orElse("unknown: nothing of this name has trained to its end");
        LearnedBelief fromOwner = LearnedBelief.ofSpeeds(
                job.registration().demand(), job.registration().training().speedForm(), asked.speeds());
        boolean ownersSpeed = !asked.speeds().isEmpty();
        Optional<SpeedFunction> speed = ownersSpeed ? fromOwner.speed() : like.map(LearnedJob::speed);
        Optional<SpeedFunction> expected = speed.or(fromOwner::expectedSpeed);
        OptionalDouble steps = asked.steps();
        String stepsFrom = "as given with the question";
        if (steps.isEmpty() && like.isPresent()) {
            steps = OptionalDouble.of(Math.max(1.0, (double) like.get().steps()));
            stepsFrom = "as many as " + like.get().id() + ", the last job of this name, took";
        } else if (steps.isEmpty()) {
            stepsFrom = unknown + ", so no end is predicted; " + rule(job);
        }
        return new AssumedJob(
                job,
                new ForecastJob(speed, steps, new Belief(speed, expected, remaining(steps))),
                ownersSpeed
                        ? speedOfOwner(asked)
                        : like.map(known -> "as learned of " + known.id() + ", the last job of this name")
                                .orElse(unknown
                                        + ", so no end is predicted, and sizes are chosen as for a typical job"),
                stepsFrom);
    }

    private static String speedOfOwner(AskedJob asked) {
        return asked.speeds().size() == 1
                ? "as given with the question for " + asked.speeds().firstKey()
                        + "; other sizes in proportion as for a typical job"
                : "as given with the question for " + asked.speeds().size() + " sizes; others by a fit";
    }

    private static String rule(JobView job) {
        OptionalInt most =
                job.registration().training().stop().map(StopRule::maxEpochs).orElseGet(OptionalInt::empty);
        return most.isPresent() ? "it trains at most " + most.getAsInt() + " epochs" : "it names no maximum of epochs";
    }

    private static RemainingBelief remaining(OptionalDouble steps) {
        return steps.isPresent() ? RemainingBelief.certain(steps.getAsDouble()) : RemainingBelief.UNKNOWN;
    }

    private record Belief(
            Optional<SpeedFunction> speed, Optional<SpeedFunction> expectedSpeed, RemainingBelief remaining)
            implements BeliefSource {
        @Override
        public boolean young() {
            return speed.isEmpty() || remaining.steps().isEmpty();
        }
    }
}
