package io.optimus.sim.engine;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.QueuedJob;
import io.optimus.sim.engine.EventQueue.Kind;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All that changes while a simulation runs: virtual time, nodes, active jobs and future events. */
final class SimulationState {
    private final SimulationSetup setup;
    private final SimulationListener listener;
    private final SimulatedNodes nodes;
    private final EventQueue events = new EventQueue();
    private final SortedMap<String, ActiveJob> active = new TreeMap<>();
    private final SortedMap<String, ClusterChange.QueueLimits> limits = new TreeMap<>();
    private double nowSeconds;
    private double jobSeconds;
    private double nextRound = Double.POSITIVE_INFINITY;

    /** A cluster without jobs at {@code nowSeconds}. */
    SimulationState(SimulationSetup setup, SimulationListener listener, double nowSeconds) {
        this.setup = setup;
        this.nowSeconds = nowSeconds;
        this.listener = listener;
        this.nodes = new SimulatedNodes(setup.nodes());
    }

    SimulationSetup setup() {
        return setup;
    }

    SimulationListener listener() {
        return listener;
    }

    SimulatedNodes nodes() {
        return nodes;
    }

    /** The limits of queues; a queue without an entry has none. */
    SortedMap<String, ClusterChange.QueueLimits> limits() {
        return limits;
    }

    EventQueue events() {
        return events;
    }

    double nowSeconds() {
        return nowSeconds;
    }

    /** Returns the next event, and advances virtual time to it. */
    EventQueue.Event nextEvent() {
        EventQueue.Event event = events.remove();
        if (event.seconds() < nowSeconds) {
            throw new IllegalStateException("Time runs backwards: " + event + " after " + nowSeconds + " s");
        }
        jobSeconds += active.size() * (event.seconds() - nowSeconds);
        nowSeconds = event.seconds();
        return event;
    }

    /** The number of active jobs until now, summed over time. */
    double jobSeconds() {
        return jobSeconds;
    }

    /** The jobs between their arrival and their end, in order of their ids. */
    Collection<ActiveJob> active() {
        return Collections.unmodifiableCollection(active.values());
    }

    Optional<ActiveJob> active(String id) {
        return Optional.ofNullable(active.get(id));
    }

    void enter(ActiveJob job) {
        active.put(job.job().id(), job);
    }

    /** Adds a job that was there before, with the tasks that it holds. */
    void resume(ActiveJob job, QueuedJob start) {
        enter(job);
        Placement holds = start.job().current();
        nodes.hold(job.job(), holds);
        job.resume(nowSeconds, start, gpuSpeed(job.job(), holds));
        scheduleChange(job);
    }

    void leave(ActiveJob job) {
        nodes.release(job.job(), job.placement());
        active.remove(job.job().id());
        listener.moved(nowSeconds, job.job(), Placement.NONE);
        listener.ended(job.outcome(nowSeconds, jobSeconds, setup));
    }

    /** Releases the tasks of these jobs; all of them are released before the first job gets others. */
    void release(List<ActiveJob> jobs) {
        jobs.forEach(job -> nodes.release(job.job(), job.placement()));
    }

    /** Gives {@code job} other tasks. It has trained up to now, and its old tasks are released. */
    void move(ActiveJob job, Placement to) {
        nodes.hold(job.job(), to);
        job.move(nowSeconds, to, gpuSpeed(job.job(), to));
        listener.moved(nowSeconds, job.job(), to);
        scheduleChange(job);
        if (setup.roundsOnNews()) {
            events.add(job.measuredSeconds(), Kind.MEASURED, job.job().id(), job.moves());
        }
    }

    /** The speed of the slowest GPU that its workers use; 1 if they use none. */
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

    /** Schedules the next change of its speed; events of earlier intervals are then ignored. */
    void scheduleChange(ActiveJob job) {
        events.add(job.nextChangeSeconds(), Kind.CHANGE, job.job().id(), job.speedInterval());
    }

    /** Schedules a round now, after all other events of this time. */
    void scheduleRoundNow() {
        scheduleRound(nowSeconds);
    }

    /**
     * Schedules a round at the next multiple of the interval. That may be now, unless {@code later} is set.
     *
     * <p>It compares products, because a quotient may be rounded below its factor: 7 · 1.3 / 1.3 is less than 7.
     */
    void scheduleRegularRound(boolean later) {
        double interval = setup.intervalSeconds();
        double round = Math.floor(nowSeconds / interval);
        while (round * interval < nowSeconds || (later && round * interval == nowSeconds)) {
            round++;
        }
        scheduleRound(round * interval);
    }

    private void scheduleRound(double seconds) {
        if (seconds < nextRound) {
            nextRound = seconds;
            events.add(seconds, Kind.ROUND, "", 0);
        }
    }

    /** Whether {@code event} is the next round and was not replaced by an earlier round. */
    boolean takeRound(EventQueue.Event event) {
        if (event.seconds() != nextRound) {
            return false;
        }
        nextRound = Double.POSITIVE_INFINITY;
        return true;
    }
}
