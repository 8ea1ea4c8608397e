package io.optimus.am.coordinator;

import io.optimus.am.coordinator.CoordinatorListener.Cause;
import io.optimus.am.coordinator.CoordinatorListener.Resize;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a job goes from one membership to the next. One thread; what happens comes in as calls, what follows
 * goes out through {@link World}.
 *
 * <pre>
 * WAITING     target ready, nothing saved yet            → SEEDING
 *             target ready                               → PLACING
 *             end                                        → SAVING if servers hold parameters, else LEAVING
 * SEEDING     initial parameters saved                   → WAITING
 * STEPPING    target ready, newcomers in it              → CONNECTING
 *             target ready, or too small, or end         → STOPPING
 * CONNECTING  workers connected                          → STOPPING
 * STOPPING    workers at the boundary                    → PLACING; SAVING if the target was too small, or at the end
 * STEPPING, CONNECTING, STOPPING, STARTING
 *             member lost                                → FENCING (asynchronous worker: PLACING at once)
 * FENCING     servers fenced                             → PLACING, or WAITING if too few are left
 * PLACING     servers placed                             → STARTING
 *             member lost                                → PLACING anew, or WAITING
 * STARTING    workers started                            → STEPPING
 * SAVING      saved                                      → EVALUATING at the end, else WAITING
 * EVALUATING  evaluated                                  → LEAVING
 * any         failed                                     → LEAVING
 * LEAVING     all tasks gone                             → ENDED
 * </pre>
 *
 * <p>The servers' parameters are held in memory from one membership to the next, unless one of them was lost: then all
 * load the newest checkpoint. A step that only some servers have applied when a worker is lost is taken back by those.
 */
final class MembershipMachine {
    private final TrainingMode mode;
    private final Allocation minimum;
    private final World world;

    private final SortedSet<TaskId> ready = new TreeSet<>();
    private SortedSet<TaskId> target = new TreeSet<>();
    /** Tasks were lost from the target: what is left of it is nobody's wish. */
    private boolean targetDamaged;

    private Phase phase = Phase.WAITING;
    private long phaseSinceNanos;
    private final Set<TaskId> awaiting = new TreeSet<>();
    private MembershipNumber number;
    /** What steps, or stepped last. */
    private Membership current;
    /** Whether the current servers have the parameters, as of {@link #heldStep}. */
    private boolean held;

    private long heldStep;
    /** Whether current workers' parameters are as the servers' are. */
    private boolean workersInStep;

    private Membership next;
    private Allocation from = Allocation.NONE;
    private Cause cause = Cause.STARTED;
    private boolean serverLost;
    private long pauseSinceNanos;
    private long pauseNanos;
    private SortedSet<TaskId> stopFor = new TreeSet<>();
    private Goal goal = Goal.RESIZE;
    private End end = End.NOT_YET;
    private TaskId evaluator = TaskId.worker(0);
    private final List<Long> fencedAt = new ArrayList<>();
    /** Members of earlier memberships, to be let go when the next one has begun. */
    private final SortedSet<TaskId> former = new TreeSet<>();

    private final Interruptions interruptions = new Interruptions();

    /** What stepping stops for. */
    private enum Goal {
        RESIZE,
        PARK,
        END
    }

    private enum End {
        NOT_YET,
        EARLY,
        COMPLETE
    }

    MembershipMachine(TrainingMode mode, Allocation minimum, int attempt, World world) {
        this.mode = mode;
        this.minimum = minimum;
        this.world = world;
        this.current = Membership.none(attempt);
        this.next = current;
        this.number = current.number();
        this.phaseSinceNanos = world.nanos();
    }

    Phase phase() {
        return phase;
    }

    Membership current() {
        return current;
    }

    boolean isMember(TaskId task) {
        return phase != Phase.WAITING && phase != Phase.SEEDING && (current.has(task) || next.has(task));
    }

    SortedSet<TaskId> ready() {
        return new TreeSet<>(ready);
    }

    /** Whom the phase waits for, when it has lasted longer than {@code nanos}. */
    Set<TaskId> lateAfter(long nanos) {
        return phase.bounded() && world.nanos() - phaseSinceNanos > nanos ? Set.copyOf(awaiting) : Set.of();
    }

