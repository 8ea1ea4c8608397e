package io.optimus.am.ps;

import io.optimus.am.wire.CheckpointClient;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Message.Transfer;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.ShardChannel;
import io.optimus.am.wire.ShardHeader;
import io.optimus.am.wire.ShardHeader.Kind;
import io.optimus.am.wire.TaskId;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a placement asks of one server: sends away what others hold from now on, loads what comes from a
 * checkpoint. The coordinator is told what fails, and places anew.
 */
final class ShardTransfers implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardTransfers.class);
    /** A task that is gone is known to be gone by then, so that not everything is tried with it again. */
    private static final long TELL_AFTER_MILLIS = 1_000;

    private final CoordinatorConnection link;
    private final Consumer<Throwable> broken;
    private final ExecutorService moving = Executors.newCachedThreadPool(DaemonThreads.named("move"));

    /** Over {@code link}; {@code broken} hears of what no server should go on after. */
    ShardTransfers(CoordinatorConnection link, Consumer<Throwable> broken) {
        this.link = link;
        this.broken = broken;
    }

    /** In the background; {@code done} runs when everything is sent and loaded. */
    void begin(Place order, Shard before, GradientAggregator desk, Runnable done) {
        moving.execute(() -> {
            try {
                if (move(order, before, desk)) {
                    done.run();
                }
            } catch (RuntimeException | Error e) {
                broken.accept(e);
            }
        });
    }

    private boolean move(Place order, Shard before, GradientAggregator desk) {
        TaskId with = link.self();
        try {
            for (Transfer transfer : order.sends()) {
                with = transfer.to().task();
                send(transfer, order, before, desk.step());
            }
            with = link.self();
            if (!order.checkpoint().isEmpty()) {
                load(order, desk);
            }
            return true;
        } catch (IOException e) {
            LOG.warn("shard not placed membership={} with={} cause={}", order.number(), with, e.toString());
            String what = with.equals(link.self())
                    ? "it cannot load " + order.checkpoint()
                    : "it cannot send its shard to " + with;
            tellSoon(link, new Message.NotDone(order.number(), with, what + ": " + e.getMessage()));
            return false;
        }
    }

    private void send(Transfer transfer, Place order, Shard from, long step) throws IOException {
        try (ShardChannel channel =
                ShardChannel.call(transfer.to(), link.self(), link.environment().secret())) {
            for (Range range : transfer.ranges().list()) {
                int floats = Math.multiplyExact(1 + from.stateSlots(), range.length());
                ShardHeader header =
                        new ShardHeader(Kind.MOVE, false, order.number(), step, range.offset(), 0, 1, 0, floats);
                from.write(range, channel.begin(header).asFloatBuffer());
                channel.send();
            }
        }
    }

    private void load(Place order, GradientAggregator desk) throws IOException {
        CheckpointClient.load(link, order.checkpoint(), (part, slots) -> {
            Ranges wanted = order.hold().and(new Ranges(List.of(part.range())));
            for (Range range : wanted.list()) {
                desk.arrived(order.number(), range, part.of(range, slots), order.step());
            }
        });
    }

    /** Waits for a moment, then tells. */
    static void tellSoon(CoordinatorConnection link, Message.NotDone what) {
        try {
            TimeUnit.MILLISECONDS.sleep(TELL_AFTER_MILLIS);
            link.send(what);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        moving.shutdownNow();
    }
}
