package io.optimus.yarn.round;

import io.optimus.model.belief.Estimate;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Prediction;
import io.optimus.yarn.metrics.JobFigures;
import io.optimus.yarn.metrics.JobWatch;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.metrics.RoundFigures;
import io.optimus.yarn.metrics.RoundStep;
import io.optimus.yarn.metrics.StepDurations;
import io.optimus.yarn.plan.PlanNumbers;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.recording.Recorded;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the control loop.
 *
 * <pre>
 *   collect -> snapshot -> [ fit -> allocate -> place -> diff ] -> publish
 *                            within the time budget, pure
 * </pre>
 *
 * <p>If the steps in brackets throw or exceed the time budget, nothing changes: the last plan stays, and a counter and
 * one log line say so. No lock of CapacityScheduler is held meanwhile. Owned by one thread.
 */
final class Round {
    private static final Logger LOG = LoggerFactory.getLogger(Round.class);

    private static final Outcome ORDERS_UNKNOWN =
            new Outcome("the orders of administrators cannot be read yet; the last plan stays", false);
    private static final Outcome PAUSED = new Outcome("paused by an administrator; the last plan stays", false);

    private final Supplier<OptimusConfiguration> configuration;
    private final ControlLoop.State state;
    private final ControlLoop.Surroundings surroundings;
    private final RecoveryPeriod recovery;
    private final TimeBudget budget;
    private final OptimusMetrics metrics;
    private final RoundPlanner planner;
    private final PlanPublisher publisher;
    private final ExplorationTimeout exploration;
    private final LostTasks lost = new LostTasks();
    private final TrainingApplications training = new TrainingApplications();
    private final RefreshTriggers triggers = new RefreshTriggers();
    private final JobWatch watch = new JobWatch();
    /** The rounds so far that had jobs. */
    private long number;

    Round(
            Supplier<OptimusConfiguration> configuration,
            ControlLoop.State state,
            ControlLoop.Surroundings surroundings,
            PlanNumbers numbers,
            RecoveryPeriod recovery,
            TimeBudget budget,
            OptimusMetrics metrics) {
        this.configuration = configuration;
        this.state = state;
        this.surroundings = surroundings;
        this.recovery = recovery;
        this.budget = budget;
        this.metrics = metrics;
        this.planner = new RoundPlanner(state, surroundings.strategies(), surroundings.wallClock(), lost);
        this.publisher =
                new PlanPublisher(state, numbers, surroundings.enforcement(), configuration, metrics, budget::isOpen);
        this.exploration = new ExplorationTimeout(
                () -> configuration.get().rounds().explorationMillis(),
                () -> configuration.get().mode() == SchedulerMode.ENFORCE,
                state.registry());
    }

    /**
     * What came of a round.
     *
     * @param inWords for the log and the pages
     * @param failed whether the round was to make a plan and made none
     */
    private record Outcome(String inWords, boolean failed) {}

    /** Runs a round; returns false if it failed, and the last plan stays. */
    boolean run(Set<RoundTrigger> why) throws InterruptedException {
        long started = surroundings.clock().millis();
        readOrders();
        StepDurations steps = new StepDurations(System::nanoTime);
        List<JobView> jobs = steps.of(RoundStep.COLLECT, this::collect);
        if (jobs.isEmpty() && state.plan().current().jobs().isEmpty()) {
            metrics.decided();
            return true;
        }
        ClusterView view = steps.of(RoundStep.SNAPSHOT, () -> snapshot(jobs));
        triggers.inRound(view);
        PublishedPlan before = state.plan().current();
        Outcome outcome = outcome(view, jobs, steps);
        long millis = surroundings.clock().millis() - started;
        number++;
        note(millis, steps, why, jobs, state.plan().current().changesSince(before), outcome.inWords());
        if (configuration.get().recording().folder().isPresent()) {
            leaveToRecorder(millis, why, view, jobs, outcome.inWords());
        } else {
            state.recorder().off();
        }
        return !outcome.failed();
    }