    // What happens ------------------------------------------------------------------------------------------------

    void ready(TaskId task) {
        if (phase == Phase.LEAVING || phase == Phase.ENDED) {
            world.send(task, new Message.Leave("the job has ended"));
            return;
        }
        ready.add(task);
        settle();
    }

    void target(Set<TaskId> members) {
        target = new TreeSet<>(members);
        targetDamaged = false;
        settle();
    }

    void release(TaskId task) {
        target.remove(task);
        if (!isMember(task) && !(held && current.servers().containsKey(task))) {
            leave(task, "it is not needed");
        } else {
            settle();
        }
    }

    /** The initial parameters are saved, or a checkpoint of {@code step} is. */
    void saved(long step) {
        if (phase == Phase.SEEDING) {
            enter(Phase.WAITING, Set.of());
            settle();
        } else if (phase == Phase.SAVING && step == heldStep) {
            afterSaving();
        }
    }

    void connected(TaskId task, MembershipNumber of) {
        if (phase == Phase.CONNECTING && of.equals(number) && arrived(task)) {
            stop(Goal.RESIZE);
        }
    }

    void atBoundary(TaskId task, MembershipNumber of, long step) {
        if (phase != Phase.STOPPING || !of.equals(current.number())) {
            return;
        }
        if (pauseSinceNanos == 0) {
            pauseSinceNanos = world.nanos();
        }
        heldStep = synchronous() ? step : world.knownStep();
        if (arrived(task)) {
            afterStopping();
        }
    }

    void fenced(TaskId task, MembershipNumber of, long step) {
        if (phase == Phase.FENCING && of.equals(number)) {
            fencedAt.add(step);
            if (arrived(task)) {
                afterFencing();
            }
        }
    }

    void placed(TaskId task, MembershipNumber of) {
        if (phase == Phase.PLACING && of.equals(next.number()) && arrived(task)) {
            begin();
        }
    }

    void started(TaskId task, MembershipNumber of) {
        if (phase == Phase.STARTING && of.equals(current.number()) && arrived(task)) {
            afterStarting();
        }
    }

    /** A worker's step failed for a reason that we may not know yet; whether it fails too often. */
    boolean interrupted(TaskId task, MembershipNumber of) {
        if (!of.equals(current.number()) || !running()) {
            return false;
        }
        if (interruptions.tooMany(task, world.knownStep())) {
            return true;
        }
        breakOff(Cause.WORKER_LOST);
        return false;
    }

    void evaluated(TaskId task) {
        if (phase == Phase.EVALUATING && task.equals(evaluator)) {
            leaveAll("training is done");
        }
    }

    void end(boolean early) {
        if (end == End.NOT_YET) {
            end = early ? End.EARLY : End.COMPLETE;
            settle();
        }
    }

    void fail(String reason) {
        if (phase != Phase.LEAVING && phase != Phase.ENDED) {
            world.stepping(false);
            leaveAll(reason);
        }
    }

    /** The task's process is gone. */
    void lost(TaskId task) {
        boolean wasMember = isMember(task) || (held && current.servers().containsKey(task));
        ready.remove(task);
        targetDamaged |= target.remove(task);
        boolean awaited = awaiting.remove(task);
        switch (phase) {
            case WAITING, SEEDING -> lostWhileWaiting(task, awaited);
            case STEPPING, CONNECTING, STOPPING, STARTING -> {
                if (wasMember && current.has(task)) {
                    serverLost = task.role() == Role.PARAMETER_SERVER;
                    breakOff(serverLost ? Cause.SERVER_LOST : Cause.WORKER_LOST);
                } else {
                    lostBystander();
                }
            }
            case FENCING -> {
                if (current.servers().containsKey(task)) {
                    serverLost = true;
                    cause = Cause.SERVER_LOST;
                    abandon(task);
                }
                if (awaiting.isEmpty()) {
                    afterFencing();
                }
            }
            case PLACING -> lostWhilePlacing(task, awaited);
            case SAVING -> {
                if (current.servers().containsKey(task)) {
                    serverLost = true;
                    breakOff(Cause.SERVER_LOST);
                }
            }
            case EVALUATING -> {
                if (task.equals(evaluator)) {
                    evaluate();
                }
            }
            case LEAVING -> {
                if (ready.isEmpty()) {
                    enter(Phase.ENDED, Set.of());
                    world.ended();
                }
            }
            case ENDED -> {}
        }
    }

