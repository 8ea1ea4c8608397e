package io.optimus.am.master.yarn;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an error of YARN's client ends the job.
 *
 * <p>A heartbeat that fails does not: the client sends the next one, with the same requests. The ResourceManager may be away for
 * longer than the client waits, or it may refuse a container because the only nodes that are large enough are lost. Any other
 * error comes from a callback and ends the client's thread, so the job cannot go on.
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
        if (!(error instanceof YarnException) && !(error instanceof IOException)) {
            listener.yarnFailed("The job can no longer work with the ResourceManager: " + error);
            return;
        }
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
