package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a {@link MembershipMachine} does next, whenever something is done or has changed: brings the membership and its
 * target together, and the job to its end.
 */
final class Steering {
    private final MembershipContext world;
    private final Stage stage;
    private final Succession succession;
    private final MembershipTarget candidates;
    private final PauseClock pause;
    private final Formation formation;
    private final Recovery recovery;
    private final Farewell farewell;

    private SortedSet<TaskId> stopFor = new TreeSet<>();
    private Goal goal = Goal.RESIZE;
    private End end = End.NOT_YET;

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

    Steering(
            MembershipContext world,
            Stage stage,
            Succession succession,
            MembershipTarget candidates,
            PauseClock pause) {
        this.world = world;
        this.stage = stage;
        this.succession = succession;
        this.candidates = candidates;
        this.pause = pause;
        this.formation = new Formation(world, stage, succession, candidates, pause);
        this.recovery = new Recovery(world, stage, succession, candidates, pause);
        this.farewell = new Farewell(world, stage, succession, candidates);
    }

    Formation formation() {
        return formation;
    }

    Recovery recovery() {
        return recovery;
    }

    Farewell farewell() {
        return farewell;
    }

    void end(boolean early) {
        if (end == End.NOT_YET) {
            end = early ? End.EARLY : End.COMPLETE;
            settle();
        }
    }

    /** Brings membership and target together, where nothing else is under way. */
    void settle() {
        if (stage.is(Phase.WAITING)) {
            settleWaiting();
        } else if (stage.isOneOf(Phase.STEPPING, Phase.CONNECTING)) {
            settleStepping();
        }
    }

    private void settleWaiting() {
        if (end == End.COMPLETE && !succession.held()) {
            // With the parameters, the steps are lost that the stop was decided by: they have to be done again.
            end = End.NOT_YET;
            world.stopUndone();
        }
        if (end != End.NOT_YET && succession.canBeSaved()) {
            save();
        } else if (end == End.EARLY) {
            farewell.leave("training was stopped");
        } else if (succession.held() && candidates.targetIsTooSmall()) {
            park();
        } else if (candidates.targetIsReady()) {
            if (!succession.held() && world.saved().isEmpty()) {
                seed(Membership.ofRole(candidates.target(), Role.WORKER).first());
            } else {
                form(candidates.target());
            }
        }
    }

    /** The servers need not be kept for those that are to come: what they hold goes into a checkpoint. */
    private void park() {
        if (succession.canBeSaved()) {
            save();
        } else {
            letGoWhoIsNotWanted(succession.dissolve());
        }
    }

    private void letGoWhoIsNotWanted(SortedSet<TaskId> members) {
        members.removeAll(candidates.target());
        members.forEach(task -> formation.letGo(task, "the job waits"));
    }

    private void seed(TaskId seeder) {
        stage.enter(Phase.SEEDING, Set.of(seeder), world.nanos());
        world.send(seeder, new Message.SaveInitial());
    }

    private void settleStepping() {
        if (end != End.NOT_YET) {
            stop(Goal.END);
        } else if (candidates.targetIsTooSmall()) {
            stop(Goal.PARK);
        } else if (candidates.target().equals(succession.current().members())) {
            stage.enter(Phase.STEPPING, Set.of(), world.nanos());
        } else if (candidates.targetIsReady()
                && !(stage.is(Phase.CONNECTING) && candidates.target().equals(stopFor))) {
            connect();
        }
    }

    private void connect() {
        stopFor = new TreeSet<>(candidates.target());
        MembershipNumber number = succession.advance();
        SortedSet<TaskId> servers = Membership.ofRole(stopFor, Role.PARAMETER_SERVER);
        SortedSet<TaskId> connecting = Membership.ofRole(stopFor, Role.WORKER);
        if (succession.current().servers().keySet().containsAll(servers)) {
            connecting.removeAll(succession.current().workers());
        }
        stage.enter(Phase.CONNECTING, connecting, world.nanos());
        List<ServerAddress> addresses = servers.stream().map(world::address).toList();
        connecting.forEach(worker -> world.send(worker, new Message.Connect(number, addresses)));
        if (connecting.isEmpty()) {
            stop(Goal.RESIZE);
        }
    }

    /** The workers are connected to whom they need. */
    void switchOver() {
        stop(Goal.RESIZE);
    }

    private void stop(Goal why) {
        goal = why;
        pause.expect(Cause.PLANNED);
        SortedSet<TaskId> stopping = new TreeSet<>(succession.current().workers());
        if (goal == Goal.RESIZE && succession.onlyWorkersChange(stopFor)) {
            stopping.removeAll(stopFor);
        }
        stage.enter(Phase.STOPPING, stopping, world.nanos());
        Message.LastStep last = new Message.LastStep(succession.current().number());
        if (stopping.isEmpty()) {
            succession.stopsAt(world.knownStep());
            afterStopping();
        } else if (succession.synchronous()) {
            world.send(succession.current().workers().get(0), last);
        } else {
            stopping.forEach(worker -> world.send(worker, last));
        }
    }

    void afterStopping() {
        world.stepping(false);
        succession.hold(true);
        if (succession.synchronous()) {
            world.settledAt(succession.step());
        }
        if (goal == Goal.RESIZE) {
            stopFor.retainAll(candidates.ready());
            form(candidates.enough(stopFor) ? stopFor : succession.current().members());
        } else {
            save();
        }
    }

    /** A member is lost, or a step failed: whatever is in flight is given up. */
    void breakOff(Cause why) {
        if (recovery.breakOff(why)) {
            if (stage.is(Phase.FENCING)) {
                recovery.settle();
            }
            formWithWhoIsLeft();
        }
    }

    void afterFencing() {
        recovery.settle();
        formWithWhoIsLeft();
    }

    void formWithWhoIsLeft() {
        SortedSet<TaskId> left = succession.current().members();
        left.retainAll(candidates.ready());
        if (candidates.targetIsReady()) {
            form(candidates.target());
        } else if (candidates.enough(left)) {
            form(left);
        } else {
            recovery.giveUp(left);
            rest();
        }
    }

    void rest() {
        stage.enter(Phase.WAITING, Set.of(), world.nanos());
        settle();
    }

    /** Begins the next membership, of {@code members}, all of them ready. */
    private void form(Set<TaskId> members) {
        if (formation.place(members) && end == End.COMPLETE) {
            // The steps that the stop was decided by have to be done again.
            end = End.NOT_YET;
        }
    }

    void start() {
        if (!formation.start()) {
            formWithWhoIsLeft();
        }
    }

    private void save() {
        if (farewell.save()) {
            afterSaving();
        }
    }

    void afterSaving() {
        if (end == End.COMPLETE) {
            world.keepModel();
            farewell.evaluate();
        } else if (end == End.EARLY) {
            farewell.leave("training was stopped");
        } else {
            SortedSet<TaskId> members = succession.dissolve();
            pause.forget();
            stage.enter(Phase.WAITING, Set.of(), world.nanos());
            letGoWhoIsNotWanted(members);
            settle();
        }
    }
}
