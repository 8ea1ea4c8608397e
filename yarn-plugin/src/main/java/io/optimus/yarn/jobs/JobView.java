package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.job.Placement;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.throughput.GoodputObservations;
import io.optimus.yarn.validation.Registration;
import io.optimus.yarn.validation.ReportedResize;
import io.optimus.yarn.validation.TaskRate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * An immutable copy of a job, for rounds and for REST.
 *
 * @param facts what the ResourceManager knew of the job when it last called
 * @param registration the job's own description
 * @param state whether it waits, runs or has finished
 * @param progress its last reported progress
 * @param measured the measurements of its speed
 * @param history its tasks and its resizes
 * @param reports figures on its reports
 */
public record JobView(
        ApplicationFacts facts,
        Registration registration,
        State state,
        Progress progress,
        Measurements measured,
        History history,
        Reports reports) {

    /** The state of a job. */
    public enum State {
        /** It is registered and holds no task. */
        WAITING,
        /** It holds tasks. */
        RUNNING,
        /** It said that it ended; its application is still there. */
        FINISHED;

        /** The word of REST: {@code running}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The last reported progress of a job.
     *
     * @param step current step
     * @param epoch current epoch with its fraction; empty if it was never reported
     * @param loss the last loss; empty before the first
     * @param members tasks in the current membership, by node
     * @param membership number of the membership
     * @param plan number of the last plan that was carried out completely
     */
    public record Progress(
            long step, OptionalDouble epoch, OptionalDouble loss, Placement members, long membership, long plan) {}

    /**
     * The measurements of a job's speed.
     *
     * @param speeds sizes that ran, with their speeds on GPUs of speed 1; see {@link AllReduceSpeed#sizeForFit} for jobs without
     *     parameter servers
     * @param gpuSpeed speed of the GPUs that the job trains on
     * @param givenUp sizes that were explored and gave no sample
     * @param exploredSteps steps that were run for exploring
     * @param goodput step times on GPUs of speed 1 and gradient noise of a job that adapts its batch; empty for other jobs
     * @param batch samples of its last step; empty for a job that does not adapt its batch, or has not reported it
     */
    public record Measurements(
            MeasuredSizes speeds,
            double gpuSpeed,
            SortedSet<Allocation> givenUp,
            long exploredSteps,
            Optional<GoodputObservations> goodput,
            OptionalLong batch) {}

    /**
     * The tasks and the resizes of a job.
     *
     * @param held tasks that it held so far
     * @param resizes the last resizes that were carried out, oldest first
     * @param resizesDone number of all resizes that were carried out, without the job's start
     */
    public record History(HeldTasks held, List<ReportedResize> resizes, int resizesDone) {}

    /**
     * Figures on a job's reports.
     *
     * @param version rises with every change that a fit depends on
     * @param tasks rates of the tasks, as last reported
     * @param refusedValues values that were refused since the job registered
     * @param lastMillis when the last report or registration came in, by the clock of the rounds
     * @param trainedMillis when the job last reported that it trains, by the same clock; when it registered, if it never did
     */
    public record Reports(
            long version, List<TaskRate> tasks, long refusedValues, long lastMillis, long trainedMillis) {}

    public ApplicationId id() {
        return facts.attempt().getApplicationId();
    }

    /** The measured speed of a size of the job, on GPUs of speed 1; empty if it never ran. */
    public OptionalDouble measuredSpeed(Allocation size) {
        return measured.speeds().stepsPerSecond(AllReduceSpeed.sizeForFit(registration.demand(), size));
    }

    /**
     * Since when it waits, in milliseconds since 1970; empty if it trains or has ended. A job that has done nothing yet waits
     * since it was submitted. One that had trained before this scheduler saw it waits, as far as is known, since it registered.
     *
     * @param wallMillis the time, in milliseconds since 1970
     * @param nowMillis the time by the clock of the rounds
     */
    public OptionalLong waitsSinceMillis(long wallMillis, long nowMillis) {
        if (state != State.WAITING) {
            return OptionalLong.empty();
        }
        boolean neverTrained = progress.step() == 0 && history.held().largest().isNone();
        return OptionalLong.of(
                neverTrained ? facts.submitMillis() : wallMillis - (nowMillis - reports.trainedMillis()));
    }

    /** What its owner asks of the scheduler, with the priority that YARN admitted. */
    public SchedulingTerms scheduling() {
        return registration.scheduling().withPriority(facts.priority());
    }

    /**
     * Whether the scheduler may make the job smaller.
     *
     * @param granted what its queue grants of the terms that its owner asked for
     * @param nowMillis the time by the clock that measures how long jobs have held tasks
     */
    public boolean mayShrink(SchedulingTerms granted, long nowMillis) {
        long since = history.held().firstMillis();
        long ranMillis = since == Long.MAX_VALUE ? 0 : nowMillis - since;
        return granted.preemptible() && TimeUnit.MILLISECONDS.toSeconds(ranMillis) >= granted.minRunSeconds();
    }

    public SizeRange range() {
        return new SizeRange(
                registration.demand().minimum(), registration.demand().maximum());
    }
}