    // What follows ------------------------------------------------------------------------------------------------

    /** Brings membership and target together, where nothing else is under way. */
    private void settle() {
        if (phase == Phase.WAITING) {
            settleWaiting();
        } else if (phase == Phase.STEPPING || phase == Phase.CONNECTING) {
            settleStepping();
        }
    }

    private void settleWaiting() {
        if (end != End.NOT_YET) {
            if (held) {
                save();
            } else {
                leaveAll("training was stopped");
            }
        } else if (targetIsReady()) {
            if (!held && world.saved().isEmpty()) {
                TaskId seeder = Membership.ofRole(target, Role.WORKER).first();
                enter(Phase.SEEDING, Set.of(seeder));
                world.send(seeder, new Message.SaveInitial());
            } else {
                form(target);
            }
        }
    }

    private void settleStepping() {
        boolean tooSmall = !targetDamaged && !enough(target);
        if (end != End.NOT_YET || tooSmall) {
            stop(end != End.NOT_YET ? Goal.END : Goal.PARK);
        } else if (target.equals(current.members())) {
            enter(Phase.STEPPING, Set.of());
        } else if (targetIsReady() && !(phase == Phase.CONNECTING && target.equals(stopFor))) {
            connect();
        }
    }

    private boolean targetIsReady() {
        return enough(target) && ready.containsAll(target);
    }

    private boolean enough(Set<TaskId> members) {
        return minimum.isWithin(Membership.allocationOf(members));
    }

    private void connect() {
        stopFor = new TreeSet<>(target);
        number = number.next();
        SortedSet<TaskId> servers = Membership.ofRole(target, Role.PARAMETER_SERVER);
        SortedSet<TaskId> connecting = Membership.ofRole(target, Role.WORKER);
        if (current.servers().keySet().containsAll(servers)) {
            connecting.removeAll(current.workers());
        }
        enter(Phase.CONNECTING, connecting);
        List<Message.ServerAddress> addresses =
                servers.stream().map(world::address).toList();
        connecting.forEach(worker -> world.send(worker, new Message.Connect(number, addresses)));
        if (connecting.isEmpty()) {
            stop(Goal.RESIZE);
        }
    }

    private void stop(Goal why) {
        goal = why;
        cause = Cause.PLANNED;
        pauseSinceNanos = 0;
        Set<TaskId> stopping = stopping();
        enter(Phase.STOPPING, stopping);
        if (stopping.isEmpty()) {
            heldStep = world.knownStep();
            afterStopping();
        } else if (synchronous()) {
            world.send(current.workers().get(0), new Message.LastStep(current.number()));
        } else {
            stopping.forEach(worker -> world.send(worker, new Message.LastStep(current.number())));
        }
    }

    /** Asynchronous workers that stay need not stop while others come and go. */
    private SortedSet<TaskId> stopping() {
        SortedSet<TaskId> stopping = new TreeSet<>(current.workers());
        if (goal == Goal.RESIZE && onlyWorkersChange(stopFor)) {
            stopping.removeAll(stopFor);
        }
        return stopping;
    }

    private boolean onlyWorkersChange(Set<TaskId> members) {
        return !synchronous()
                && Membership.ofRole(members, Role.PARAMETER_SERVER)
                        .equals(current.servers().keySet());
    }

    private void afterStopping() {
        world.stepping(false);
        held = true;
        workersInStep = true;
        if (synchronous()) {
            world.settledAt(heldStep);
        }
        if (goal == Goal.RESIZE) {
            stopFor.retainAll(ready);
            form(enough(stopFor) ? stopFor : current.members());
        } else {
            save();
        }
    }

