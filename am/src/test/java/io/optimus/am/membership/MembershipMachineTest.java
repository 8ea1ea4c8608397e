package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.engine.Communication;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.Test;

/** Tests the machine without tasks or sockets. */
public final class MembershipMachineTest {
    private static final TaskId PS0 = TaskId.server(0);
    private static final TaskId PS1 = TaskId.server(1);
    private static final TaskId W0 = TaskId.worker(0);
    private static final TaskId W1 = TaskId.worker(1);

    private final FakeContext context = new FakeContext();
    private final MembershipMachine machine = new MembershipMachine(
            TrainingMode.SYNCHRONOUS, Communication.PARAMETER_SERVER, new Allocation(1, 1), 1, context);

    private MembershipNumber placing(TaskId server) {
        return context.last(server, Message.Place.class).number();
    }

    private MembershipNumber current() {
        return machine.current().number();
    }

    private void makeRoom(TaskId server) {
        MembershipNumber number = context.last(server, Message.Prepare.class).number();
        machine.received(server, new Message.Prepared(number));
    }

    private void place(TaskId... servers) {
        for (TaskId server : servers) {
            machine.received(server, new Message.Placed(placing(server)));
        }
    }

    private void start(TaskId... workers) {
        for (TaskId worker : workers) {
            machine.received(worker, new Message.Started(current(), 0));
        }
    }

