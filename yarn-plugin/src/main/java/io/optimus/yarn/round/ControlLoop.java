package io.optimus.yarn.round;

import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.enforce.Enforcement;
import io.optimus.yarn.enforce.ShrinkEnforcer;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.plan.LatestPlan;
import io.optimus.yarn.plan.PlanNumbers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The running control loop of an active scheduler: its threads, and what they leave to be read. */
public final class ControlLoop implements AutoCloseable {
    /** How soon somebody who waits for time to pass (a grace time) is looked after. */
    private static final long LOOK_AFTER_MILLIS = 500;
    /** A job that ends gives many containers back at once, and each look reads the whole scheduler. */
    private static final long LOOK_AFTER_GAP_MILLIS = 50;

    private final PlanNumbers numbers;
    private final TimeBudget budget;
    private final RoundThread thread;

    private ControlLoop(PlanNumbers numbers, TimeBudget budget, RoundThread thread) {
        this.numbers = numbers;
        this.budget = budget;
        this.thread = thread;
    }

    /**
     * What stays the same from one ResourceManager's life to its end.
     *
     * @param registry the jobs
     * @param estimates what is believed of them
     * @param board where the plan hangs
     * @param log what rounds were run
     * @param wakeup what calls for the next one
     */
    public record State(JobRegistry registry, Beliefs estimates, LatestPlan board, RoundLog log, RoundTimer wakeup) {
        /** Of a scheduler that just begins. */
        public static State of(JobRegistry registry, RoundTimer wakeup) {
            return new State(registry, new Beliefs(registry), new LatestPlan(), new RoundLog(), wakeup);
        }
    }

    /**
     * What the scheduler lends.
     *
     * @param applications its applications
     * @param cluster its view
     * @param enforcement what makes plans binding
     * @param strategies makes what jobs are scheduled by, from its name: one for each queue, since some remember
     * @param startMillis when this scheduler became active: plan numbers are above it
     */
    public record Surroundings(
            Applications applications,
            ClusterSource cluster,
            Enforcement enforcement,
            Function<String, Strategy> strategies,
            long startMillis) {}

    /** Starts the loop. */
    public static ControlLoop start(
            OptimusConfiguration configuration, State state, Surroundings surroundings, OptimusMetrics metrics) {
        TimeBudget budget = new TimeBudget(configuration.rounds().budgetMillis(), "optimus-policy");
        PlanNumbers numbers = new PlanNumbers(surroundings.startMillis());
        PlanPublisher publisher = new PlanPublisher(
                state.board(),
                numbers,
                state.registry(),
                state.estimates(),
                surroundings.enforcement(),
                new ShrinkEnforcer(
                        configuration.shrinking().graceMillis(),
                        configuration.shrinking().preemptionWaitMillis()),
                configuration.shrinking().graceMillis());
        RecoveryPeriod recovery = new RecoveryPeriod(
                surroundings.applications().training(),
                clock() + configuration.rounds().recoveryMillis());
        RoundThread thread = new RoundThread(
                state.wakeup(),
                new RoundTimer.Times(
                        configuration.rounds().intervalMillis(),
                        configuration.rounds().gapMillis(),
                        LOOK_AFTER_MILLIS,
                        LOOK_AFTER_GAP_MILLIS),
                ControlLoop::clock,
                new Round(parts(configuration, state, surroundings, budget, metrics), publisher, recovery),
                metrics::failure);
        thread.start();
        return new ControlLoop(numbers, budget, thread);
    }

    private static RoundParts parts(
            OptimusConfiguration configuration,
            State state,
            Surroundings surroundings,
            TimeBudget budget,
            OptimusMetrics metrics) {
        Map<String, Strategy> ofQueue = new ConcurrentHashMap<>();
        return new RoundParts(
                configuration,
                surroundings.applications(),
                state.registry(),
                state.estimates(),
                surroundings.cluster(),
                new Planner(
                        queue -> ofQueue.computeIfAbsent(queue, path -> strategy(configuration, surroundings, path)),
                        configuration.policies().gpuTypes()),
                budget,
                state.board(),
                state.log(),
                metrics,
                ControlLoop::clock,
                System::currentTimeMillis);
    }

    private static Strategy strategy(OptimusConfiguration configuration, Surroundings surroundings, String queue) {
        Strategy strategy =
                surroundings.strategies().apply(configuration.policies().of(queue));
        int jobs = configuration.policies().distributedJobsPerNode();
        return jobs == 0 ? strategy : strategy.withDistributedJobs(jobs);
    }

    /** Milliseconds, never going back. */
    public static long clock() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Plans from now on have numbers above {@code plan}: a job has carried that one out. */
    public void numbersAbove(long plan) {
        numbers.above(plan);
    }

    /** Ends the loop and its threads. */
    @Override
    public void close() {
        thread.close();
        budget.close();
    }
}
