package io.optimus.am.ps;

import io.optimus.am.wire.CheckpointClient;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves a server's shard, one copy after the other. One copy is on its way and one waits at most, however slow the
 * file system is: a later one takes the place of the one that waits.
 */
final class SaveQueue implements ShardSaver, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SaveQueue.class);
    /** A leaving server finishes what it saves; no longer than this. */
    private static final long LAST_SAVE_SECONDS = 60;

    private final Target target;
    private final Consequence failed;
    private final ExecutorService saving = Executors.newSingleThreadExecutor(DaemonThreads.named("save"));
    private final AtomicReference<@Nullable Copy> waiting = new AtomicReference<>();
    private volatile boolean busy;

    /** A shard as it was before {@code step} of membership {@code number}. */
    record Copy(Shard shard, MembershipNumber number, long step) {}

    /** Where copies are saved. */
    interface Target {
        /** Until it is saved. */
        void save(Copy copy) throws IOException;
    }

    /** What follows when one cannot be saved. */
    interface Consequence {
        /** Hears why. */
        void notSaved(Copy copy, IOException cause);
    }

    SaveQueue(Target target, Consequence failed) {
        this.target = target;
        this.failed = failed;
    }

    /** Saves at the coordinator, which is told what cannot be saved. */
    static SaveQueue at(CoordinatorConnection link) {
        return new SaveQueue(
                copy -> CheckpointClient.save(
                        link, copy.number, copy.step, copy.shard.stateSlots(), copy.shard.ranges(), copy.shard::write),
                (copy, cause) -> {
                    LOG.warn("shard not saved step={} cause={}", copy.step, cause.toString());
                    String reason = "its shard before step " + copy.step + " is not saved: " + cause.getMessage();
                    ShardTransfers.tellSoon(link, new Message.NotDone(copy.number, link.self(), reason));
                });
    }

    @Override
    public void save(Shard shard, MembershipNumber number, long step) {
        Copy skipped = waiting.getAndSet(new Copy(shard, number, step));
        if (skipped == null) {
            saving.execute(this::saveNext);
        } else {
            LOG.info("save skipped step={} instead={}", skipped.step, step);
        }
    }

    @Override
    public boolean isBusy() {
        return busy || waiting.get() != null;
    }

    private void saveNext() {
        busy = true;
        Copy next = waiting.getAndSet(null);
        if (next != null) {
            try {
                target.save(next);
            } catch (IOException e) {
                failed.notSaved(next, e);
            }
        }
        busy = false;
    }

    /** Waits for what is being saved. */
    void finish() {
        saving.shutdown();
        try {
            if (!saving.awaitTermination(LAST_SAVE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("left before the last checkpoint was saved seconds={}", LAST_SAVE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        saving.shutdownNow();
    }
}
