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
    private final World world;

    private final Candidates candidates;

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
        this.candidates = new Candidates(minimum);
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
        return candidates.ready();
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
        candidates.add(task);
        settle();
    }

    void target(Set<TaskId> members) {
        candidates.want(members);
        settle();
    }

    void release(TaskId task) {
        candidates.unwant(task);
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
        candidates.lost(task);
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
                if (candidates.ready().isEmpty()) {
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
        } else if (candidates.targetIsReady()) {
            if (!held && world.saved().isEmpty()) {
                TaskId seeder =
                        Membership.ofRole(candidates.target(), Role.WORKER).first();
                enter(Phase.SEEDING, Set.of(seeder));
                world.send(seeder, new Message.SaveInitial());
            } else {
                form(candidates.target());
            }
        }
    }

    private void settleStepping() {
        boolean tooSmall = candidates.targetIsTooSmall();
        if (end != End.NOT_YET || tooSmall) {
            stop(end != End.NOT_YET ? Goal.END : Goal.PARK);
        } else if (candidates.target().equals(current.members())) {
            enter(Phase.STEPPING, Set.of());
        } else if (candidates.targetIsReady()
                && !(phase == Phase.CONNECTING && candidates.target().equals(stopFor))) {
            connect();
        }
    }

    private void connect() {
        stopFor = new TreeSet<>(candidates.target());
        number = number.next();
        SortedSet<TaskId> servers = Membership.ofRole(candidates.target(), Role.PARAMETER_SERVER);
        SortedSet<TaskId> connecting = Membership.ofRole(candidates.target(), Role.WORKER);
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
            stopFor.retainAll(candidates.ready());
            form(candidates.enough(stopFor) ? stopFor : current.members());
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
        servers.retainAll(candidates.ready());
        current.servers().keySet().stream()
                .filter(task -> !candidates.ready().contains(task))
                .forEach(this::abandon);
        enter(Phase.FENCING, servers);
        servers.forEach(server -> world.send(server, new Message.Fence(number)));
        if (servers.isEmpty()) {
            afterFencing();
        }
    }

    private void abandon(TaskId server) {
        for (TaskId worker : current.workers()) {
            if (candidates.ready().contains(worker)) {
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
        left.retainAll(candidates.ready());
        if (candidates.targetIsReady()) {
            form(candidates.target());
        } else if (candidates.enough(left)) {
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
        long step = synchronous() || saved != null ? heldStep : -1;
        String checkpoint = saved == null ? "" : saved.name();
        servers.forEach(server -> world.send(server, Orders.place(world, server, before, next, step, checkpoint)));
    }

    private void begin() {
        if (!candidates.areReady(next.workers())) {
            // The servers are placed already: only the workers are dealt anew.
            List<TaskId> left = new ArrayList<>(next.workers());
            left.retainAll(candidates.ready());
            current = new Membership(next.number(), left, next.servers());
            held = true;
            workersInStep = false;
            formWithWhoIsLeft();
            return;
        }
        Membership before = current;
        current = next;
        held = false;
        boolean briefly = onlyWorkersChange(before.members()) && workersInStep;
        pauseNanos = briefly ? world.nanos() - phaseSinceNanos : -1;
        enter(Phase.STARTING, new TreeSet<>(current.workers()));
        for (int rank = 0; rank < current.workers().size(); rank++) {
            TaskId worker = current.workers().get(rank);
            boolean pull = !workersInStep || !before.workers().contains(worker);
            world.send(worker, Orders.begin(world, current, rank, heldStep, pull));
        }
        former.removeIf(task -> current.has(task) || candidates.target().contains(task));
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
            members.removeAll(candidates.target());
            members.forEach(task -> leave(task, "the job waits"));
            settle();
        }
    }

    private void evaluate() {
        SortedSet<TaskId> workers = new TreeSet<>(current.workers());
        workers.retainAll(candidates.ready());
        if (workers.isEmpty()) {
            leaveAll("training is done");
        } else {
            evaluator = workers.first();
            enter(Phase.EVALUATING, Set.of(evaluator));
            world.send(evaluator, new Message.Evaluate());
        }
    }

    private void leaveAll(String reason) {
        enter(Phase.LEAVING, candidates.ready());
        List.copyOf(candidates.ready()).forEach(task -> world.send(task, new Message.Leave(reason)));
        if (candidates.ready().isEmpty()) {
            enter(Phase.ENDED, Set.of());
            world.ended();
        }
    }

    private void leave(TaskId task, String reason) {
        if (candidates.remove(task)) {
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
