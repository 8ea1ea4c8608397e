package io.optimus.am.ps;

import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.Applied;
import io.optimus.am.wire.Message.AtDecision;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.Updates;
import io.optimus.am.wire.shards.Parts;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardFormat;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Applies the workers' gradients to the shard. Knows one membership at a time: a request of an older one is refused, and
 * a request of a newer one waits until this server is placed in it. The only lock is this object, on which connections
 * wait.
 *
 * <pre>
 * unplaced (number) ── shard complete ──→ placed (number) ── fence or place (newer) ──→ unplaced (newer)
 * </pre>
 *
 * <p>The shard of the membership before is kept until the first update of the next one. If a joining server is lost
 * before that, the shards are placed anew from the servers that held them, and no step is lost.
 */
abstract sealed class GradientAggregator permits SynchronousAggregator, AsynchronousAggregator {
    private static final MembershipNumber NO_MEMBERSHIP = new MembershipNumber(0, 0);

    private final WireFormat wireFormat;
    private final Shard nothing = new Shard(Ranges.NONE, Updates.NONE);
    /** The shard that is served, or was served until the fence. */
    protected Shard shard = nothing;

    private ShardFormat format;
    /** The next step, which is the number of applied steps. */
    protected long step;

    protected int workers;
    private final StepLog log = new StepLog();
    private MembershipNumber number = NO_MEMBERSHIP;
    /** The membership of {@link #shard}. */
    private MembershipNumber shardNumber = NO_MEMBERSHIP;
    /** The shard in membership {@link #baseNumber}, from which the current placement began. */
    private Shard base = nothing;

    private MembershipNumber baseNumber = NO_MEMBERSHIP;
    private boolean placed;
    /** Whether a checkpoint is loaded. The shard, which is older, does not belong to {@link #step} any more. */
    private boolean restoring;

    private boolean reports;
    /** The step before which the coordinator decides whether training goes on. */
    private long decision;

    private boolean toldOfDecision;
    /** Made for the next placement, before the pause in which parameters move. */
    private Shard prepared = nothing;

    private Shard arriving = nothing;
    private ShardFormat arrivingFormat;
    private int missing;

    GradientAggregator(WireFormat wireFormat) {
        this.wireFormat = wireFormat;
        this.format = ShardFormat.plain(Ranges.NONE);
        this.arrivingFormat = format;
    }

    /**
     * Reads the floats of a push and answers it. May wait for other workers. If the worker's program sets learning rates and weight
     * decays, those of each parameter group come first; then comes the gradient.
     *
     * @param applied runs before the worker has the whole answer: when the step is applied, or is known not to be
     */
    abstract void push(ShardChannel channel, TaskId worker, ShardHeader push, Runnable applied)
            throws IOException, InterruptedException;

    /** Refuses the pushes that wait, since the membership has ended. */
    abstract void giveUpStep();

    /** Takes back a step that only some servers have applied. */
    abstract void goBackTo(long toStep) throws IOException;

    /** Whether workers are told to stop. */
    boolean hasEnded() {
        return false;
    }

    /**
     * Answers a request with all parameters, part by part, once its membership is placed; refuses once that is superseded. Other
     * asynchronous workers' updates may come between two parts, as they may between two servers. A pull gets the parameters as they
     * are.
     */
    final void answer(ShardChannel channel, ShardHeader request) throws IOException, InterruptedException {
        int from = -1;
        do {
            ByteBuffer frame;
            synchronized (this) {
                boolean inTime = comesInTime(request);
                ShardFormat written = request.kind() == Kind.PULL ? ShardFormat.plain(shard.ranges()) : format;
                Parts parts = written.parts();
                int first = from < 0 ? parts.first() : from;
                int end = Math.min(first + ShardChannel.SENT_FLOATS, parts.end(first));
                frame = inTime ? parameters(channel, written, first, end) : refused(channel);
                from = inTime ? parts.next(end) : -1;
            }
            channel.write(frame);
        } while (from >= 0);
    }

