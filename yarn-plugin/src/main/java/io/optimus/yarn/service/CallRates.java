package io.optimus.yarn.service;

import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Limits how often each application may do something, by token buckets. A job reports every few seconds, and
 * registers once and after each failover. The limits are far above that, so only a broken or hostile ApplicationMaster meets
 * them.
 *
 * <p>Thread-safe. Remembers an application only until its bucket is full again.
 */
final class CallRates {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How often full buckets are dropped; a call never waits for more than one such look at all of them. */
    private static final long CLEANING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<ApplicationId, Bucket> buckets = new ConcurrentHashMap<>();
    private final AtomicLong cleanedNanos;
    private final double perSecond;
    private final double burst;
    private final LongSupplier nanos;

    /**
     * A limit.
     *
     * @param perSecond calls per second that are admitted for long, above 0
     * @param burst calls that are admitted at once, 1 or more
     * @param nanos a clock that never goes back
     */
    CallRates(double perSecond, double burst, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanos = nanos;
        this.cleanedNanos = new AtomicLong(nanos.getAsLong());
    }

    /**
     * The calls that an application has left.
     *
     * @param calls at {@code atNanos}, from 0 to the burst
     */
    private record Bucket(double calls, long atNanos) {}

    /**
     * Counts a call of {@code application}.
     *
     * @throws TrainingRefusedException if it calls too often
     */
    void admit(ApplicationId application) throws TrainingRefusedException {
        if (!admits(application)) {
            throw new TrainingRefusedException(
                    Reason.TOO_OFTEN,
                    application + " calls more than " + perSecond
                            + " times a second. Remedy: wait a second, and call at the"
                            + " report interval of the replies");
        }
    }

    /** Counts a call of {@code application}, and returns whether it is within the limit. */
    boolean admits(ApplicationId application) {
        long now = nanos.getAsLong();
        dropFullBuckets(now);
        boolean[] admitted = new boolean[1];
        buckets.compute(application, (id, known) -> {
            double calls = known == null ? burst : calls(known, now);
            admitted[0] = calls >= 1;
            return new Bucket(admitted[0] ? calls - 1 : calls, now);
        });
        return admitted[0];
    }

    private void dropFullBuckets(long now) {
        long cleaned = cleanedNanos.get();
        if (now - cleaned >= CLEANING_NANOS && cleanedNanos.compareAndSet(cleaned, now)) {
            buckets.values().removeIf(bucket -> calls(bucket, now) >= burst);
        }
    }

    /** The number of applications that are remembered. */
    int size() {
        return buckets.size();
    }

    private double calls(Bucket bucket, long now) {
        return Math.min(burst, bucket.calls() + (now - bucket.atNanos()) / NANOS * perSecond);
    }
}
