package io.optimus.am.membership;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.engine.Communication;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decides when a job goes from one membership to the next. Runs on one thread. Events are calls of its methods, and it
 * acts through a {@link MembershipContext}.
 *
 * <p>{@link StateName} lists the states and their transitions. Each state is a class, which owns the data that it needs.
 * This class owns only the data that outlives all states. A state passes values to the next one: the current {@link
 * Membership}, its {@link HeldParameters}, and the {@link Pause}.
 *
 * <p>Example: ps-0 and worker-0 step, and worker-1 shall join. CONNECTING: worker-1 connects to ps-0. STOPPING: worker-0
 * stops after step 41. PLACING: ps-0 keeps its shard and expects pushes of two workers. STARTING: worker-1 reads the
 * parameters, and both begin step 42. When ps-1 shall join too, it makes room for half of the parameters in CONNECTING, and ps-0
 * sends them in PLACING.
 */
public final class MembershipMachine {
    private final boolean synchronous;
    private final ParameterHolders holders;
    private final MembershipContext context;
    private final MembershipTarget target;
    private final Failures failures = new Failures();
    private final SortedSet<TaskId> former = new TreeSet<>();
    private MembershipNumber number;
    private End end = End.NOT_YET;
    private MembershipState state;

    /** Whether training has ended. */
    enum End {
        NOT_YET,
        /** It was stopped. */
        EARLY,
        /** Its stop rule holds. */
        COMPLETE
    }

    /**
     * Waits for tasks.
     *
     * @param communication decides which tasks hold the parameters
     * @param minimum the fewest tasks that the job steps with
     * @param attempt the ApplicationMaster's attempt, 1 or more
     */
    public MembershipMachine(
            TrainingMode mode,
            Communication communication,
            Allocation minimum,
            int attempt,
            MembershipContext context) {
        this.holders = ParameterHolders.of(communication);
        this.synchronous = mode == TrainingMode.SYNCHRONOUS;
        this.context = context;
        this.target = new MembershipTarget(minimum);
        Membership none = Membership.none(attempt);
        this.number = none.number();
        this.state = new WaitingState(this, none, null);
    }

    public StateName state() {
        return state.name();
    }

    /** The membership that steps, or stepped last. */
    public Membership current() {
        return state.current();
    }

    /** Whether {@code task} is in the current or the next membership. */
    public boolean isMember(TaskId task) {
        return state.isMember(task);
    }

    /** The tasks that can be members, in order. */
    public SortedSet<TaskId> ready() {
        return target.ready();
    }

    // Events ----------------------------------------------------------------------------------------------------------

    /** {@code task} has loaded what it needs. */
    public void ready(TaskId task) {
        if (isLeaving()) {
            context.send(task, new Message.Leave("the job has ended"));
            return;
        }
        target.ready(task);
        changed();
    }

    /** The job shall train with {@code members}. */
    public void target(Set<TaskId> members) {
        target.want(members);
        changed();
    }

    /**
     * Goes on with the step that is in flight in {@code last}, a membership of an earlier attempt, in a membership of this one.
     * Its tasks that are not ready count as lost. Its servers must hold their shards.
     */
    public void takeOver(Membership last) {
        target.want(last.members());
        target.notReadyOf(last.members()).forEach(target::lost);
        Pause pause = new Pause(last.allocation(), Cause.TAKEN_OVER, context.nanos());
        if (synchronous) {
            enter(new FencingState(this, last, pause));
            return;
        }
        HeldParameters held = HeldParameters.before(context.knownStep(), last.workers());
        WaitingState waiting = new WaitingState(this, last, holders.left(held, last, target.ready()));
        state = waiting;
        waiting.goOn(pause);
    }

    /** Tasks of an earlier attempt, ready or not, give up the step that is in flight in a membership of that attempt. */
    public void giveUp(Collection<TaskId> tasks) {
        SortedSet<TaskId> fenced = Membership.servers(tasks);
        if (!holders.areServers()) {
            fenced.addAll(tasks);
        }
        fence(fenced);
    }

    /** The job shall train without {@code task}, which is told to end as soon as it holds nothing. */
    public void release(TaskId task) {
        target.unwant(task);
        if (state.canDoWithout(task)) {
            letGo(task, "it is not needed");
        } else {
            changed();
        }
    }

    public void received(TaskId task, FromTask message) {
        state.received(task, message);
    }

    /**
     * A worker's step of membership {@code of} failed.
     *
     * @return whether to give up the worker, since its steps fail too often
     */
    public boolean interrupted(TaskId worker, MembershipNumber of) {
        return state.interrupted(worker, of);
    }

    /**
     * A task could not do what it was told for membership {@code of}. It is tried again: shards are placed or saved
     * anew, or another worker evaluates.
     *
     * @param because the task that is at fault
     * @return whether to give up {@code because}, since that has failed too often
     */
    public boolean notDone(TaskId task, MembershipNumber of, TaskId because) {
        return state.notDone(task, of, because);
    }

    /** The process of {@code task} is gone. */
    public void lost(TaskId task) {
        target.lost(task);
        state.lost(task, state.stopAwaiting(task));
    }

    /** The initial parameters, or the parameters before {@code step}, are in a checkpoint. */
    public void saved(long step) {
        state.saved(step);
    }

    /** The tasks that save while the job steps. */
    public Collection<TaskId> savers() {
        return holders.savers(
                HeldParameters.before(context.knownStep(), current().workers()), current());
    }