    /** A member is lost, or a step failed: whatever is in flight is given up. */
    private void breakOff(Cause why) {
        world.stepping(false);
        cause = why;
        boolean pausing = phase == Phase.STARTING || (phase == Phase.STOPPING && pauseSinceNanos != 0);
        pauseSinceNanos = pausing ? pauseSinceNanos : world.nanos();
        workersInStep = false;
        if (!synchronous() && !serverLost) {
            held = true;
            heldStep = world.knownStep();
            workersInStep = true;
            formWithWhoIsLeft();
            return;
        }
        number = number.next();
        fencedAt.clear();
        SortedSet<TaskId> servers = new TreeSet<>(current.servers().keySet());
        servers.retainAll(ready);
        current.servers().keySet().stream()
                .filter(task -> !ready.contains(task))
                .forEach(this::abandon);
        enter(Phase.FENCING, servers);
        servers.forEach(server -> world.send(server, new Message.Fence(number)));
        if (servers.isEmpty()) {
            afterFencing();
        }
    }

    private void abandon(TaskId server) {
        for (TaskId worker : current.workers()) {
            if (ready.contains(worker)) {
                world.send(worker, new Message.Abandon(List.of(server)));
            }
        }
    }

    private void afterFencing() {
        held = !serverLost;
        if (held && synchronous()) {
            heldStep = fencedAt.stream().mapToLong(Long::longValue).min().orElse(heldStep);
            world.settledAt(heldStep);
        } else if (held) {
            heldStep = world.knownStep();
        }
        formWithWhoIsLeft();
    }

    private void formWithWhoIsLeft() {
        SortedSet<TaskId> left = new TreeSet<>(current.members());
        left.retainAll(ready);
        if (targetIsReady()) {
            form(target);
        } else if (enough(left)) {
            form(left);
        } else {
            // Asynchronous workers would go on by themselves.
            number = number.next();
            Membership.ofRole(left, Role.PARAMETER_SERVER)
                    .forEach(server -> world.send(server, new Message.Fence(number)));
            from = Allocation.NONE;
            next = current;
            enter(Phase.WAITING, Set.of());
            settle();
        }
    }

    /** Begins the next membership, of {@code members}, all of them ready. */
    private void form(Set<TaskId> members) {
        number = number.next();
        SavedState saved = held ? null : world.saved().orElseThrow();
        SortedMap<TaskId, Ranges> before = held ? current.servers() : new TreeMap<>();
        SortedMap<TaskId, Ranges> after = world.assign(before, Membership.ofRole(members, Role.PARAMETER_SERVER));
        next = new Membership(number, List.copyOf(Membership.ofRole(members, Role.WORKER)), after);
        if (saved != null) {
            end = end == End.COMPLETE ? End.NOT_YET : end;
            heldStep = saved.step();
            workersInStep = false;
            world.restoredTo(saved);
        }
        serverLost = false;
        former.addAll(current.members());
        SortedSet<TaskId> servers = new TreeSet<>(before.keySet());
        servers.addAll(after.keySet());
        enter(Phase.PLACING, servers);
        servers.forEach(server -> world.send(server, place(server, before, saved)));
    }

    private Message.Place place(TaskId server, SortedMap<TaskId, Ranges> before, @Nullable SavedState saved) {
        Ranges holds = before.getOrDefault(server, Ranges.NONE);
        List<Message.Transfer> sends = new ArrayList<>();
        next.servers().forEach((other, wants) -> {
            Ranges moves = holds.and(wants);
            if (!other.equals(server) && !moves.isEmpty()) {
                sends.add(new Message.Transfer(world.address(other), moves));
            }
        });
        return new Message.Place(
                next.number(),
                next.workers().size(),
                synchronous() || saved != null ? heldStep : -1,
                next.servers().getOrDefault(server, Ranges.NONE),
                world.statistics(),
                sends,
                saved == null ? "" : saved.name(),
                server.equals(next.servers().firstKey()));
    }

    private void begin() {
        if (!ready.containsAll(next.workers())) {
            // The servers are placed already: only the workers are dealt anew.
            current = new Membership(next.number(), List.of(), next.servers());
            held = true;
            formWithWhoIsLeft();
            return;
        }
        Membership before = current;
        current = next;
        held = false;
        boolean briefly = onlyWorkersChange(before.members()) && workersInStep;
        pauseNanos = briefly ? world.nanos() - phaseSinceNanos : -1;
        enter(Phase.STARTING, new TreeSet<>(current.workers()));
        List<Message.ServerShard> shards = new ArrayList<>();
        current.servers()
                .forEach((server, ranges) -> shards.add(new Message.ServerShard(world.address(server), ranges)));
        for (int rank = 0; rank < current.workers().size(); rank++) {
            TaskId worker = current.workers().get(rank);
            boolean pull = !workersInStep || !before.workers().contains(worker);
            world.send(worker, new Message.Begin(current.number(), heldStep, rank, current.allocation(), shards, pull));
        }
        former.removeIf(task -> current.has(task) || target.contains(task));
        former.forEach(task -> leave(task, "it was released"));
        former.clear();
    }

