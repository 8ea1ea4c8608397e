package io.optimus.am.worker;

import io.optimus.am.engine.GroupEngine;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.files.CheckpointClient;
import java.io.Closeable;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves the state of a group, on its first worker: before each multiple of a number of steps, and when the coordinator
 * asks. The engine is asked ahead of the step, copies the state before it, and steps on while the copy is sent. At most
 * one copy is asked for or sent at a time. A step that comes meanwhile is not saved.
 */
final class GroupSaves implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupSaves.class);
    private static final long NONE = -1;

    private final GroupEngine engine;
    private final CoordinatorConnection coordinator;
    private final long everySteps;
    private final ExecutorService sending = Executors.newSingleThreadExecutor(DaemonThreads.named("save"));
    private MembershipNumber number = new MembershipNumber(0, 0);
    private boolean first;
    /** The step before which the engine was asked for a copy. */
    private long asked = NONE;

    private boolean busy;

    GroupSaves(GroupEngine engine, CoordinatorConnection coordinator, long everySteps) {
        this.engine = engine;
        this.coordinator = coordinator;
        this.everySteps = everySteps;
    }

    /** A membership begins with {@code step}; its first worker saves. */
    synchronized void begin(MembershipNumber membership, boolean isFirst, long step) {
        number = membership;
        first = isFirst;
        asked = NONE;
        askNext(step);
    }

    /** The next step is {@code step}. */
    synchronized void reached(long step) {
        if (asked != NONE && asked < step) {
            // The order came too late.
            asked = NONE;
        }
        askNext(step);
    }

    private void askNext(long step) {
        if (first && !busy && asked == NONE) {
            // The step in flight is step itself, before which a copy may be too late.
            ask((step / everySteps + 1) * everySteps);
        }
    }

    /** Saves the state before {@code step}, unless that is over. */
    synchronized void order(MembershipNumber membership, long step) {
        number = membership;
        if (asked == NONE || step < asked) {
            ask(step);
        }
    }

    private void ask(long step) {
        asked = step;
        engine.save(step);
    }

    /** The engine's memory holds the state before {@code step}, though a later membership may have another first worker. */
    synchronized void copied(long step) {
        if (step != asked) {
            engine.taken();
            return;
        }
        asked = NONE;
        busy = true;
        MembershipNumber of = number;
        sending.execute(() -> send(of, step));
    }

    private void send(MembershipNumber of, long step) {
        FloatBuffer memory = engine.memory();
        Ranges all = new Ranges(List.of(new Range(0, memory.capacity())));
        try {
            boolean saved = CheckpointClient.save(
                    coordinator,
                    of,
                    step,
                    0,
                    all,
                    (range, out) -> out.put(memory.slice(range.offset(), range.length())));
            if (!saved) {
                LOG.info("state not saved, since the store failed step={}", step);
            }
        } catch (IOException e) {
            LOG.warn("state not saved step={} cause={}", step, e.toString());
            coordinator.send(new Message.NotDone(
                    of, coordinator.self(), "the state before step " + step + " is not saved: " + e.getMessage()));
        }
        synchronized (this) {
            busy = false;
            notifyAll();
        }
        engine.taken();
    }

    /** Waits until no copy is being sent, so that the memory may be written. */
    synchronized void awaitSent() throws InterruptedException {
        while (busy) {
            wait();
        }
    }

    @Override
    public void close() {
        sending.shutdownNow();
    }
}
