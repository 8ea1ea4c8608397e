package io.optimus.sim.engine;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.sim.engine.EventQueue.Kind;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All that changes while a simulation runs: virtual time, nodes, active jobs, and what is to happen. */
final class SimulationState {
    private final SimulationSetup setup;
    private final SimulationListener witness;
    private final SimulatedNodes nodes;
    private final EventQueue agenda = new EventQueue();
    private final SortedMap<String, ActiveJob> active = new TreeMap<>();
    private double nowSeconds;
    private double jobSeconds;
    private double nextRound = Double.POSITIVE_INFINITY;

    SimulationState(SimulationSetup setup, SimulationListener witness) {
        this.setup = setup;
        this.witness = witness;
        this.nodes = new SimulatedNodes(setup.nodes());
    }

    SimulationSetup setup() {
        return setup;
    }

    SimulationListener witness() {
        return witness;
    }

    SimulatedNodes nodes() {
        return nodes;
    }

    EventQueue agenda() {
        return agenda;
    }

    double nowSeconds() {
        return nowSeconds;
    }

    /** The next appointment, at its time. */
    EventQueue.Entry proceed() {
        EventQueue.Entry entry = agenda.next();
        if (entry.seconds() < nowSeconds) {
            throw new IllegalStateException("Time runs backwards: " + entry + " after " + nowSeconds + " s");
        }
        jobSeconds += active.size() * (entry.seconds() - nowSeconds);
        nowSeconds = entry.seconds();
        return entry;
    }

    /** Active jobs, summed over time until now. */
    double jobSeconds() {
        return jobSeconds;
    }

    /** Jobs between their arrival and their end, in order of their ids. */
    Collection<ActiveJob> active() {
        return Collections.unmodifiableCollection(active.values());
    }

    Optional<ActiveJob> active(String id) {
        return Optional.ofNullable(active.get(id));
    }

    void enter(ActiveJob job) {
        active.put(job.job().id(), job);
    }

    void leave(ActiveJob job) {
        nodes.release(job.job(), job.placement());
        active.remove(job.job().id());
        witness.moved(nowSeconds, job.job(), Placement.NONE);
        witness.ended(job.outcome(nowSeconds, jobSeconds, setup));
    }

    /** These jobs give up the tasks that they have, all of them before the first gets others. */
    void release(List<ActiveJob> jobs) {
        jobs.forEach(job -> nodes.release(job.job(), job.placement()));
    }

    /** It was advanced to now, and its old tasks were released. */
    void move(ActiveJob job, Placement to) {
        nodes.hold(job.job(), to);
        job.move(nowSeconds, to, gpuSpeed(job.job(), to), setup.pause().atStart());
        witness.moved(nowSeconds, job.job(), to);
        awaitChange(job);
        if (setup.roundsOnNews()) {
            agenda.put(job.measuredSeconds(), Kind.MEASURED, job.job().id(), job.moves());
        }
    }

    /** Of the slowest that its workers use; 1 where they use none. */
    private double gpuSpeed(SimulatedJob job, Placement placement) {
        if (job.demand().workers().task().amount(Resources.GPUS) == 0) {
            return 1;
        }
        return placement.byNode().entrySet().stream()
                .filter(tasks -> tasks.getValue().workers() > 0)
                .mapToDouble(tasks -> setup.gpuTypes().speed(nodes.gpuType(tasks.getKey())))
                .min()
                .orElse(1);
    }

    /** Whatever was awaited of this job before is of no account any more. */
    void awaitChange(ActiveJob job) {
        agenda.put(job.nextChangeSeconds(), Kind.CHANGE, job.job().id(), job.stretch());
    }

    /** There is a round now, after all else that happens now. */
    void awaitRoundNow() {
        awaitRound(nowSeconds);
    }

    /**
     * There is a round at the next multiple of the interval: now, if this is one and {@code later} is not asked for.
     *
     * <p>Products are compared, for a quotient of one may fall short of its factor: 7 · 1.3 / 1.3 is less than 7.
     */
    void awaitRegularRound(boolean later) {
        double interval = setup.intervalSeconds();
        double round = Math.floor(nowSeconds / interval);
        while (round * interval < nowSeconds || (later && round * interval == nowSeconds)) {
            round++;
        }
        awaitRound(round * interval);
    }

    private void awaitRound(double seconds) {
        if (seconds < nextRound) {
            nextRound = seconds;
            agenda.put(seconds, Kind.ROUND, "", 0);
        }
    }

    /** Whether {@code entry} is the awaited round, and not one that an earlier one replaced. */
    boolean takeRound(EventQueue.Entry entry) {
        if (entry.seconds() != nextRound) {
            return false;
        }
        nextRound = Double.POSITIVE_INFINITY;
        return true;
    }
}
