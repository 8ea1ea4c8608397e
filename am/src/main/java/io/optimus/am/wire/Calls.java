package io.optimus.am.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;

/** Calls another process again where the call fails: its port may be crowded by strangers, or it may have just begun. */
public final class Calls {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private Calls() {}

    /** Connects, and proves who calls. */
    @FunctionalInterface
    public interface Call<C> {
        C connect() throws IOException;
    }

    /**
     * Calls until a call succeeds.
     *
     * @param limit no call begins after this time
     * @param mayPass whether a failure may pass; a refusal never does
     * @throws IOException the last failure
     */
    public static <C> C repeat(Duration limit, Predicate<IOException> mayPass, Call<C> call) throws IOException {
        long beganNanos = System.nanoTime();
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            try {
                return call.connect();
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                long pause = backoff.next();
                if (!mayPass.test(e) || System.nanoTime() - beganNanos + pause > limit.toNanos()) {
                    throw e;
                }
                Backoff.sleep(pause, "ended before it was connected");
            }
        }
    }
}
