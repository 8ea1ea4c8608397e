package io.optimus.sim.engine;

import io.optimus.model.job.JobSnapshot;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.QueuedJob;
import io.optimus.model.plan.Strategy;
import io.optimus.sim.knowledge.RunOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Runs a workload in virtual time: one event after the other, without threads and clocks. The same workload, setup, options
 * and seed give the same events, down to the last bit.
 *
 * <p>In a round, all active jobs train up to now and report, and the {@link io.optimus.model.plan.Planner} plans them.
 * The plan is carried out at once: a job that keeps its tasks trains on, and one that gets other tasks pauses. Rounds
 * are at multiples of the interval while any job is active. A job that ends or arrives at the time of a round does so
 * before the round.
 *
 * <p>Example: rounds are every 60 s and pauses take 30 s. A job arrives at 70 s with 100 s of work on the tasks that it
 * will get. It gets them at 120 s, steps from 150 s on, and ends at 250 s: its completion time is 180 s.
 */
public final class Simulation {
    private final RunOptions options;
    private final long seed;
    private final List<SimulatedJob> arrivals;
    private final SimulationState state;
    private final FaultInjection injection;
    private final PlanningRound round;
    private int arrived;
    private int changed;
    private long events;

    /**
     * Prepares a run.
     *
     * @param workload the jobs that arrive
     * @param setup the cluster, its rounds and its faults
     * @param policies how jobs are scheduled
     * @param options what the scheduler may know of the jobs
     * @param seed seed of everything that is drawn
     * @param nanoClock measures how long decisions take; nothing else depends on it
     * @param listener receives the events
     */
    public Simulation(
            Workload workload,
            SimulationSetup setup,
            QueuePolicies policies,
            RunOptions options,
            long seed,
            LongSupplier nanoClock,
            SimulationListener listener) {
        this.options = options;
        this.seed = seed;
        this.arrivals = workload.jobs();
        this.state = new SimulationState(setup, listener, 0);
        this.injection = new FaultInjection(state, seed);
        Planner planner = new Planner(policies.strategies(seed), setup.gpuTypes());
        this.round = new PlanningRound(state, injection, policies.name(), planner, new WorkloadQueues(), nanoClock);
        requireThatAllFit(workload);
        injection.start();
        scheduleClusterChange();
        scheduleArrival();
    }

    /** The same with one policy for all queues. */
    public Simulation(
            Workload workload,
            SimulationSetup setup,
            NamedStrategy policy,
            RunOptions options,
            long seed,
            LongSupplier nanoClock,
            SimulationListener listener) {
        this(workload, setup, QueuePolicies.of(policy), options, seed, nanoClock, listener);
    }

    private Simulation(SimulationState state, Planner planner, GivenQueues queues) {
        this.options = RunOptions.of(KnowledgeSource.EXACT, Batch.ADAPTIVE);
        this.seed = 0;
        this.arrivals = List.of();
        this.state = state;
        this.injection = new FaultInjection(state, seed);
        this.round = new PlanningRound(state, injection, "a policy", planner, queues, () -> 0);
    }

    /**
     * Prepares a run that goes on from a state that a round saw: jobs hold tasks and have trained, and no others arrive. Its
     * first event is a round.
     *
     * @param queues queues and jobs at the beginning
     * @param scripts starts what a job does from then on, by its id: a training has the steps that are left
     * @param setup the cluster; it names every node on which jobs hold tasks, and has no faults
     * @param strategyOfQueue the strategy of each queue, by its path
     * @param listener receives the events, with times from the time {@link #nowSeconds} on
     */
    public static Simulation from(
            QueueSource queues,
            Map<String, SimulatedJob.Script> scripts,
            SimulationSetup setup,
            Function<String, Strategy> strategyOfQueue,
            SimulationListener listener) {
        List<QueueSnapshot> present = queues.without(Set.of());
        // No job was submitted before time 0.
        double began = present.stream()
                .flatMap(queue -> queue.jobs().stream())
                .mapToDouble(job -> job.job().history().ageSeconds())
                .max()
                .orElse(0);
        SimulationState state = new SimulationState(setup, listener, began);
        Planner planner = new Planner(strategyOfQueue, setup.gpuTypes());
        Simulation simulation = new Simulation(state, planner, new GivenQueues(queues, began));
        present.forEach(queue ->
                queue.jobs().forEach(start -> state.resume(simulation.active(queue.queue(), start, scripts), start)));
        state.scheduleRoundNow();
        return simulation;
    }

