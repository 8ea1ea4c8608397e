package io.optimus.am.coordinator.command;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures the resizes of a job of commands. A pause begins when commands are told to end or the members change, and ends with
 * the first step that is reported afterwards. All times are those of the coordinator's clock.
 *
 * <p>Example: 1 worker is told to end at 10 s, 2 workers start at 13 s, and their first step is reported at 20 s: a pause of
 * 10 s.
 */
final class CommandResizes {
    /** A resize is reported by then, although the commands have not reported a step. */
    private static final long FIRST_STEP_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final CoordinatorListener listener;
    private Allocation before = Allocation.NONE;
    private Cause cause = Cause.STARTED;
    private long pausedNanos;
    private @Nullable Pending pending;

    /** A resize whose first step has not been reported yet. */
    private record Pending(Allocation from, Allocation to, Cause cause, long pausedNanos, long startedNanos) {}

    /** No command has run yet. */
    CommandResizes(CoordinatorListener listener) {
        this.listener = listener;
    }

    /** The commands stop to step, because of {@code why}. */
    void paused(Cause why, long nowNanos) {
        cause = why;
        pausedNanos = nowNanos;
    }

    /** The commands of {@code now} run; what they report next is the first step after the resize. */
    void begun(Allocation now, long nowNanos) {
        pending = new Pending(before, now, cause, pausedNanos, nowNanos);
        before = now;
        cause = Cause.PLANNED;
    }

    /** Commands of {@code now} were running when their coordinator was lost. */
    void goOn(Allocation now) {
        before = now;
        cause = Cause.PLANNED;
    }

    /** Commands of {@code now} run on under a new coordinator, without a pause. */
    void takenOver(Allocation now, long step) {
        goOn(now);
        listener.resized(new Resize(now, now, 0, step, Cause.TAKEN_OVER));
    }

    /** Step {@code step} was reported, or is not waited for any more. */
    void stepped(long step, long nowNanos) {
        Pending resize = pending;
        if (resize != null) {
            pending = null;
            long pause = resize.from().isNone() ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - resize.pausedNanos());
            listener.resized(new Resize(resize.from(), resize.to(), pause, step, resize.cause()));
        }
    }

    /** Whether a first step has been awaited for too long. */
    boolean isLate(long nowNanos) {
        Pending resize = pending;
        return resize != null && nowNanos - resize.startedNanos() > FIRST_STEP_NANOS;
    }
}
