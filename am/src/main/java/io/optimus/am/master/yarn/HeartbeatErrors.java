package io.optimus.am.master.yarn;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/**
 * What an error of YARN's client means to the job.
 *
 * <p>After an error of a heartbeat the client goes on with the next one, which repeats the requests. So nothing is lost where the
 * ResourceManager was away for longer than the client waits, or where it refuses a container that no node is large enough
 * for until a lost one is back. Any other error ends the thread that calls back.
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