    private Outcome outcome(ClusterView view, List<JobView> jobs, StepDurations steps) throws InterruptedException {
        boolean recovering = recovering(view, jobs);
        boolean paused = state.orders().inForce().paused();
        if (recovering || paused) {
            // Nothing is decided, but people are told what is known of the jobs.
            believe(view, jobs, steps);
        }
        if (recovering) {
            return keep(view, jobs);
        }
        if (state.orders().problem().isPresent()) {
            return ORDERS_UNKNOWN;
        }
        return paused ? paused(view, jobs) : plan(view, jobs, steps);
    }

    /**
     * Refreshes the plan between two rounds: targets get the room that shrinks have freed, and ignored shrinks are enforced.
     *
     * @return triggers for an early next round; empty for none
     */
    Set<RoundTrigger> refresh() {
        readOrders();
        List<JobView> jobs = collect();
        updateJobMetrics(jobs);
        if (jobs.isEmpty()) {
            return Set.of();
        }
        ClusterView view = snapshot(jobs);
        if (recovering(view, jobs)) {
            return Set.of();
        }
        if (state.plan().current().frozen()) {
            return state.orders().inForce().paused() ? Set.of() : Set.of(RoundTrigger.ARRIVAL);
        }
        long now = surroundings.clock().millis();
        exploration.advance(state.plan().current(), jobs, now);
        boolean placeTaken = publisher.refresh(view, jobs, now);
        Set<RoundTrigger> early = triggers.inRefresh(view, jobs, state.plan().current());
        if (placeTaken) {
            early.add(RoundTrigger.PLACE_TAKEN);
        }
        return early;
    }

    /** Tells the metrics what the jobs do now. */
    private JobFigures updateJobMetrics(List<JobView> jobs) {
        OptimusConfiguration settings = configuration.get();
        PublishedPlan plan = state.plan().current();
        JobFigures figures = watch.observe(
                jobs,
                plan,
                settings.service().reportIntervalMillis(),
                surroundings.clock().millis());
        metrics.jobs(figures);
        metrics.paused(state.orders().inForce().paused());
        metrics.frozen(plan.frozen());
        metrics.enforcing(settings.mode() == SchedulerMode.ENFORCE);
        metrics.memory(state.registry().memoryBytes(), state.registry().memoryRefusals());
        metrics.unrecorded(state.recorder().unrecorded());
        return figures;
    }

    private void readOrders() {
        state.orders()
                .read(
                        job -> surroundings.applications().find(job).isPresent(),
                        surroundings.clock().millis());
    }

    /** Reads the registered jobs, and adds what they report to the past and to the trails of jobs. */
    private List<JobView> collect() {
        List<JobView> jobs = state.registry().views();
        state.past().observe(jobs, state.plan().current());
        state.trails().observe(jobs.stream().filter(state.registry()::sawWhole).toList(), job -> state.beliefs()
                .of(job.id())
                .map(estimate -> Prediction.of(estimate, job))
                .orElse(Prediction.NONE));
        return jobs;
    }

    /** Reads the cluster, and updates by it the log, the lost tasks and what the registry knows that jobs hold. */
    private ClusterView snapshot(List<JobView> jobs) {
        ClusterView view = surroundings.reader().apply(training.of(jobs, this::mayShrink));
        state.log().saw(view);
        long now = surroundings.clock().millis();
        lost.observe(view, state.plan().current(), now);
        view.usages().forEach((job, usage) -> state.registry()
                .holds(job, usage.live().allocation(), now));
        return view;
    }

    private boolean mayShrink(JobView job) {
        return TrainingApplications.mayShrink(
                job,
                configuration.get().owners(),
                state.orders().inForce(),
                surroundings.clock().millis());
    }

