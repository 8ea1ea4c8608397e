package io.optimus.am.engine.emulated;

import io.optimus.am.engine.Activity.Phase;
import io.optimus.am.engine.ActivityClock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WrappedEngine;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;

/**
 * Computes the gradients of another engine at the speed that a given function has for the current allocation.
 *
 * <p>A worker's steps start 1/f(p,w) seconds apart in synchronous training, where all workers make one step together,
 * and w/f(p,w) in asynchronous training, where f counts the updates of all w. A step waits for its start before it computes,
 * so that pulling and pushing are part of that time. A delay of up to one interval is made up for by the next steps; the rest
 * of a longer delay is lost. Example: with f = 20 steps/s, synchronous steps start at 0, 50 and 100 ms. If the second ends at
 * 110 ms, the third starts at 110 ms and counts as late, and the fourth starts at 150 ms.
 */
public final class PacedEngine extends WrappedEngine {
    private final SpeedFunction speed;
    private final TrainingMode mode;
    private final PacingClock clock;
    private final ActivityClock activity = new ActivityClock();
    private Allocation allocation = Allocation.NONE;
    private long intervalNanos;
    private long dueNanos;
    private boolean resized;
    private long lateSteps;

    /** Paces {@code wrapped} by the machine's clock. */
    public PacedEngine(TrainingEngine wrapped, SpeedFunction speed, TrainingMode mode) {
        this(wrapped, speed, mode, PacingClock.SYSTEM);
    }

    PacedEngine(TrainingEngine wrapped, SpeedFunction speed, TrainingMode mode, PacingClock clock) {
        super(wrapped);
        this.speed = speed;
        this.mode = mode;
        this.clock = clock;
    }

    /**
     * Sets the pace of the following steps.
     *
     * @throws IllegalArgumentException if the function has no speed for {@code next}
     */
    @Override
    public void runsOn(Allocation next) {
        if (next.equals(allocation)) {
            return;
        }
        double stepsPerSecond = next.workers() == 0 ? 0 : speed.stepsPerSecond(next);
        if (!(stepsPerSecond > 0) || Double.isInfinite(stepsPerSecond)) {
            throw new IllegalArgumentException("The speed function gives " + stepsPerSecond + " steps/s on " + next
                    + ": emulated jobs need at least one worker, one ps and one positive term");
        }
        double seconds =
                switch (mode) {
                    case SYNCHRONOUS -> 1 / stepsPerSecond;
                    case ASYNCHRONOUS -> next.workers() / stepsPerSecond;
                };
        allocation = next;
        intervalNanos = (long) (seconds * 1e9);
        resized = true;
        super.runsOn(next);
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        if (allocation.isNone()) {
            throw new IllegalStateException(
                    "A paced engine needs its allocation before its first step: call runsOn first");
        }
        activity.enter(Phase.STEPPING, awaitStart());
        double loss = super.step(part, progress);
        activity.enter(Phase.WAITING, clock.nanoTime());
        return loss;
    }

    /** Waiting for a step's start is no computing. */
    @Override
    public Optional<ActivityClock> clock() {
        return Optional.of(super.clock().orElse(activity));
    }

    /** The number of steps that started late, because the machine is slower than the given speed. */
    @Override
    public long lateSteps() {
        return lateSteps;
    }

    @Override
    public boolean paced() {
        return true;
    }

    /** Waits for the start of the next step. Returns when that was: a process that stood still meanwhile is late. */
    private long awaitStart() {
        long now = clock.nanoTime();
        long start = now;
        if (resized) {
            // The pause of a resize does not count as late, and is not made up for.
            resized = false;
            dueNanos = now;
        } else if (now - dueNanos > 0) {
            lateSteps++;
            dueNanos = Math.max(dueNanos, now - intervalNanos);
        } else {
            start = dueNanos;
            clock.sleepUntil(dueNanos);
        }
        dueNanos += intervalNanos;
        return start;
    }
}
