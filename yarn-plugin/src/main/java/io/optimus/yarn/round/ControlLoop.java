package io.optimus.yarn.round;

import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.enforce.Enforcement;
import io.optimus.yarn.history.PastJobs;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.PredictionTrails;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.plan.LatestPlan;
import io.optimus.yarn.plan.PlanNumbers;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.recording.RoundRecorder;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs rounds on a thread of its own while the scheduler is active. An exception in a round is logged, and the next
 * round comes as usual.
 */
public final class ControlLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
    /** The interval between checks of grace times, between two rounds. */
    private static final long REFRESH_MILLIS = 500;
    /** A job that ends releases many containers at once, and each refresh reads the whole scheduler. */
    private static final long REFRESH_GAP_MILLIS = 50;
    /** A round may compute for its whole time budget, and reads the cluster and publishes besides. */
    private static final int SLOW_AFTER_BUDGETS = 2;

    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final RoundTimer timer;
    private final Supplier<OptimusConfiguration> configuration;
    private final RoundTimer.Clock clock;
    private final PlanNumbers numbers;
    private final TimeBudget budget;
    private final Round round;
    private final OptimusMetrics metrics;
    private final Thread thread = new Thread(this::loop, "optimus-round");
    private final Watchdog watchdog;
    private volatile boolean closed;

    /**
     * The state of the loop, which REST and the training service read too.
     *
     * @param registry the jobs
     * @param beliefs the beliefs about them
     * @param plan the plan in force
     * @param trails what was predicted of the jobs so far
     * @param past the jobs that ended last
     * @param log the last rounds
     * @param timer decides when the next round is due
     * @param orders the orders of administrators
     * @param recorder records rounds where the settings name a folder
     */
    public record State(
            JobRegistry registry,
            Beliefs beliefs,
            LatestPlan plan,
            PredictionTrails trails,
            PastJobs past,
            RoundLog log,
            RoundTimer timer,
            OperatorOrders orders,
            RoundRecorder recorder) {
        /**
         * The initial state of a scheduler.
         *
         * @param mostPastJobs how many jobs that have ended are kept
         */
        public static State of(JobRegistry registry, RoundTimer timer, IntSupplier mostPastJobs) {
            PastJobs past = new PastJobs(mostPastJobs, System::currentTimeMillis);
            return new State(
                    registry,
                    new Beliefs(registry, past::lastRun),
                    new LatestPlan(),
                    new PredictionTrails(ControlLoop::clock),
                    past,
                    new RoundLog(),
                    timer,
                    new OperatorOrders(() -> timer.signal(RoundTrigger.OPERATOR)),
                    new RoundRecorder(registry::losses, System::currentTimeMillis));
        }
    }

    /**
     * The loop's view of the ResourceManager.
     *
     * @param applications its applications
     * @param reader copies the cluster as training applications see it
     * @param enforcement enforces plans
     * @param strategies makes a strategy by the name of its policy: one for each queue, since some have memory
     * @param clock milliseconds, never going back
     * @param wallClock milliseconds since 1970
     */
    public record Surroundings(
            Applications applications,
            Function<Collection<TrainingApplication>, ClusterView> reader,
            Enforcement enforcement,
            Function<String, Strategy> strategies,
            RoundTimer.Clock clock,
            RoundTimer.Clock wallClock) {}

    private ControlLoop(
            Supplier<OptimusConfiguration> configuration,
            State state,
            Surroundings surroundings,
            OptimusMetrics metrics) {
        this.timer = state.timer();
        this.configuration = configuration;
        this.clock = surroundings.clock();
        // Not the start of the ResourceManager: one JVM may become active several times.
        this.numbers = new PlanNumbers(surroundings.wallClock().millis());
        this.budget = new TimeBudget(() -> configuration.get().rounds().budgetMillis(), "optimus-policy");
        RecoveryPeriod recovery = new RecoveryPeriod(
                surroundings.applications().training(),
                clock.millis() + configuration.get().rounds().recoveryMillis());
        this.round = new Round(configuration, state, surroundings, numbers, recovery, budget, metrics);
        this.metrics = metrics;
        this.watchdog = new Watchdog(
                thread,
                clock,
                () -> SLOW_AFTER_BUDGETS * configuration.get().rounds().budgetMillis());
        thread.setDaemon(true);
    }

    /**
     * Starts a loop.
     *
     * @param configuration the settings in force, which may change between two rounds
     */
    public static ControlLoop start(
            Supplier<OptimusConfiguration> configuration,
            State state,
            Surroundings surroundings,
            OptimusMetrics metrics) {
        ControlLoop loop = new ControlLoop(configuration, state, surroundings, metrics);
        loop.thread.start();
        loop.watchdog.start();
        return loop;
    }

    /** Milliseconds, never going back. */
    public static long clock() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Makes the numbers of later plans exceed {@code plan}, which a job has carried out. */
    public void numbersAbove(long plan) {
        numbers.above(plan);
    }

    private void loop() {
        try {
            // Checking the interrupt alone does not suffice: YARN's dispatcher swallows it.
            while (!closed && !Thread.currentThread().isInterrupted()) {
                step(timer.await(clock, this::times));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private RoundTimer.Times times() {
        OptimusConfiguration.Rounds rounds = configuration.get().rounds();
        return new RoundTimer.Times(
                rounds.intervalMillis(),
                rounds.gapMillis(),
                REFRESH_MILLIS,
                REFRESH_GAP_MILLIS,
                rounds.corePercent() / 100.0);
    }

    private void step(RoundTimer.Due due) throws InterruptedException {
        metrics.stepBegins();
        watchdog.begins();
        try {
            switch (due.step()) {
                case ROUND -> {
                    if (!round.run(due.triggers())) {
                        again(due.triggers());
                    }
                }
                case REFRESH -> round.refresh().forEach(timer::signal);
            }
        } catch (RuntimeException | LinkageError e) {
            // Another version of Hadoop may lack a class: that must not end the thread.
            metrics.failure();
            LOG.warn("round failed, the last plan stays step={}", due.step(), e);
            again(due.triggers());
        } finally {
            watchdog.ends();
            metrics.stepEnds();
        }
    }

    /** Asks once more for what a failed round was to decide, so that it need not wait for the next regular round. */
    private void again(Set<RoundTrigger> triggers) {
        if (!triggers.isEmpty() && !triggers.contains(RoundTrigger.FAILED_ROUND)) {
            timer.signal(RoundTrigger.FAILED_ROUND);
            triggers.forEach(timer::signal);
        }
    }

    /** What is wrong with the loop now, with its remedy; empty if nothing is. */
    public Optional<String> problem() {
        return watchdog.problem();
    }

    /**
     * Ends the loop and its threads; waits for them for a while. A thread that hangs beyond that publishes and enforces
     * nothing any more.
     */
    @Override
    public void close() {
        closed = true;
        budget.end();
        watchdog.close();
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
            if (thread.isAlive()) {
                LOG.warn("the thread of the rounds hangs, it publishes nothing any more", Watchdog.stackOf(thread));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        budget.close();
    }
}
