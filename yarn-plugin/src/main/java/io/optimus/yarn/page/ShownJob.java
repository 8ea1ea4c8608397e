package io.optimus.yarn.page;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.validation.ReportedResize;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A job with what the scheduler plans and believes of it.
 *
 * @param view the job
 * @param plan its part of the plan; empty before the first one
 * @param estimate the fits and predictions; empty before the first round that saw it
 */
record ShownJob(JobView view, Optional<JobPlan> plan, Optional<Estimate> estimate) {
    /** The job with this id; empty if it is not registered. */
    static Optional<ShownJob> of(SchedulerOverview overview, ApplicationId id) {
        return overview.state().registry().view(id).map(view -> of(overview, view));
    }

    static ShownJob of(SchedulerOverview overview, JobView view) {
        return new ShownJob(
                view,
                overview.state().plan().current().of(view.id()),
                overview.state().beliefs().of(view.id()));
    }

    /** The tasks that it trains on. */
    Allocation now() {
        return view.progress().members().allocation();
    }

    Allocation planned() {
        return plan.map(part -> part.planned().allocation()).orElse(Allocation.NONE);
    }

    /** The measured speed of its tasks, in steps per second on their GPUs. */
    OptionalDouble stepsPerSecond() {
        OptionalDouble measured = view.measuredSpeed(now());
        return measured.isPresent()
                ? OptionalDouble.of(measured.getAsDouble() * view.measured().gpuSpeed())
                : measured;
    }

    /** The time to its end on its tasks or, if it has none, on those that are planned. */
    Optional<RemainingTime> remaining() {
        return estimate.flatMap(
                        known -> known.remainingTime(now(), view.measured().gpuSpeed(), (double)
                                view.progress().step()))
                .or(() -> plan.flatMap(JobPlan::remaining));
    }

    /** The steps to its end, as predicted, or why they are not. */
    Optional<RemainingSteps> remainingSteps() {
        return estimate.map(
                known -> known.remainingSteps((double) view.progress().step()));
    }

    /** The predicted end in steps; empty if it is not predicted. */
    Optional<Predicted> end() {
        return remainingSteps().flatMap(steps -> steps.match(Optional::of, unknown -> Optional.empty()));
    }

    /** Its end by its own reports, which policies know; empty if they tell none. */
    Optional<Predicted> ownEnd() {
        return estimate.flatMap(known -> Optional.of(
                        known.ownRemainingSteps((double) view.progress().step())))
                .flatMap(steps -> steps.match(Optional::of, unknown -> Optional.empty()));
    }

    /** Whether its end is expected only because the last job of its name ended so. */
    boolean endsAsLastRun() {
        return end().map(predicted -> predicted.cause().isEmpty()).orElse(false);
    }

    /** The time that it stood still in the resizes that are kept. */
    long pausedMillis() {
        return view.history().resizes().stream()
                .mapToLong(ReportedResize::pauseMillis)
                .sum();
    }

    String reason() {
        return plan.map(JobPlan::reason).orElse("waits for the scheduler's first plan");
    }
}
