package io.optimus.am.ps;

import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.files.CheckpointClient;
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
 * Saves copies of a server's shard, one after the other. However slow the file system is, at most one copy is being
 * saved and one waits: a later copy replaces the one that waits.
 */
final class SaveQueue implements SynchronousAggregator.ShardSaver, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SaveQueue.class);
    /** The longest time that a leaving server goes on saving. */
    private static final long LAST_SAVE_SECONDS = 60;

    private final Target target;
    private final FailureListener failed;
    private final ExecutorService saving = Executors.newSingleThreadExecutor(DaemonThreads.named("save"));
    private final AtomicReference<@Nullable Copy> waiting = new AtomicReference<>();
    private volatile boolean busy;

    /** A shard before {@code step} of membership {@code number}. */
    record Copy(Shard shard, MembershipNumber number, long step) {}

    /** Saves copies. */
    interface Target {
        /** Returns when the copy is saved. */
        void save(Copy copy) throws IOException;
    }

    /** Receives failures. */
    interface FailureListener {
        /** The copy could not be saved. */
        void notSaved(Copy copy, IOException cause);
    }

    SaveQueue(Target target, FailureListener failed) {
        this.target = target;
        this.failed = failed;
    }

    /** Saves through the coordinator, which is told of failures. */
    static SaveQueue at(CoordinatorConnection coordinator) {
        return new SaveQueue(
                copy -> {
                    if (!CheckpointClient.save(
                            coordinator,
                            copy.number,
                            copy.step,
                            copy.shard.stateSlots(),
                            copy.shard.ranges(),
                            copy.shard::write)) {
                        LOG.info("shard not saved, since the store failed step={}", copy.step);
                    }
                },
                (copy, cause) -> {
                    LOG.warn("shard not saved step={} cause={}", copy.step, cause.toString());
                    String reason = "its shard before step " + copy.step + " is not saved: " + cause.getMessage();
                    ShardTransfers.reportSoon(
                            coordinator, new Message.NotDone(copy.number, coordinator.self(), reason));
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
        save(waiting.getAndSet(null));
        busy = false;
    }

    /** Nothing refers to the copy when this returns, so that the next one may take its memory. */
    private void save(@Nullable Copy next) {
        if (next != null) {
            try {
                target.save(next);
            } catch (IOException e) {
                failed.notSaved(next, e);
            }
        }
    }

    /** Waits until all copies are saved. */
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