    private void afterStarting() {
        long pause = pauseNanos >= 0 ? pauseNanos : world.nanos() - pauseSinceNanos;
        Cause why = from.isNone() ? Cause.STARTED : cause;
        enter(Phase.STEPPING, Set.of());
        world.resized(
                new Resize(from, current.allocation(), from.isNone() ? 0 : Math.round(pause / 1e6), heldStep, why));
        from = current.allocation();
        world.stepping(true);
        settle();
    }

    private void save() {
        enter(Phase.SAVING, current.servers().keySet());
        if (world.saved().filter(state -> state.step() == heldStep).isPresent()) {
            afterSaving();
        } else {
            current.servers()
                    .keySet()
                    .forEach(server -> world.send(server, new Message.SaveNow(current.number(), heldStep)));
        }
    }

    private void afterSaving() {
        if (end == End.COMPLETE) {
            world.keepModel();
            evaluate();
        } else if (end == End.EARLY) {
            leaveAll("training was stopped");
        } else {
            held = false;
            from = Allocation.NONE;
            SortedSet<TaskId> members = current.members();
            current = new Membership(current.number(), List.of(), new TreeMap<>());
            next = current;
            enter(Phase.WAITING, Set.of());
            members.removeAll(target);
            members.forEach(task -> leave(task, "the job waits"));
            settle();
        }
    }

    private void evaluate() {
        SortedSet<TaskId> workers = new TreeSet<>(current.workers());
        workers.retainAll(ready);
        if (workers.isEmpty()) {
            leaveAll("training is done");
        } else {
            evaluator = workers.first();
            enter(Phase.EVALUATING, Set.of(evaluator));
            world.send(evaluator, new Message.Evaluate());
        }
    }

    private void leaveAll(String reason) {
        enter(Phase.LEAVING, ready);
        List.copyOf(ready).forEach(task -> world.send(task, new Message.Leave(reason)));
        if (ready.isEmpty()) {
            enter(Phase.ENDED, Set.of());
            world.ended();
        }
    }

    private void leave(TaskId task, String reason) {
        if (ready.remove(task)) {
            world.send(task, new Message.Leave(reason));
        }
    }

    private void lostWhileWaiting(TaskId task, boolean seederLost) {
        if (held && current.servers().containsKey(task)) {
            held = false;
        }
        if (seederLost) {
            enter(Phase.WAITING, Set.of());
        }
        settle();
    }

    private void lostBystander() {
        if (phase == Phase.CONNECTING) {
            // Back to stepping, and on to what is left of the target if that is ready.
            enter(Phase.STEPPING, Set.of());
            settle();
        }
    }

    private void lostWhilePlacing(TaskId task, boolean awaited) {
        // A receiver has what its senders do not keep; a sender that is done has nothing any more.
        boolean heldSome =
                next.servers().containsKey(task) || (current.servers().containsKey(task) && awaited);
        if (heldSome) {
            held = false;
            cause = Cause.SERVER_LOST;
            formWithWhoIsLeft();
        } else if (awaiting.isEmpty()) {
            begin();
        }
    }

    private boolean running() {
        return switch (phase) {
            case STEPPING, CONNECTING, STOPPING, STARTING -> true;
            case WAITING, SEEDING, FENCING, PLACING, SAVING, EVALUATING, LEAVING, ENDED -> false;
        };
    }

    private boolean synchronous() {
        return mode == TrainingMode.SYNCHRONOUS;
    }

    private boolean arrived(TaskId task) {
        return awaiting.remove(task) && awaiting.isEmpty();
    }

    private void enter(Phase to, Set<TaskId> await) {
        phase = to;
        phaseSinceNanos = world.nanos();
        awaiting.clear();
        awaiting.addAll(await);
    }
}
