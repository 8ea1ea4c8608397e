package io.optimus.sim.engine;

import io.optimus.model.plan.NamedStrategy;
import io.optimus.sim.knowledge.RunOptions;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs a workload in virtual time: one event after the other, no thread, no clock. The same workload, set-up, terms and
 * seed give the same events, down to the last bit.
 *
 * <p>At a round, all active jobs train up to now, what they could report is looked at, the {@link
 * io.optimus.model.plan.Planner} plans them, and the plan is carried out at once: who keeps his tasks trains on, who gets
 * others stands still for his pause. Rounds are at multiples of the interval, while any job is active. At the same time,
 * what ends and what arrives comes before the round.
 *
 * <p>Example: rounds every 60 s, pauses of 30 s; a job of 100 s of work on the tasks that it gets arrives at 70 s. It gets
 * them at 120 s, steps from 150 s on, and ends at 250 s: its completion time is 180 s.
 */
public final class Simulation {
    private final RunOptions terms;
    private final long seed;
    private final List<SimulatedJob> arrivals;
    private final SimulationState scene;
    private final FaultInjection mishaps;
    private final PlanningRound round;
    private int arrived;
    private long events;

    /**
     * Prepares a run.
     *
     * @param workload what arrives
     * @param setup where, and what goes wrong
     * @param named how jobs are scheduled
     * @param terms what the scheduler may know of them
     * @param seed of everything that is drawn
     * @param nanoClock tells what decisions took; nothing else depends on it
     * @param witness is told what happens
     */
    public Simulation(
            Workload workload,
            SimulationSetup setup,
            NamedStrategy named,
            RunOptions terms,
            long seed,
            LongSupplier nanoClock,
            SimulationListener witness) {
        this.terms = terms;
        this.seed = seed;
        this.arrivals = workload.jobs();
        this.scene = new SimulationState(setup, witness);
        this.mishaps = new FaultInjection(scene, seed);
        this.round = new PlanningRound(scene, mishaps, named, seed, nanoClock);
        refuseWhatNeverFits(workload);
        mishaps.begin();
        awaitArrival();
    }

    private void refuseWhatNeverFits(Workload workload) {
        List<String> never = workload.jobs().stream()
                .filter(job -> !scene.nodes().everHold(job))
                .map(job -> job.id() + " (" + job.demand().minimum() + ")")
                .toList();
        if (!never.isEmpty()) {
            throw new IllegalArgumentException("Of workload " + workload.name() + ", these never fit on the cluster: "
                    + String.join(", ", never) + ". Remedy: more or larger nodes");
        }
    }

    /** Runs until every job has ended. */
    public void run() {
        while (!isOver()) {
            step();
        }
    }

    /** How many events happened so far. */
    public long events() {
        return events;
    }

    boolean isOver() {
        return scene.active().isEmpty() && arrived == arrivals.size();
    }

    /** The next event. */
    void step() {
        EventQueue.Entry entry = scene.proceed();
        events++;
        switch (entry.kind()) {
            case CHANGE -> change(entry);
            case NODE_FAILS -> mishaps.nodeFails(entry.subject());
            case NODE_RETURNS -> mishaps.nodeReturns(entry.subject());
            case STRAGGLES -> mishaps.straggles(entry);
            case STRAGGLER_REPLACED -> mishaps.stragglerReplaced(entry);
            case MEASURED -> measured(entry);
            case ARRIVAL -> arrive();
            case ROUND -> round(entry);
        }
    }

    SimulationState scene() {
        return scene;
    }

    /** Only the next one is put down: a trace may be long. */
    private void awaitArrival() {
        if (arrived < arrivals.size()) {
            scene.agenda().put(arrivals.get(arrived).arrivalSeconds(), EventQueue.Kind.ARRIVAL, "", 0);
        }
    }

    private void arrive() {
        SimulatedJob job = arrivals.get(arrived++).under(terms);
        long jobSeed = Seeds.of(seed, job.id());
        double pause = scene.setup().pause().seconds(job, jobSeed);
        scene.enter(new ActiveJob(job, job.script().begin(terms, jobSeed), pause, scene.jobSeconds()));
        awaitArrival();
        if (scene.setup().roundsOnNews()) {
            scene.awaitRoundNow();
        }
        scene.awaitRegularRound(false);
    }

    private void change(EventQueue.Entry entry) {
        scene.active(entry.subject())
                .filter(job -> job.stretch() == entry.version())
                .ifPresent(this::change);
    }

    private void change(ActiveJob job) {
        job.advanceToChange(scene.nowSeconds());
        if (!job.training().ended()) {
            scene.awaitChange(job);
            return;
        }
        scene.leave(job);
        if (scene.setup().roundsOnNews() && !scene.active().isEmpty()) {
            scene.awaitRoundNow();
        }
    }

    private void measured(EventQueue.Entry entry) {
        boolean news = scene.active(entry.subject())
                .filter(job -> job.moves() == entry.version())
                .map(job -> job.report(scene.nowSeconds()))
                .orElse(false);
        if (news) {
            scene.awaitRoundNow();
        }
    }

    private void round(EventQueue.Entry entry) {
        if (scene.takeRound(entry) && !scene.active().isEmpty()) {
            round.run();
            scene.awaitRegularRound(true);
        }
    }
}
