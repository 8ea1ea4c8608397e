package io.optimus.am.master.plan;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.numerics.Medians;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Finds a worker that is slow for long, as Optimus does. Of an asynchronous job, that is one with less than half the
 * median speed of the others. In a synchronous job every worker waits for the slowest; there, one is slow already if steps
 * take half as long again as they would if it computed as fast as the median of the others.
 *
 * <p>The time is cut into three windows, and a worker must be slow in three windows in a row, so a pause, a compilation or another
 * process that computes for a moment has no effect. Windows begin anew when workers come or go. The pause until the next
 * straggler is looked for doubles with each one, since a replacement is no faster where the cause is not the node.
 *
 * <p>Example: with a time of 30 s, worker-2 takes 0.5 s for a step in each of three windows of 10 s, and the others take 0.2 s.
 * It is a straggler, 2.5 times as slow as the others.
 */
final class Stragglers {
    private static final int WINDOWS = 3;
    private static final double SYNCHRONOUS = 1.5;
    private static final double ASYNCHRONOUS = 2;
    /** The longest pause is 2^6 times the first. */
    private static final int MOST_DOUBLINGS = 6;

    private final long timeMillis;
    private final LongSupplier clock;
    private final Map<TaskId, Integer> slowWindows = new HashMap<>();
    private SortedMap<TaskId, StepTotals> atStart = new TreeMap<>();
    private long startMillis;
    private int found;
    private long quietUntilMillis = Long.MIN_VALUE;

    /**
     * Has seen no worker yet.
     *
     * @param time for which a worker must be slow
     * @param clock Unix time in milliseconds
     */
    Stragglers(Duration time, LongSupplier clock) {
        this.timeMillis = time.toMillis();
        this.clock = clock;
    }

    /**
     * A worker that is slow for long.
     *
     * @param slowness by what factor its steps take longer than if it were as fast as the median of the others
     */
    record Straggler(TaskId task, double slowness) {}

    /** Takes in what the workers do now, which is to be told many times in a window. Returns the slowest straggler. */
    Optional<Straggler> observe(CoordinatorStatus status, TrainingMode mode) {
        SortedMap<TaskId, StepTotals> now = new TreeMap<>();
        status.tasks().forEach((task, is) -> {
            if (is.member() && task.role() == Role.WORKER) {
                now.put(task, is.totals());
            }
        });
        if (status.state() != State.STEPPING || !now.keySet().equals(atStart.keySet())) {
            slowWindows.clear();
            begin(now);
            return Optional.empty();
        }
        SortedMap<TaskId, StepTotals> steps = new TreeMap<>();
        now.forEach((task, totals) -> steps.put(task, totals.since(atStart.getOrDefault(task, StepTotals.NONE))));
        boolean whole = clock.getAsLong() - startMillis >= timeMillis / WINDOWS;
        if (!whole || steps.size() < 2 || steps.values().stream().anyMatch(done -> done.steps() == 0)) {
            return Optional.empty();
        }
        begin(now);
        return slowest(steps, mode == TrainingMode.SYNCHRONOUS ? SYNCHRONOUS : ASYNCHRONOUS);
    }

    private void begin(SortedMap<TaskId, StepTotals> now) {
        atStart = now;
        startMillis = clock.getAsLong();
    }

    private Optional<Straggler> slowest(SortedMap<TaskId, StepTotals> steps, double limit) {
        Optional<Straggler> slowest = Optional.empty();
        for (TaskId task : steps.keySet()) {
            double slowness = slowness(task, steps);
            int windows = slowness > limit ? slowWindows.merge(task, 1, Integer::sum) : 0;
            if (windows == 0) {
                slowWindows.remove(task);
            } else if (windows >= WINDOWS
                    && slowest.map(Straggler::slowness).orElse(0.0) < slowness
                    && clock.getAsLong() >= quietUntilMillis) {
                slowest = Optional.of(new Straggler(task, slowness));
            }
        }
        if (slowest.isPresent()) {
            quietUntilMillis = clock.getAsLong() + (timeMillis << Math.min(++found, MOST_DOUBLINGS));
            slowWindows.clear();
        }
        return slowest;
    }

    /**
     * By what factor the worker's steps would be shorter if it took as long as the median of the others. Where a step has few
     * samples, some workers take twice as many as others: it is given the time for as many as it takes.
     */
    private static double slowness(TaskId task, SortedMap<TaskId, StepTotals> steps) {
        StepTotals own = steps.getOrDefault(task, StepTotals.NONE);
        double forSteps = own.steps() * medianOfOthers(task, steps, done -> done.ownSeconds() / done.steps());
        double forSamples = own.samples() * medianOfOthers(task, steps, done -> done.ownSeconds() / done.samples());
        double lost = own.ownSeconds() - Math.max(forSteps, forSamples);
        return own.seconds() > lost ? own.seconds() / (own.seconds() - lost) : 1;
    }

    private static double medianOfOthers(
            TaskId task, SortedMap<TaskId, StepTotals> steps, ToDoubleFunction<StepTotals> secondsOf) {
        return Medians.mean(steps.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(task))
                .mapToDouble(entry -> secondsOf.applyAsDouble(entry.getValue()))
                .toArray());
    }
}
