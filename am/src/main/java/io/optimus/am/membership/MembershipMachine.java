package io.optimus.am.membership;

import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.util.Set;
import java.util.SortedSet;

/**
 * Decides when a job goes from one membership to the next. One thread; what happens comes in as calls, what follows
 * goes out through {@link MembershipContext}.
 *
 * <pre>
 * WAITING     target ready, nothing saved yet            → SEEDING
 *             target ready                               → PLACING
 *             end                                        → SAVING if servers hold the state before one step,
 *                                                          else LEAVING if told to stop, or waits for its target
 *             target too small                           → SAVING if servers hold parameters
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
 * load the newest checkpoint. A joining server that is lost while shards move takes nothing with it: the servers of the
 * current membership keep theirs until the next one steps. A step that only some servers have applied when a worker is
 * lost is taken back by those.
 *
 * <p>{@link Stage} guards the transitions, {@link Steering} decides what follows; {@link Formation}, {@link Recovery}
 * and {@link Farewell} carry out what a phase begins with.
 */
public final class MembershipMachine {
    private final MembershipContext world;
    private final MembershipTarget candidates;
    private final Stage stage = new Stage();
    private final PauseClock pause = new PauseClock();
    private final Succession succession;
    private final Steering steering;
    private final Formation formation;
    private final Recovery recovery;
    private final Farewell farewell;
    private final Interruptions interruptions = new Interruptions();

    public MembershipMachine(TrainingMode mode, Allocation minimum, int attempt, MembershipContext world) {
        this.world = world;
        this.candidates = new MembershipTarget(minimum);
        this.succession = new Succession(mode, attempt);
        this.steering = new Steering(world, stage, succession, candidates, pause);
        this.formation = steering.formation();
        this.recovery = steering.recovery();
        this.farewell = steering.farewell();
    }

    public Phase phase() {
        return stage.phase();
    }

    public Membership current() {
        return succession.current();
    }

    public boolean isMember(TaskId task) {
        return !stage.isOneOf(Phase.WAITING, Phase.SEEDING) && succession.has(task);
    }

    public SortedSet<TaskId> ready() {
        return candidates.ready();
    }

    /** Whom the phase waits for, when it has lasted longer than {@code nanos}. */
    public Set<TaskId> lateAfter(long nanos) {
        return stage.lateAfter(nanos, world.nanos());
    }

    // What happens ------------------------------------------------------------------------------------------------

    public void ready(TaskId task) {
        if (stage.isOneOf(Phase.LEAVING, Phase.ENDED)) {
            world.send(task, new Message.Leave("the job has ended"));
            return;
        }
        candidates.add(task);
        steering.settle();
    }

    public void target(Set<TaskId> members) {
        candidates.want(members);
        steering.settle();
    }

    public void release(TaskId task) {
        candidates.unwant(task);
        if (isMember(task) || succession.holds(task)) {
            steering.settle();
        } else {
            formation.letGo(task, "it is not needed");
        }
    }

    /** The initial parameters are saved, or a checkpoint of {@code step} is. */
    public void saved(long step) {
        if (stage.is(Phase.SEEDING)) {
            steering.rest();
        } else if (stage.is(Phase.SAVING) && step == succession.step()) {
            steering.afterSaving();
        }
    }

    /** Whether the phase waits for this checkpoint to be saved. */
    public boolean savesNow(CheckpointService.Key key) {
        return stage.is(Phase.SEEDING)
                || (stage.is(Phase.SAVING)
                        && key.step() == succession.step()
                        && key.number().equals(current().number()));
    }

    /** Whether servers load this checkpoint. */
    public boolean loads(String checkpoint) {
        return stage.is(Phase.PLACING) && formation.restores(checkpoint);
    }

    /** What the phase waits for has to be saved once more; false: that was tried often enough. */
    public boolean saveAgain() {
        // A seeder whose transfer breaks ends itself, and the next one seeds.
        return stage.is(Phase.SEEDING) || farewell.saveAgain();
    }

    public void connected(TaskId task, MembershipNumber of) {
        if (stage.is(Phase.CONNECTING) && of.equals(succession.number()) && stage.arrived(task)) {
            steering.switchOver();
        }
    }

    public void atBoundary(TaskId task, MembershipNumber of, long step) {
        if (!stage.is(Phase.STOPPING) || !of.equals(current().number())) {
            return;
        }
        pause.begin(world.nanos());
        succession.stopsAt(succession.synchronous() ? step : world.knownStep());
        if (stage.arrived(task)) {
            steering.afterStopping();
        }
    }