    private ActiveJob active(String queue, QueuedJob start, Map<String, SimulatedJob.Script> scripts) {
        JobSnapshot job = start.job();
        double pause = job.state().resizeCostSeconds();
        double arrived = Math.max(0, state.nowSeconds() - job.history().ageSeconds());
        SimulatedJob simulated = new SimulatedJob(
                job.id(),
                "",
                new SimulatedJob.Submission(
                        arrived, queue, start.user(), job.identity().terms()),
                job.demand(),
                job.requested(),
                new SimulatedJob.Pauses(OptionalDouble.of(pause), OptionalDouble.of(pause)),
                Objects.requireNonNull(scripts.get(job.id()), job.id()));
        return new ActiveJob(
                simulated,
                simulated.script().begin(options, seed),
                new ResizePause.OfJob(pause, pause),
                state.jobSeconds());
    }

    private void requireThatAllFit(Workload workload) {
        List<String> never = workload.jobs().stream()
                .filter(job -> !state.nodes().canHold(job))
                .map(job -> job.id() + " (" + job.demand().minimum() + ")")
                .toList();
        if (!never.isEmpty()) {
            throw new IllegalArgumentException(
                    "These jobs of workload " + workload.name() + " never fit on the cluster: "
                            + String.join(", ", never) + ". Remedy: simulate more or larger nodes");
        }
    }

    public void run() {
        run(() -> true);
    }

    /** Runs as long as {@code goesOn}, which is asked before each event. */
    public void run(BooleanSupplier goesOn) {
        while (!isOver() && goesOn.getAsBoolean()) {
            step();
        }
    }

    /** Virtual time. */
    public double nowSeconds() {
        return state.nowSeconds();
    }

    /** The last decision on {@code job}; empty if the job is not active. */
    public Optional<Proposal> inForce(String job) {
        return state.active(job).map(ActiveJob::inForce);
    }

    public long events() {
        return events;
    }

    boolean isOver() {
        return state.active().isEmpty() && arrived == arrivals.size();
    }

    void step() {
        EventQueue.Event event = state.nextEvent();
        events++;
        switch (event.kind()) {
            case CHANGE -> change(event);
            case NODE_FAILS -> injection.nodeFails(event.subject());
            case NODE_RETURNS -> injection.nodeReturns(event.subject());
            case STRAGGLES -> injection.straggles(event);
            case STRAGGLER_REPLACED -> injection.stragglerReplaced(event);
            case MEASURED -> measured(event);
            case CLUSTER_CHANGES -> clusterChanges();
            case ARRIVAL -> arrive();
            case ROUND -> round(event);
        }
    }

    SimulationState state() {
        return state;
    }

    /** Schedules the next arrival only, because a trace may be long. */
    private void scheduleArrival() {
        if (arrived < arrivals.size()) {
            state.events().add(arrivals.get(arrived).arrivalSeconds(), EventQueue.Kind.ARRIVAL, "", 0);
        }
    }

    private void scheduleClusterChange() {
        List<ClusterChange> changes = state.setup().changes();
        if (changed < changes.size()) {
            state.events().add(changes.get(changed).seconds(), EventQueue.Kind.CLUSTER_CHANGES, "", 0);
        }
    }

    private void clusterChanges() {
        ClusterChange change = state.setup().changes().get(changed++);
        boolean nodesCameOrWent =
                change.nodes().stream().anyMatch(node -> !state.nodes().isUp(node.id()));
        state.nodes().change(change.nodes());
        for (String node : change.gone()) {
            if (state.nodes().isUp(node)) {
                injection.loseNode(node);
                nodesCameOrWent = true;
            }
        }
        state.limits().putAll(change.queues());
        if (nodesCameOrWent) {
            injection.planAnew();
        }
        scheduleClusterChange();
    }

    private void arrive() {
        SimulatedJob job = arrivals.get(arrived++).under(options);
        long jobSeed = Seeds.of(seed, job.id());
        ResizePause.OfJob pause = state.setup().pause().of(job, jobSeed);
        state.enter(new ActiveJob(job, job.script().begin(options, jobSeed), pause, state.jobSeconds()));
        scheduleArrival();
        if (state.setup().roundsOnNews()) {
            state.scheduleRoundNow();
        }
        state.scheduleRegularRound(false);
    }

    private void change(EventQueue.Event event) {
        state.active(event.subject())
                .filter(job -> job.speedInterval() == event.version())
                .ifPresent(this::change);
    }

    private void change(ActiveJob job) {
        job.advanceToChange(state.nowSeconds());
        if (!job.training().ended()) {
            state.scheduleChange(job);
            return;
        }
        state.leave(job);
        if (state.setup().roundsOnNews() && !state.active().isEmpty()) {
            state.scheduleRoundNow();
        }
    }

    private void measured(EventQueue.Event event) {
        boolean news = state.active(event.subject())
                .filter(job -> job.moves() == event.version())
                .map(job -> job.report(state.nowSeconds()))
                .orElse(false);
        if (news) {
            state.scheduleRoundNow();
        }
    }

    private void round(EventQueue.Event event) {
        if (state.takeRound(event) && !state.active().isEmpty()) {
            round.run();
            state.scheduleRegularRound(true);
        }
    }
}