    private Outcome plan(ClusterView view, List<JobView> jobs, StepDurations steps) throws InterruptedException {
        long now = surroundings.clock().millis();
        DrainedView drained = new DrainedView(view, state.orders().inForce());
        planner.keepOnly(view.queues().stream().map(QueueView::queue).collect(Collectors.toSet()));
        OptimusConfiguration settings = configuration.get();
        try {
            RoundPlan last = publisher.decided();
            RoundPlan plan = budget.within(() -> planner.plan(drained.remaining(), jobs, last, settings, steps, now))
                    .without(drained.drained());
            if (state.orders().inForce().paused()) {
                return PAUSED;
            }
            steps.run(RoundStep.PUBLISH, () -> publisher.publish(plan, view, jobs, now));
            metrics.decided();
            return new Outcome("planned", false);
        } catch (ExecutionException e) {
            LOG.warn("round failed, the last plan stays", e.getCause());
            return changesNothing("failed");
        } catch (TimeoutException e) {
            long budgetMillis = configuration.get().rounds().budgetMillis();
            LOG.warn("round exceeded its time budget, the last plan stays budgetMillis={}", budgetMillis);
            return changesNothing("took longer than " + budgetMillis + " ms");
        }
    }

    /** Where that takes too long, the beliefs of the last round stay. */
    private void believe(ClusterView view, List<JobView> jobs, StepDurations steps) throws InterruptedException {
        try {
            budget.within(() -> {
                planner.believe(view, jobs, steps);
                return jobs;
            });
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("nothing new is known of the jobs", e);
        }
    }

    private Outcome changesNothing(String why) {
        metrics.failure();
        return new Outcome(why + "; the last plan stays", true);
    }

    private boolean recovering(ClusterView view, List<JobView> jobs) {
        return recovery.goesOn(surroundings.clock().millis(), view, jobs, surroundings.applications()::training);
    }

    private Outcome keep(ClusterView view, List<JobView> jobs) {
        int awaited = recovery.awaited().size();
        publisher.keep(view, jobs, new SchedulerReason.KeptAfterRestart(awaited));
        metrics.decided();
        LOG.info("plan kept as before the restart awaited={}", recovery.awaited());
        return new Outcome("kept as before the restart; " + awaited + " application(s) are awaited", false);
    }

    private Outcome paused(ClusterView view, List<JobView> jobs) {
        if (state.plan().current().frozen()) {
            publisher.keep(view, jobs, new SchedulerReason.KeptAfterRestart(0));
        }
        return PAUSED;
    }

    /** Leaves copies to the recorder, which writes them on a thread of its own. */
    private void leaveToRecorder(
            long millis, Set<RoundTrigger> why, ClusterView view, List<JobView> jobs, String outcome) {
        Map<ApplicationId, Estimate> estimates = new HashMap<>();
        jobs.forEach(job -> state.beliefs().of(job.id()).ifPresent(estimate -> estimates.put(job.id(), estimate)));
        state.recorder()
                .round(new Recorded.Round(
                        new Recorded.Facts(
                                number, surroundings.wallClock().millis() - millis, millis, words(why), outcome),
                        new DrainedView(view, state.orders().inForce()).remaining(),
                        jobs,
                        estimates,
                        state.plan().current(),
                        configuration.get()));
    }

    private void note(
            long millis, StepDurations steps, Set<RoundTrigger> why, List<JobView> jobs, int changes, String outcome) {
        long plan = state.plan().current().number();
        metrics.fits(state.beliefs().figures());
        JobFigures counted = updateJobMetrics(jobs);
        RoundFigures figures = new RoundFigures(
                number, configuration.get().mode().word(), millis, steps, counted, changes, plan, words(why), outcome);
        metrics.round(figures);
        state.log()
                .add(new RoundLog.Entry(
                        number,
                        surroundings.wallClock().millis() - millis,
                        millis,
                        jobs.size(),
                        plan,
                        changes,
                        why,
                        outcome));
        LOG.info("round {}", figures.inLog());
    }

    private static List<String> words(Set<RoundTrigger> triggers) {
        return triggers.stream()
                .sorted()
                .map(trigger -> trigger.name().toLowerCase(Locale.ROOT))
                .toList();
    }
}