    public void fenced(TaskId task, MembershipNumber of, long step) {
        if (stage.is(Phase.FENCING) && of.equals(succession.number())) {
            recovery.fenced(step);
            if (stage.arrived(task)) {
                steering.afterFencing();
            }
        }
    }

    public void placed(TaskId task, MembershipNumber of) {
        if (stage.is(Phase.PLACING) && of.equals(succession.next().number()) && stage.arrived(task)) {
            steering.start();
        }
    }

    public void started(TaskId task, MembershipNumber of) {
        if (stage.is(Phase.STARTING) && of.equals(current().number()) && stage.arrived(task)) {
            formation.complete();
            steering.settle();
        }
    }

    /** A worker's step failed for a reason that we may not know yet; whether it fails too often. */
    public boolean interrupted(TaskId task, MembershipNumber of) {
        if (!of.equals(current().number())
                || !stage.isOneOf(Phase.STEPPING, Phase.CONNECTING, Phase.STOPPING, Phase.STARTING)) {
            return false;
        }
        if (interruptions.tooMany(task, world.knownStep())) {
            return true;
        }
        steering.breakOff(Cause.WORKER_LOST);
        return false;
    }

    /**
     * A task could not do what it was told, which is tried again: another worker evaluates, shards are placed or saved
     * anew; whether that has failed too often with {@code because}.
     */
    public boolean notDone(TaskId task, MembershipNumber of, TaskId because) {
        if (farewell.evaluatesOn(task)) {
            farewell.evaluateWithout(task);
            return false;
        }
        boolean placing = stage.is(Phase.PLACING) && of.equals(succession.next().number());
        boolean saving = stage.is(Phase.SAVING) && of.equals(current().number());
        if (!placing && !saving) {
            return false;
        }
        if (interruptions.tooMany(because, world.knownStep())) {
            return true;
        }
        if (placing) {
            steering.formWithWhoIsLeft();
        } else {
            farewell.orderSave();
        }
        return false;
    }

    /** Nobody gets on, and nobody says why: who does not begin anew is found out then. */
    public void standsStill() {
        steering.breakOff(Cause.WORKER_LOST);
    }

    public void evaluated(TaskId task) {
        if (farewell.evaluatesOn(task)) {
            farewell.leave("training is done");
        }
    }

    public void end(boolean early) {
        steering.end(early);
    }

    public void fail(String reason) {
        if (!stage.isOneOf(Phase.LEAVING, Phase.ENDED)) {
            world.stepping(false);
            farewell.leave(reason);
        }
    }

    /** The task's process is gone. */
    public void lost(TaskId task) {
        candidates.lost(task);
        boolean awaited = stage.forget(task);
        switch (stage.phase()) {
            case WAITING, SEEDING -> lostWhileWaiting(task, awaited);
            case STEPPING, CONNECTING, STOPPING, STARTING -> lostWhileRunning(task);
            case FENCING -> lostWhileFencing(task);
            case PLACING -> lostWhilePlacing(task, awaited);
            case SAVING -> {
                if (succession.serves(task)) {
                    steering.breakOff(Cause.SERVER_LOST);
                }
            }
            case EVALUATING -> {
                if (farewell.evaluatesOn(task)) {
                    farewell.evaluate();
                }
            }
            case LEAVING -> farewell.endIfAllAreGone();
            case ENDED -> {}
        }
    }

    private void lostWhileWaiting(TaskId task, boolean seederLost) {
        if (succession.holds(task)) {
            succession.lose();
        }
        if (seederLost) {
            stage.enter(Phase.WAITING, Set.of(), world.nanos());
        }
        steering.settle();
    }

    private void lostWhileRunning(TaskId task) {
        if (current().has(task)) {
            steering.breakOff(task.role() == Role.PARAMETER_SERVER ? Cause.SERVER_LOST : Cause.WORKER_LOST);
        } else if (stage.is(Phase.CONNECTING)) {
            // Back to stepping, and on to what is left of the target if that is ready.
            stage.enter(Phase.STEPPING, Set.of(), world.nanos());
            steering.settle();
        }
    }

    private void lostWhileFencing(TaskId task) {
        if (succession.serves(task)) {
            recovery.lostServer(task);
        }
        if (stage.awaitsNobody()) {
            steering.afterFencing();
        }
    }

    private void lostWhilePlacing(TaskId task, boolean awaited) {
        if (formation.needs(task, awaited)) {
            if (!candidates.areReady(current().servers().keySet())) {
                succession.lose();
                pause.because(Cause.SERVER_LOST);
            }
            steering.formWithWhoIsLeft();
        } else if (stage.awaitsNobody()) {
            steering.start();
        }
    }
}