    /** Refuses requests older than {@code newer} from now on. Returns the number of applied steps. */
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
     * Begins a placement, which is complete when no float is missing. What stays here is missing, too, until {@link #keep} has
     * copied it, unless all of the shard stays and nothing else comes.
     *
     * @return the shard as it was, from which others get their parts
     */
    final synchronized Shard place(Place order) throws IOException {
        fence(order.number());
        boolean anew = !order.checkpoint().isEmpty() || order.updates().onWorkers();
        if (anew) {
            log.drain(number);
        }
        Shard before = anew ? nothing : heldIn(order.base());
        if (order.step() >= 0 && !before.ranges().isEmpty()) {
            goBackTo(order.step());
        }
        restoring = anew;
        base = before;
        baseNumber = order.base();
        arriving = before;
        if (anew || !before.ranges().equals(order.hold())) {
            if (!prepared.fits(order.hold(), order.updates())) {
                // Memory has no room for both.
                prepared = nothing;
                prepared = new Shard(order.hold(), order.updates());
            }
            arriving = prepared;
        }
        prepared = nothing;
        arrivingFormat =
                ShardFormat.of(wireFormat, order.hold(), order.updates().parameters());
        missing = order.updates().onWorkers() || arriving.equals(before)
                ? 0
                : order.hold().floats();
        step = order.step() >= 0 ? order.step() : step;
        workers = order.workers().size();
        reports = order.reports();
        decision = 0;
        toldOfDecision = false;
        return before;
    }

    /** The memberships whose shards are held, so that the next one can be placed from either. */
    final synchronized List<MembershipNumber> held() {
        if (restoring) {
            return List.of();
        }
        return Stream.of(shardNumber, baseNumber)
                .filter(membership -> !heldIn(membership).equals(nothing))
                .distinct()
                .toList();
    }

    /**
     * Makes room for what a placement later than membership {@code of} may bring; does nothing if one has begun. The room is kept
     * until the next placement. Called by one thread.
     */
    final void prepare(MembershipNumber of, Ranges hold, Updates updates) {
        synchronized (this) {
            prepared = nothing;
            if (!number.isOlderThan(of)) {
                return;
            }
        }
        Shard room = new Shard(hold, updates);
        synchronized (this) {
            if (number.isOlderThan(of)) {
                prepared = room;
            }
        }
    }

    /** Copies what stays here into the shard of membership {@code of}, while other parts arrive and leave. */
    final void keep(MembershipNumber of) {
        Shard from;
        Shard to;
        synchronized (this) {
            if (placed || restoring || !number.equals(of) || arriving.equals(base)) {
                return;
            }
            from = base;
            to = arriving;
        }
        to.copyFrom(from);
        synchronized (this) {
            if (number.equals(of)) {
                missing -= to.ranges().and(from.ranges()).floats();
            }
        }
    }

    private Shard heldIn(MembershipNumber membership) {
        if (membership.equals(shardNumber)) {
            return shard;
        }
        return membership.equals(baseNumber) ? base : nothing;
    }

    /** One more step is applied. There is no way back to the membership before. */
    protected final void applied(double loss) {
        log.add(step, loss);
        step++;
        base = nothing;
        baseNumber = NO_MEMBERSHIP;
    }

    /** Waits until the placement for membership {@code of} has begun or is superseded. */
    final synchronized void awaitPlacement(MembershipNumber of) throws InterruptedException {
        while (number.isOlderThan(of)) {
            wait();
        }
    }

    /** A part of the shard has arrived. It is dropped if its placement is superseded. */
    final synchronized void arrived(MembershipNumber of, Range range, FloatBuffer floats, long senderStep) {
        if (!placed && number.equals(of)) {
            arriving.read(range, floats);
            missing -= range.length();
            step = Math.max(step, senderStep);
        }
    }

    /**
     * Begins to serve membership {@code of} if the shard is complete and no newer membership is known. Returns whether it
     * does.
     */
    final synchronized boolean open(MembershipNumber of) {
        if (placed || missing > 0 || !number.equals(of)) {
            return false;
        }
        shard = arriving;
        format = arrivingFormat;
        shardNumber = of;
        placed = true;
        restoring = false;
        notifyAll();
        return true;
    }

    /** Returns the applied steps that were not reported yet. Those of a server that does not report are dropped. */
    final synchronized Optional<Applied> unreported() {
        return log.drain(number).filter(applied -> reports);
    }

    /** Whether this server waits for a decision that its workers have to wait for. Call with the lock. */
    protected final boolean awaitsDecision() {
        return reports && step >= decision;
    }

    /** The decision that is due now, once for each; empty on servers that do not report. */
    final synchronized Optional<AtDecision> dueDecision() {
        if (!placed || toldOfDecision || !awaitsDecision()) {
            return Optional.empty();
        }
        toldOfDecision = true;
        return Optional.of(new AtDecision(number, step));
    }

    /** It is decided that membership {@code of} goes on, and that the next decision is due before {@code next}. */
    final synchronized void goOn(MembershipNumber of, long next) {
        if (number.equals(of)) {
            decision = next;
            toldOfDecision = false;
            notifyAll();
        }
    }

    /** Returns a copy of the shard for saving. */
    final synchronized Shard frozen() {
        return shard.frozen();
    }

    /** The number of floats of state per parameter, once a placement has begun. */
    final synchronized int stateSlots() {
        return arriving.stateSlots();
    }

    final synchronized long step() {
        return step;
    }

    /** Waits until the membership of {@code request} is placed. Returns false if it is superseded. Call with the lock. */
    protected final boolean comesInTime(ShardHeader request) throws InterruptedException {
        while (number.isOlderThan(request.number()) || (number.equals(request.number()) && !placed)) {
            wait();
        }
        return number.equals(request.number());
    }

    /** Whether a push has a gradient for the shard, and settings for all parameter groups or for none. */
    protected final boolean fits(ShardHeader push) {
        int settings = push.words() - format.words();
        return settings == 0 || settings == 2 * shard.groups();
    }

    /** How the floats of {@link #shard} are written. */
    protected final ShardFormat format() {
        return format;
    }

    /** Parameters [from, to) of the shard in a frame. */
    private ByteBuffer parameters(ShardChannel channel, ShardFormat written, int from, int to) {
        ByteBuffer frame = channel.begin(new ShardHeader(
                Kind.PARAMETERS, hasEnded(), number, step, from, to - from, 1, 0, written.words(from, to)));
        written.write(from, to, shard.parameters(), from, frame);
        return frame.position(0);
    }

    protected final ByteBuffer refused(ShardChannel channel) {
        return channel.begin(ShardHeader.plain(Kind.REFUSED, number, step, 0)).position(0);
    }

    protected final MembershipNumber number() {
        return number;
    }

    /** Applied steps that the coordinator has not been told of yet. */
    private static final class StepLog {
        private double[] losses = new double[64];
        private int count;
        private long first;
        private long nanos;

        void add(long step, double loss) {
            if (count == 0) {
                first = step;
            }
            if (count == losses.length) {
                losses = Arrays.copyOf(losses, 2 * count);
            }
            losses[count++] = loss;
            nanos = System.nanoTime();
        }

        Optional<Applied> drain(MembershipNumber number) {
            if (count == 0) {
                return Optional.empty();
            }
            Applied applied = new Applied(number, first, Arrays.copyOf(losses, count), nanos);
            count = 0;
            return Optional.of(applied);
        }
    }
}
