package io.optimus.am.ps;

import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.PushedFloats;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardFormat;
import io.optimus.am.wire.shards.ShardHeader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies every push at once, as an update of its own. A push that was applied and whose answer was lost is answered
 * again, and not applied again.
 *
 * <p>Servers do not wait for each other. A worker that dies while it pushes leaves its gradient only on the servers that it
 * had reached. That updates a part of the parameters. It is as valid as the stale updates of asynchronous training, so it
 * is not taken back. A step counts as done when the server that reports has applied it. Where the coordinator decides
 * whether training goes on, that server applies nothing before the decision; the others may apply one more push of each
 * worker.
 */
final class AsynchronousAggregator extends GradientAggregator {
    private final Map<TaskId, Long> lastStepOf = new HashMap<>();
    /** The membership that applies nothing more. */
    private @Nullable MembershipNumber ended;

    AsynchronousAggregator(WireFormat wireFormat) {
        super(wireFormat);
    }

    @Override
    void push(ShardChannel channel, TaskId worker, ShardHeader push, Runnable applied)
            throws IOException, InterruptedException {
        ShardFormat admitted = admit(worker, push);
        if (admitted == null) {
            channel.skipFloats(push);
            channel.write(refused(channel));
            return;
        }
        PushedFloats floats = channel.beginPush(push, admitted);
        channel.readPart(0);
        apply(worker, push, floats);
        applied.run();
        answer(channel, push);
    }

    /** Returns the format of the push; null if it is refused. */
    private synchronized @Nullable ShardFormat admit(TaskId worker, ShardHeader push)
            throws IOException, InterruptedException {
        if (!comesInTime(push)) {
            return null;
        }
        if (!fits(push)) {
            throw new IOException(worker + " pushed " + push.words() + " words where " + shard.floats()
                    + " floats are held: membership and push disagree");
        }
        return format();
    }

    /** Does nothing if the push was applied before, or if its membership is superseded or applies nothing more. */
    private synchronized void apply(TaskId worker, ShardHeader push, PushedFloats floats) throws InterruptedException {
        Long last = lastStepOf.get(worker);
        if (last != null && last >= push.step()) {
            return;
        }
        while (number().equals(push.number()) && awaitsDecision() && !hasEnded()) {
            wait();
        }
        if (!number().equals(push.number()) || hasEnded()) {
            return;
        }
        lastStepOf.put(worker, push.step());
        shard.applyInPlace(new StepGradient.OfOne(floats), step + 1, floats.settings(), 1f / workers);
        applied(push.loss());
    }

    @Override
    boolean hasEnded() {
        return number().equals(ended);
    }

    /** Pushes of this membership are not applied any more, and their workers are told to stop. */
    synchronized void end(MembershipNumber of) {
        ended = of;
        notifyAll();
    }

    @Override
    void giveUpStep() {
        // No push waits for another one.
    }

    @Override
    void goBackTo(long toStep) {
        // Updates on some servers only are part of asynchronous training.
    }
}
