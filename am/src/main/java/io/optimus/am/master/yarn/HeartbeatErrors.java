package io.optimus.am.master.yarn;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of heartbeats that failed. The job goes on: YARN's client sends the next one, with the same requests. The ResourceManager
 * may be away for longer than the client waits, it may refuse a container because the only nodes that are large enough are lost,
 * and it may answer with any exception while it stops.
 */
final class HeartbeatErrors {
    /** Heartbeats fail several times a second. */
    private static final long REPEAT_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Containers.Listener listener;
    private final LongSupplier nanos;
    private @Nullable Class<?> last;
    private long toldNanos;

    HeartbeatErrors(Containers.Listener listener, LongSupplier nanos) {
        this.listener = listener;
        this.nanos = nanos;
    }

    /** Tells the listener, though not of each failure of the same kind. */
    void received(Throwable error) {
        long now = nanos.getAsLong();
        if (!Objects.equals(error.getClass(), last) || now - toldNanos >= REPEAT_NANOS) {
            last = error.getClass();
            toldNanos = now;
            listener.yarnRefused(
                    "The ResourceManager refused a heartbeat or did not answer it, so the job goes on with the"
                            + " containers that it has: " + error);
        }
    }
}