    /** Whether the job cannot go on without this checkpoint, which servers save now. */
    public boolean savesNow(CheckpointKey key) {
        return state.savesNow(key);
    }

    /** Orders the checkpoint that the job cannot go on without again. Returns false if it was ordered too often. */
    public boolean saveAgain() {
        return state.saveAgain();
    }

    /** Whether servers load the checkpoint of this name now. */
    public boolean loads(String checkpoint) {
        return state.loads(checkpoint);
    }

    /** The store has failed at what the job waits for: it waits until {@link #tryAgain}. */
    public void storeFailed() {
        state.storeFailed();
    }

    /** The store may work again. Does nothing if the job does not wait for it any more. */
    public void tryAgain() {
        state.tryAgain();
    }

    /** The awaited tasks, if the state has lasted longer than {@code nanos}. */
    public Set<TaskId> lateAfter(long nanos) {
        return state.lateAfter(nanos);
    }

    /** Whether the figures count that the program of {@code worker} reports; all workers report the same. */
    public boolean reports(TaskId worker) {
        return state.reports(worker);
    }

    /** Whether the job steps, and its next step has been {@code step} for longer than {@code nanos}. */
    public boolean makesNoProgress(long step, long nanos) {
        return state.makesNoProgress(step, nanos);
    }

    /**
     * Begins a membership of the same members, so that the samples of their steps are decided again. Does nothing unless the
     * job steps and keeps its members.
     */
    public void renew() {
        state.renew();
    }

    /** Begins the step in flight anew. A task that does not take part then is given up as late. */
    public void restartStep() {
        state.restartStep();
    }

    /** Training ends before its stop rule holds. */
    public void endEarly() {
        end(End.EARLY);
    }

    /** Training ends because its stop rule holds. */
    public void endByRule() {
        end(End.COMPLETE);
    }

    private void end(End how) {
        if (end == End.NOT_YET) {
            end = how;
            changed();
        }
    }

    /** Training cannot go on. */
    public void fail(String reason) {
        if (!isLeaving()) {
            context.stepping(false);
            state.leave(reason);
        }
    }

    // Methods for the states ------------------------------------------------------------------------------------------

    void enter(MembershipState next) {
        StateName from = state.name();
        if (!from.next().contains(next.name())) {
            throw new IllegalStateException("A job cannot go from " + from + " to " + next.name());
        }
        context.entered(from, next.name());
        state = next;
        next.begin();
    }

    /** The target, the ready tasks or the end of training changed. */
    void changed() {
        state.changed();
    }

    /** Whether all workers make each step together. */
    public boolean synchronous() {
        return synchronous;
    }

    ParameterHolders holders() {
        return holders;
    }

    MembershipContext context() {
        return context;
    }

    MembershipTarget target() {
        return target;
    }

    End end() {
        return end;
    }

    /** The last step of the training is done. */
    void complete() {
        if (end == End.NOT_YET) {
            end = End.COMPLETE;
        }
    }

    /** The last steps, which decided that training is complete, have to be done again. */
    void undoCompletion() {
        if (end == End.COMPLETE) {
            end = End.NOT_YET;
        }
    }

    /** A number higher than that of every membership and fence so far. */
    MembershipNumber nextNumber() {
        number = number.next();
        return number;
    }

    /** Servers refuse every membership so far, since asynchronous workers would step on by themselves. */
    void fence(Collection<TaskId> servers) {
        Message.Fence fence = new Message.Fence(nextNumber());
        servers.forEach(server -> context.send(server, fence));
    }

    /** Whether asynchronous workers that stay need not stop: {@code servers} are those of {@code membership}. */
    boolean keepsServers(Membership membership, Set<TaskId> servers) {
        return !synchronous && servers.equals(membership.servers().keySet());
    }

    boolean failsTooOften(TaskId task) {
        return failures.tooMany(task, context.knownStep());
    }

    /** Remembers members, which are told to end when a later membership starts without them. */
    void rememberFormer(Membership membership) {
        former.addAll(membership.members());
    }

    /** Releases members of former memberships that are neither in {@code current} nor in the target. */
    void letGoFormer(Membership current) {
        SortedSet<TaskId> gone = new TreeSet<>(former);
        gone.removeIf(task -> current.has(task) || target.wanted().contains(task));
        former.clear();
        gone.forEach(task -> letGo(task, "it was released"));
    }

    /** Releases those of {@code members} that are not in the target. */
    void letGoUnwanted(SortedSet<TaskId> members) {
        members.removeAll(target.wanted());
        members.forEach(task -> letGo(task, "the job waits"));
    }

    private void letGo(TaskId task, String reason) {
        if (target.withdraw(task)) {
            context.send(task, new Message.Leave(reason));
        }
    }

    private boolean isLeaving() {
        return state() == StateName.LEAVING || state() == StateName.ENDED;
    }

    /** Counts each task's failures between which the job made no progress. */
    private static final class Failures {
        /** Each lost server causes one failure. A worker that cannot reach a server fails again and again. */
        private static final int MOST = 5;

        private final Map<TaskId, Integer> counts = new HashMap<>();
        private long step = -1;

        boolean tooMany(TaskId task, long currentStep) {
            if (currentStep != step) {
                counts.clear();
                step = currentStep;
            }
            return counts.merge(task, 1, Integer::sum) > MOST;
        }
    }
}
