package io.optimus.am.ps;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.Applied;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.ShardChannel;
import io.optimus.am.wire.ShardHeader;
import io.optimus.am.wire.ShardHeader.Kind;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Optional;

/**
 * Where workers' pushes meet the shard. Knows one membership at a time: what carries an older number is refused, what
 * carries a newer one waits until this server has been placed in that. One lock, this; connections wait on it.
 *
 * <pre>
 * unplaced (number) ── shard complete ──→ placed (number) ── fence or place (newer) ──→ unplaced (newer)
 * </pre>
 *
 * <p>The shard of the membership before is kept until the first update of the one that follows: when a server that
 * joins is lost before that, shards can be dealt anew from where they were, and no step is lost.
 */
abstract sealed class GradientAggregator permits SynchronousAggregator, AsynchronousAggregator {
    private static final MembershipNumber NO_MEMBERSHIP = new MembershipNumber(0, 0);

    private final UpdateRule rule;
    private final Shard nothing;
    /** What is served, or was until the fence. */
    protected Shard shard;
    /** Next step; steps applied. */
    protected long step;

    protected int workers;
    private final StepLog log = new StepLog();
    private MembershipNumber number = NO_MEMBERSHIP;
    /** The membership that {@link #shard} is of. */
    private MembershipNumber shardNumber = NO_MEMBERSHIP;
    /** What was held in {@link #baseNumber}, which the current placement began with. */
    private Shard base;

    private MembershipNumber baseNumber = NO_MEMBERSHIP;
    private boolean placed;
    private boolean reports;
    private Shard arriving;
    private int missing;

    GradientAggregator(UpdateRule rule) {
        this.rule = rule;
        this.nothing = new Shard(Ranges.NONE, Ranges.NONE, rule);
        this.shard = nothing;
        this.base = nothing;
        this.arriving = nothing;
    }

    /** Takes a gradient; the frame to answer with. May wait for other workers. */
    abstract ByteBuffer push(ShardChannel channel, TaskId worker, ShardHeader push, FloatBuffer gradient)
            throws IOException, InterruptedException;

    /** Whoever waits is refused: the membership has ended. */
    abstract void giveUpStep();

    /** Takes back what only some servers have applied. */
    abstract void goBackTo(long toStep) throws IOException;

    /** Answers with all parameters, once the membership of {@code pull} is placed. */
    final synchronized ByteBuffer pull(ShardChannel channel, ShardHeader pull) throws InterruptedException {
        return comesInTime(pull) ? parameters(channel) : refused(channel);
    }

    /** Refuses everything older than {@code newer}; steps applied. */
    final synchronized long fence(MembershipNumber newer) {
        if (number.isOlderThan(newer)) {
            number = newer;
            placed = false;
            giveUpStep();
            notifyAll();
        }
        return step;
    }

    /**
     * Begins a placement; it is complete when nothing is missing.
     *
     * @return the shard as it was, for what has to be sent away
     */
    final synchronized Shard place(Place order) throws IOException {
        fence(order.number());
        boolean restore = !order.checkpoint().isEmpty();
        if (restore) {
            log.drain(number);
        }
        Shard before = restore ? nothing : heldIn(order.base());
        if (order.step() >= 0 && !before.ranges().isEmpty()) {
            goBackTo(order.step());
        }
        base = before;
        baseNumber = order.base();
        arriving = before;
        if (restore || !before.ranges().equals(order.hold())) {
            arriving = new Shard(order.hold(), order.statistics(), rule);
            arriving.copyFrom(before);
        }
        missing = order.hold().floats() - order.hold().and(before.ranges()).floats();
        step = order.step() >= 0 ? order.step() : step;
        workers = order.workers();
        reports = order.reports();
        return before;
    }

    private Shard heldIn(MembershipNumber membership) {
        if (membership.equals(shardNumber)) {
            return shard;
        }
        return membership.equals(baseNumber) ? base : nothing;
    }

    /** One more step is applied: there is no way back behind the membership's beginning. */
    protected final void applied(double loss) {
        log.add(step, loss);
        step++;
        base = nothing;
        baseNumber = NO_MEMBERSHIP;
    }

    /** Waits until the placement {@code of} has begun or is superseded. */
    final synchronized void awaitPlacement(MembershipNumber of) throws InterruptedException {
        while (number.isOlderThan(of)) {
            wait();
        }
    }

    /** A part of the shard has come; nobody's if the placement that it belongs to is superseded. */
    final synchronized void arrived(MembershipNumber of, Range range, FloatBuffer floats, long senderStep) {
        if (!placed && number.equals(of)) {
            arriving.read(range, floats);
            missing -= range.length();
            step = Math.max(step, senderStep);
        }
    }

    /** Serves the membership if its shard is complete and it is still the newest; whether it does from now on. */
    final synchronized boolean open(MembershipNumber of) {
        if (placed || missing > 0 || !number.equals(of)) {
            return false;
        }
        shard = arriving;
        shardNumber = of;
        placed = true;
        notifyAll();
        return true;
    }

    /** Applied steps that were not reported yet; those of a server that does not report are dropped. */
    final synchronized Optional<Applied> unreported() {
        return log.drain(number).filter(applied -> reports);
    }

    /** A copy of the shard for saving. */
    final synchronized Shard frozen() {
        return shard.frozen();
    }

    final int stateSlots() {
        return rule.stateSlots();
    }

    final synchronized long step() {
        return step;
    }

    /** Waits while {@code request} is ahead of us; false: it is superseded. Call with the lock. */
    protected final boolean comesInTime(ShardHeader request) throws InterruptedException {
        while (number.isOlderThan(request.number()) || (number.equals(request.number()) && !placed)) {
            wait();
        }
        return number.equals(request.number());
    }

    protected final ByteBuffer parameters(ShardChannel channel) {
        ByteBuffer frame = channel.begin(ShardHeader.plain(Kind.PARAMETERS, number, step, shard.floats()));
        shard.parametersInto(frame.asFloatBuffer());
        return frame.position(0);
    }

    protected final ByteBuffer refused(ShardChannel channel) {
        return channel.begin(ShardHeader.plain(Kind.REFUSED, number, step, 0)).position(0);
    }

    protected final MembershipNumber number() {
        return number;
    }
}
