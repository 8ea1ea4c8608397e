package io.optimus.am.ps;

import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Message.Transfer;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.files.CheckpointClient;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a placement on one server: sends the parts of its shard that other servers hold from now on, and loads
 * parts from a checkpoint. The coordinator is told of failures, and places anew.
 */
final class ShardTransfers implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardTransfers.class);
    /** By then the coordinator knows whether the other task is gone, and does not repeat everything with it. */
    private static final long TELL_AFTER_MILLIS = 1_000;

    private final CoordinatorConnection coordinator;
    private final Consumer<Throwable> broken;
    private final ExecutorService transferring = Executors.newCachedThreadPool(DaemonThreads.named("transfer"));
    private final ExecutorService preparing = Executors.newSingleThreadExecutor(DaemonThreads.named("prepare"));

    /** Reports to {@code coordinator}; {@code broken} is called on fatal errors. */
    ShardTransfers(CoordinatorConnection coordinator, Consumer<Throwable> broken) {
        this.coordinator = coordinator;
        this.broken = broken;
    }

    /** Begins in the background; {@code done} runs when everything is sent, copied and loaded. */
    void begin(Place order, Shard before, GradientAggregator aggregator, Runnable done) {
        transferring.execute(() -> {
            try {
                if (transfer(order, before, aggregator)) {
                    done.run();
                }
            } catch (RuntimeException | Error e) {
                broken.accept(e);
            }
        });
    }

    /** Makes room for a later placement, while training goes on. */
    void prepare(Message.Prepare order, GradientAggregator aggregator) {
        preparing.execute(() -> {
            try {
                aggregator.prepare(order.number(), order.hold(), order.updates());
                coordinator.send(new Message.Prepared(order.number()));
            } catch (RuntimeException | Error e) {
                broken.accept(e);
            }
        });
    }

    private boolean transfer(Place order, Shard before, GradientAggregator aggregator) {
        TaskId with = coordinator.self();
        CompletableFuture<Void> kept = CompletableFuture.runAsync(() -> aggregator.keep(order.number()), transferring);
        try {
            for (Transfer transfer : order.sends()) {
                with = transfer.to().task();
                send(transfer, order, before, aggregator.step());
            }
            with = coordinator.self();
            if (!order.checkpoint().isEmpty()) {
                load(order, aggregator);
            }
            kept.join();
            return true;
        } catch (IOException e) {
            LOG.warn("shard not placed membership={} with={} cause={}", order.number(), with, e.toString());
            String what = with.equals(coordinator.self())
                    ? "it cannot load " + order.checkpoint()
                    : "it cannot send its shard to " + with;
            reportSoon(coordinator, new Message.NotDone(order.number(), with, what + ": " + e.getMessage()));
            return false;
        }
    }

    private void send(Transfer transfer, Place order, Shard from, long step) throws IOException {
        try (ShardChannel channel = ShardChannel.call(transfer.to(), coordinator.environment())) {
            for (Range range : transfer.ranges().list()) {
                for (Range part : range.parts(ShardChannel.SENT_FLOATS)) {
                    int floats = (1 + from.stateSlots()) * part.length();
                    ShardHeader header =
                            new ShardHeader(Kind.MOVE, false, order.number(), step, part.offset(), 0, 1, 0, floats);
                    from.write(part, channel.begin(header).asFloatBuffer());
                    channel.send();
                }
            }
        }
    }

    private void load(Place order, GradientAggregator aggregator) throws IOException {
        CheckpointClient.load(
                coordinator,
                order.checkpoint(),
                order.hold(),
                (part, slots) -> aggregator.arrived(order.number(), part.range(), part.floats(), order.step()));
    }

    /** Waits for a moment, then reports. */
    static void reportSoon(CoordinatorConnection coordinator, Message.NotDone what) {
        try {
            TimeUnit.MILLISECONDS.sleep(TELL_AFTER_MILLIS);
            coordinator.send(what);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        transferring.shutdownNow();
        preparing.shutdownNow();
    }
}