    /** One server and two workers step. */
    private void step() {
        machine.target(Set.of(PS0, W0, W1));
        machine.ready(PS0);
        machine.ready(W0);
        machine.ready(W1);
        place(PS0);
        start(W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        context.restored.clear();
    }

    /** A second server joins, and its shard is about to move. */
    private void placeSecondServer() {
        placeSecondServerUpToTheBoundary();
        machine.received(W1, new Message.AtBoundary(current(), 10));
        assertThat(machine.state()).isEqualTo(StateName.PLACING);
    }

    @Test
    public void serversHaveMadeRoomForWhatIsPlacedThere() {
        placeSecondServer();
        for (TaskId server : List.of(PS0, PS1)) {
            Message.Place place = context.last(server, Message.Place.class);
            Message.Prepare room = context.last(server, Message.Prepare.class);
            assertThat(room.hold()).isEqualTo(place.hold());
            assertThat(room.updates()).isEqualTo(place.updates());
            assertThat(room.number().isOlderThan(place.number())).isTrue();
        }
    }

    @Test
    public void joiningServerLostWhileShardsMoveCostsNoStep() {
        placeSecondServer();
        MembershipNumber base = current();
        place(PS0);
        machine.lost(PS1);
        Message.Place again = context.last(PS0, Message.Place.class);
        assertThat(again.base()).isEqualTo(base);
        assertThat(again.step()).isEqualTo(10);
        assertThat(again.checkpoint()).isEmpty();
        assertThat(again.hold().floats()).isEqualTo(100);
        place(PS0);
        start(W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(machine.current().members()).containsExactly(W0, W1, PS0);
        assertThat(context.restored).isEmpty();
    }

    @Test
    public void stayingServerLostWhileShardsMoveGoesBackToCheckpoint() {
        placeSecondServer();
        machine.lost(PS0);
        assertThat(context.restored).hasSize(1);
        assertThat(context.last(PS1, Message.Place.class).checkpoint()).isEqualTo("start");
        place(PS1);
        start(W0, W1);
        assertThat(context.resizes.get(1).cause()).isEqualTo(Cause.SERVER_LOST);
    }

    @Test
    public void leavingServerMayDieOnceItHasSentEverything() {
        placeSecondServer();
        place(PS0, PS1);
        start(W0, W1);
        machine.target(Set.of(PS1, W0, W1));
        makeRoom(PS1);
        machine.received(W0, new Message.AtBoundary(current(), 20));
        machine.received(W1, new Message.AtBoundary(current(), 20));
        place(PS0);
        machine.lost(PS0);
        place(PS1);
        start(W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(context.restored).isEmpty();
    }

    @Test
    public void placesAnewAfterAFailure() {
        placeSecondServer();
        MembershipNumber failed = placing(PS0);
        assertThat(machine.notDone(PS0, failed, PS1)).isFalse();
        Message.Place again = context.last(PS0, Message.Place.class);
        assertThat(failed.isOlderThan(again.number())).isTrue();
        assertThat(again.step()).isEqualTo(10);
        assertThat(again.sends()).hasSize(1);
        assertThat(machine.notDone(PS0, failed, PS1)).isFalse();
        assertThat(context.last(PS0, Message.Place.class))
                .as("of an older placement")
                .isEqualTo(again);
        place(PS0, PS1);
        start(W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(context.restored).isEmpty();
    }

    @Test
    public void givesUpTheTaskThatPlacingAlwaysFailsWith() {
        placeSecondServer();
        for (int i = 0; i < 5; i++) {
            assertThat(machine.notDone(PS0, placing(PS0), PS1)).isFalse();
        }
        assertThat(machine.notDone(PS0, placing(PS0), PS1)).isTrue();
    }

    @Test
    public void savesAgainAfterAFailure() {
        stopForTheEnd();
        long orders = saveOrders();
        assertThat(machine.notDone(PS0, current(), PS0)).isFalse();
        assertThat(saveOrders()).isEqualTo(orders + 1);
        assertThat(machine.state()).isEqualTo(StateName.SAVING);
    }

    @Test
    public void evaluatesOnAnotherWorkerIfOneCannot() {
        stopForTheEnd();
        context.saved = Optional.of(FakeContext.checkpoint("last", 10));
        machine.saved(10);
        assertThat(context.sent.get(W0)).contains(new Message.Evaluate());
        machine.notDone(W0, current(), W0);
        assertThat(context.sent.get(W1)).contains(new Message.Evaluate());
        assertThat(context.warnings).isEmpty();
        machine.notDone(W1, current(), W1);
        assertThat(machine.state()).isEqualTo(StateName.LEAVING);
        assertThat(context.warnings).singleElement().asString().contains("not evaluated");
    }

    /** The worker that is left would step on, and the servers' parameters would not be those of the step that is known. */
    @Test
    public void asynchronousServersWaitWhereTooFewTasksAreTakenOver() {
        MembershipMachine next = new MembershipMachine(
                TrainingMode.ASYNCHRONOUS, Communication.PARAMETER_SERVER, new Allocation(1, 2), 2, context);
        next.ready(PS0);
        next.ready(W0);
        Ranges all = new Ranges(List.of(new Range(0, FakeContext.FLOATS)));
        next.takeOver(new Membership(new MembershipNumber(1, 3), List.of(W0, W1), new TreeMap<>(Map.of(PS0, all))));

        assertThat(next.state()).isEqualTo(StateName.WAITING);
        assertThat(new MembershipNumber(1, 3)
                        .isOlderThan(context.last(PS0, Message.Fence.class).number()))
                .isTrue();
    }

    /** Too few tasks are left for a membership until another worker comes, but the servers have lost nothing. */
    @Test
    public void goesOnFromMemoryWhereTheOnlyWorkerIsLostWithTheCoordinator() {
        Ranges half = new Ranges(List.of(new Range(0, FakeContext.FLOATS / 2)));
        Ranges rest = new Ranges(List.of(new Range(FakeContext.FLOATS / 2, FakeContext.FLOATS / 2)));
        MembershipMachine next = new MembershipMachine(
                TrainingMode.SYNCHRONOUS, Communication.PARAMETER_SERVER, new Allocation(2, 1), 2, context);
        next.ready(PS0);
        next.ready(PS1);
        next.takeOver(
                new Membership(new MembershipNumber(1, 3), List.of(W0), new TreeMap<>(Map.of(PS0, half, PS1, rest))));
        MembershipNumber fence = context.last(PS0, Message.Fence.class).number();
        next.received(PS0, new Message.Fenced(fence, 10));
        next.received(PS1, new Message.Fenced(fence, 11));
        next.target(Set.of(PS0, PS1, W1));
        next.ready(W1);

        assertThat(context.restored).isEmpty();
        assertThat(context.last(PS0, Message.Place.class).step()).isEqualTo(10);
    }

    private void stopForTheEnd() {
        step();
        machine.endByRule();
        machine.received(W0, new Message.AtBoundary(current(), 10));
        machine.received(W1, new Message.AtBoundary(current(), 10));
        assertThat(machine.state()).isEqualTo(StateName.SAVING);
    }

    private long saveOrders() {
        return context.sent.getOrDefault(PS0, List.of()).stream()
                .filter(Message.SaveNow.class::isInstance)
                .count();
    }

    @Test
    public void workerLostAtTheBoundaryIsTakenOutBetweenTheSameTwoSteps() {
        placeSecondServerUpToTheBoundary();
        machine.lost(W1);
        machine.received(
                PS0, new Message.Fenced(context.last(PS0, Message.Fence.class).number(), 10));
        assertThat(context.settledAt).isEqualTo(10);
        place(PS0, PS1);
        assertThat(context.last(W0, Message.Begin.class).step()).isEqualTo(10);
        start(W0);
        assertThat(machine.current().members()).containsExactly(W0, PS0, PS1);
        assertThat(context.restored).isEmpty();
    }

    /** The same, while one worker has not stopped yet. */
    private void placeSecondServerUpToTheBoundary() {
        step();
        machine.ready(PS1);
        machine.target(Set.of(PS0, PS1, W0, W1));
        MembershipNumber coming = context.last(W0, Message.Connect.class).number();
        machine.received(W0, new Message.Connected(coming));
        machine.received(W1, new Message.Connected(coming));
        makeRoom(PS0);
        assertThat(machine.state()).as("ps-1 still makes room").isEqualTo(StateName.CONNECTING);
        makeRoom(PS1);
        machine.received(W0, new Message.AtBoundary(current(), 10));
        assertThat(machine.state()).isEqualTo(StateName.STOPPING);
    }

    @Test
    public void workerLostWhileShardsMoveIsLeftOut() {
        placeSecondServer();
        machine.lost(W1);
        place(PS0, PS1);
        assertThat(machine.state()).isEqualTo(StateName.PLACING);
        place(PS0, PS1);
        start(W0);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(machine.current().members()).containsExactly(W0, PS0, PS1);
        assertThat(context.restored).isEmpty();
    }

    @Test
    public void newTargetDuringSwitchFollowsIt() {
        placeSecondServer();
        machine.target(Set.of(PS0, W0));
        place(PS0, PS1);
        assertThat(machine.current().members()).containsExactly(W0, W1, PS0, PS1);
        start(W0, W1);
        makeRoom(PS0);
        assertThat(machine.state()).isEqualTo(StateName.STOPPING);
        machine.received(W0, new Message.AtBoundary(current(), 11));
        machine.received(W1, new Message.AtBoundary(current(), 11));
        place(PS0, PS1);
        start(W0);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(machine.current().members()).containsExactly(W0, PS0);
    }

    @Test
    public void lateAnswersOfGivenUpMembershipChangeNothing() {
        placeSecondServer();
        MembershipNumber givenUp = placing(PS0);
        machine.lost(PS1);
        machine.received(PS0, new Message.Placed(givenUp));
        assertThat(machine.state()).isEqualTo(StateName.PLACING);
        machine.received(W0, new Message.Started(givenUp, 0));
        machine.received(W0, new Message.AtBoundary(givenUp, 99));
        assertThat(machine.state()).isEqualTo(StateName.PLACING);
    }

    private void stopsAt(long step, TaskId... workers) {
        machine.endByRule();
        for (TaskId worker : workers) {
            machine.received(worker, new Message.AtBoundary(current(), step));
        }
    }

    private void saved(long step) {
        context.saved = Optional.of(FakeContext.checkpoint("at-" + step, step));
        machine.saved(step);
    }

    @Test
    public void jobWithoutProgressBeginsItsStepAnew() {
        step();
        machine.restartStep();
        machine.received(
                PS0, new Message.Fenced(context.last(PS0, Message.Fence.class).number(), 10));
        place(PS0);
        assertThat(machine.state()).isEqualTo(StateName.STARTING);
        assertThat(context.last(W0, Message.Begin.class).step()).isEqualTo(10);
        start(W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(context.restored).isEmpty();
    }

    @Test
    public void endSavesWhatServersHoldThenEvaluates() {
        step();
        stopsAt(10, W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.SAVING);
        assertThat(context.last(PS0, Message.SaveNow.class).step()).isEqualTo(10);
        saved(10);
        assertThat(context.modelsKept).isEqualTo(1);
        assertThat(machine.state()).isEqualTo(StateName.EVALUATING);
        machine.received(W0, new Message.Evaluated(Optional.empty(), List.of()));
        assertThat(machine.state()).isEqualTo(StateName.LEAVING);
        assertThat(context.stopsUndone).isZero();
    }

    @Test
    public void onlyServerLostBeforeTheLastStepEndedIsWaitedFor() {
        step();
        stopsAt(10, W0);
        machine.lost(PS0);
        trainsOnWithASecondServer();
    }

    @Test
    public void onlyServerLostDuringTheFinalSaveIsWaitedFor() {
        step();
        stopsAt(10, W0, W1);
        machine.lost(PS0);
        trainsOnWithASecondServer();
    }

    /** Training does not count as done while no process has the model: it goes on from the checkpoint. */
    private void trainsOnWithASecondServer() {
        assertThat(machine.state()).isEqualTo(StateName.WAITING);
        assertThat(context.stopsUndone).isEqualTo(1);
        machine.target(Set.of(PS1, W0, W1));
        machine.ready(PS1);
        assertThat(context.last(PS1, Message.Place.class).checkpoint()).isEqualTo("start");
        place(PS1);
        start(W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        stopsAt(10, W0, W1);
        saved(10);
        assertThat(context.modelsKept).isEqualTo(1);
        assertThat(machine.state()).isEqualTo(StateName.EVALUATING);
    }

    @Test
    public void finalSaveWhoseTransferBreaksIsOrderedAgainAFewTimes() {
        step();
        stopsAt(10, W0, W1);
        CheckpointKey awaited = new CheckpointKey(10, current());
        assertThat(machine.savesNow(awaited)).isTrue();
        assertThat(machine.savesNow(new CheckpointKey(5, current()))).isFalse();
        context.sent.clear();
        assertThat(machine.saveAgain()).isTrue();
        assertThat(context.last(PS0, Message.SaveNow.class).step()).isEqualTo(10);
        assertThat(machine.saveAgain()).isTrue();
        assertThat(machine.saveAgain()).isTrue();
        assertThat(machine.saveAgain()).isFalse();
    }

    @Test
    public void onlyTheCheckpointThatServersLoadIsWaitedFor() {
        step();
        assertThat(machine.loads("start")).as("they step").isFalse();
        machine.lost(PS0);
        machine.target(Set.of(PS1, W0, W1));
        machine.ready(PS1);
        assertThat(machine.state()).isEqualTo(StateName.PLACING);
        assertThat(machine.loads("start")).isTrue();
        assertThat(machine.loads("another")).isFalse();
    }

    @Test
    public void stepThatOnlySomeServersAppliedIsTakenBackBeforeTheFinalSave() {
        placeSecondServer();
        place(PS0, PS1);
        start(W0, W1);
        stopsAt(20);
        machine.lost(W0);
        machine.lost(W1);
        MembershipNumber fence = context.last(PS0, Message.Fence.class).number();
        machine.received(PS0, new Message.Fenced(fence, 21));
        machine.received(PS1, new Message.Fenced(fence, 20));
        assertThat(machine.state())
                .as("what they hold is not the state before any step")
                .isEqualTo(StateName.WAITING);
        TaskId newcomer = TaskId.worker(2);
        machine.target(Set.of(PS0, PS1, newcomer));
        machine.ready(newcomer);
        assertThat(context.last(PS0, Message.Place.class).step()).isEqualTo(20);
        place(PS0, PS1);
        start(newcomer);
        machine.received(newcomer, new Message.AtBoundary(current(), 20));
        assertThat(machine.state()).isEqualTo(StateName.SAVING);
        assertThat(context.last(PS0, Message.SaveNow.class).step()).isEqualTo(20);
        assertThat(context.stopsUndone).isZero();
    }

    @Test
    public void endsWhenAllTasksAreGone() {
        step();
        machine.fail("for a test");
        machine.lost(W0);
        machine.lost(W1);
        assertThat(context.ended).isFalse();
        machine.lost(PS0);
        assertThat(context.ended).isTrue();
        assertThat(machine.state()).isEqualTo(StateName.ENDED);
    }

    @Test
    public void missingProgressIsReportedOnceATimeOut() {
        step();
        assertThat(progressMissing(0, 7)).isFalse();
        assertThat(progressMissing(100, 7)).isFalse();
        assertThat(progressMissing(101, 7)).isTrue();
        assertThat(progressMissing(102, 7)).isFalse();
        assertThat(progressMissing(202, 7)).isTrue();
        assertThat(progressMissing(303, 8)).as("a step is done").isFalse();
    }

    @Test
    public void progressIsExpectedOnlyWhileTheJobSteps() {
        step();
        assertThat(progressMissing(0, 7)).isFalse();
        machine.ready(PS1);
        machine.target(Set.of(PS0, PS1, W0, W1));
        assertThat(machine.state()).isEqualTo(StateName.CONNECTING);
        assertThat(progressMissing(200, 7)).isFalse();
        machine.target(Set.of(PS0, W0, W1));
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(progressMissing(300, 7)).isFalse();
        assertThat(progressMissing(401, 7)).isTrue();
    }

    private boolean progressMissing(long nanos, long nextStep) {
        context.nanos = nanos;
        return machine.makesNoProgress(nextStep, 100);
    }

    @Test
    public void namesTasksThatAnswerLate() {
        context.nanos = 10;
        placeSecondServer();
        place(PS0);
        context.nanos = 15;
        assertThat(machine.lateAfter(5)).isEmpty();
        context.nanos = 16;
        assertThat(machine.lateAfter(5)).containsExactly(PS1);
    }

    private void atBoundary(TaskId worker, long step) {
        machine.received(worker, new Message.AtBoundary(current(), step));
    }

    @Test
    public void savesAndEvaluatesWhenWorkersStopAfterTheLastStep() {
        context.endStep = 10;
        step();
        atBoundary(W1, 10);
        assertThat(machine.state()).isEqualTo(StateName.STOPPING);
        atBoundary(W0, 10);
        assertThat(machine.state()).isEqualTo(StateName.SAVING);
        assertThat(context.settledAt).isEqualTo(10);
        context.saved = Optional.of(FakeContext.checkpoint("last", 10));
        machine.saved(10);
        assertThat(machine.state()).isEqualTo(StateName.EVALUATING);
        assertThat(context.modelsKept).isEqualTo(1);
    }

    @Test
    public void savesInsteadOfResizingAfterTheLastStep() {
        context.endStep = 10;
        placeSecondServerUpToTheBoundary();
        atBoundary(W1, 10);
        assertThat(machine.state()).isEqualTo(StateName.SAVING);
    }

    @Test
    public void awaitsAllWorkersThatStartAfterTheLastStep() {
        context.endStep = 10;
        context.saved = Optional.of(FakeContext.checkpoint("last", 10));
        machine.target(Set.of(PS0, W0, W1));
        machine.ready(PS0);
        machine.ready(W0);
        machine.ready(W1);
        place(PS0);
        assertThat(context.last(W0, Message.Begin.class).endStep()).isEqualTo(10);
        start(W0);
        atBoundary(W0, 10);
        assertThat(machine.state()).isEqualTo(StateName.STARTING);
        start(W1);
        assertThat(machine.state()).isEqualTo(StateName.STOPPING);
        atBoundary(W1, 10);
        assertThat(machine.state()).isEqualTo(StateName.EVALUATING);
    }

    @Test
    public void renewalBeginsANewMembershipOfTheSameMembers() {
        step();
        Membership before = machine.current();
        machine.renew();
        assertThat(machine.state()).isEqualTo(StateName.STOPPING);
        atBoundary(W0, 20);
        atBoundary(W1, 20);
        place(PS0);
        start(W0, W1);
        assertThat(machine.state()).isEqualTo(StateName.STEPPING);
        assertThat(machine.current().members()).isEqualTo(before.members());
        assertThat(before.number().isOlderThan(current())).isTrue();
        assertThat(context.begun).containsExactly(before, machine.current());
        assertThat(context.last(W0, Message.Begin.class).step()).isEqualTo(20);
        assertThat(context.resizes.get(1).cause()).isEqualTo(Cause.RENEWED);
    }

    @Test
    public void workerLostInARenewalIsALoss() {
        step();
        machine.renew();
        atBoundary(W0, 20);
        machine.lost(W1);
        machine.received(
                PS0, new Message.Fenced(context.last(PS0, Message.Fence.class).number(), 20));
        place(PS0);
        start(W0);
        assertThat(context.resizes.get(1).cause()).isEqualTo(Cause.WORKER_LOST);
    }

    @Test
    public void doesNotRenewAMembershipThatEndsAnyway() {
        step();
        machine.ready(PS1);
        machine.target(Set.of(PS0, PS1, W0, W1));
        machine.renew();
        assertThat(machine.state()).isEqualTo(StateName.CONNECTING);
    }

    @Test
    public void onlyOneWorkersReportsCount() {
        step();
        assertThat(machine.reports(W0)).isTrue();
        assertThat(machine.reports(W1)).isFalse();
    }
}
