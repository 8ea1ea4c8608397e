package io.optimus.am.wire;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Calls another process again where the call fails: its port may be crowded by strangers, or it may have just begun. */
final class Calls {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private Calls() {}

    /** Connects, and proves who calls. */
    @FunctionalInterface
    interface Call<C> {
        C connect() throws IOException;
    }

    /**
     * Calls until a call succeeds.
     *
     * @param limit no call begins after this time
     * @param mayPass whether a failure may pass; a refusal never does
     * @throws IOException the last failure
     */
    static <C> C repeat(Duration limit, Predicate<IOException> mayPass, Call<C> call) throws IOException {
        long beganNanos = System.nanoTime();
        long pause = FIRST_PAUSE_NANOS;
        while (true) {
            try {
                return call.connect();
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                if (!mayPass.test(e) || System.nanoTime() - beganNanos + pause > limit.toNanos()) {
                    throw e;
                }
                sleep(pause, e);
                pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            }
        }
    }

    private static void sleep(long nanos, IOException why) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException ended = new InterruptedIOException("ended before it was connected");
            ended.addSuppressed(why);
            throw ended;
        }
    }
}
