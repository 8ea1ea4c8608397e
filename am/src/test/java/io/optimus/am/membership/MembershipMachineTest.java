package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.junit.Test;

/** The machine alone: its world only writes down what it was asked for. */
public final class MembershipMachineTest {
    private static final TaskId PS0 = TaskId.server(0);
    private static final TaskId PS1 = TaskId.server(1);
    private static final TaskId W0 = TaskId.worker(0);
    private static final TaskId W1 = TaskId.worker(1);

    private final Recorder world = new Recorder();
    private final MembershipMachine machine =
            new MembershipMachine(TrainingMode.SYNCHRONOUS, new Allocation(1, 1), 1, world);

    private static final class Recorder implements MembershipContext {
        final Map<TaskId, List<ToTask>> sent = new TreeMap<>();
        final List<Resize> resizes = new ArrayList<>();
        final List<SavedCheckpoint> restored = new ArrayList<>();
        Optional<SavedCheckpoint> saved = Optional.of(new SavedCheckpoint("start", 0, 100, StepLosses.State.START));
        long settledAt = -1;
        int stopsUndone;
        int modelsKept;
        boolean ended;

        <T extends ToTask> T last(TaskId task, Class<T> kind) {
            List<T> all = sent.getOrDefault(task, List.of()).stream()
                    .filter(kind::isInstance)
                    .map(kind::cast)
                    .toList();
            assertThat(all).as("%s to %s", kind.getSimpleName(), task).isNotEmpty();
            return all.get(all.size() - 1);
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void send(TaskId task, ToTask message) {
            sent.computeIfAbsent(task, one -> new ArrayList<>()).add(message);
        }

        @Override
        public ServerAddress address(TaskId server) {
            return new ServerAddress(server, "localhost", 1);
        }

        @Override
        public Ranges statistics() {
            return Ranges.NONE;
        }

        @Override
        public SortedMap<TaskId, Ranges> assign(SortedMap<TaskId, Ranges> held, SortedSet<TaskId> servers) {
            return new ShardAssignment(List.of(new ParameterBlock("all", 100, true))).assign(held, servers);
        }

        @Override
        public long knownStep() {
            return 0;
        }

        @Override
        public Optional<SavedCheckpoint> saved() {
            return saved;
        }

        @Override
        public void settledAt(long step) {
            settledAt = step;
        }

        @Override
        public void restoredTo(SavedCheckpoint state) {
            restored.add(state);
        }

        @Override
        public void stopUndone() {
            stopsUndone++;
        }

        @Override
        public void stepping(boolean yes) {}

        @Override
        public void resized(Resize resize) {
            resizes.add(resize);
        }

        @Override
        public void keepModel() {
            modelsKept++;
        }

        @Override
        public void ended() {
            ended = true;
        }
    }

    private MembershipNumber placing(TaskId server) {
        return world.last(server, Message.Place.class).number();
    }

    private MembershipNumber current() {
        return machine.current().number();
    }

    private void place(TaskId... servers) {
        for (TaskId server : servers) {
            machine.placed(server, placing(server));
        }
    }

    private void start(TaskId... workers) {
        for (TaskId worker : workers) {
            machine.started(worker, current());
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
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        world.restored.clear();
    }

    /** A second server joins; its shard is about to move. */
    private void placeSecondServer() {
        placeSecondServerUpToTheBoundary();
        machine.atBoundary(W1, current(), 10);
        assertThat(machine.phase()).isEqualTo(Phase.PLACING);
    }

    @Test
    public void joiningServerLostWhileShardsMoveTakesNoStepWithIt() {
        placeSecondServer();
        MembershipNumber base = current();
        place(PS0);
        machine.lost(PS1);
        Message.Place again = world.last(PS0, Message.Place.class);
        assertThat(again.base()).isEqualTo(base);
        assertThat(again.step()).isEqualTo(10);
        assertThat(again.checkpoint()).isEmpty();
        assertThat(again.hold().floats()).isEqualTo(100);
        place(PS0);
        start(W0, W1);
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        assertThat(machine.current().members()).containsExactly(W0, W1, PS0);
        assertThat(world.restored).isEmpty();
    }

    @Test
    public void stayingServerLostWhileShardsMoveGoesBackToCheckpoint() {
        placeSecondServer();
        machine.lost(PS0);
        assertThat(world.restored).hasSize(1);
        assertThat(world.last(PS1, Message.Place.class).checkpoint()).isEqualTo("start");
        place(PS1);
        start(W0, W1);
        assertThat(world.resizes.get(1).cause()).isEqualTo(Cause.SERVER_LOST);
    }

    @Test
    public void leavingServerMayDieOnceItHasSentEverything() {
        placeSecondServer();
        place(PS0, PS1);
        start(W0, W1);
        machine.target(Set.of(PS1, W0, W1));
        machine.atBoundary(W0, current(), 20);
        machine.atBoundary(W1, current(), 20);
        place(PS0);
        machine.lost(PS0);
        place(PS1);
        start(W0, W1);
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        assertThat(world.restored).isEmpty();
    }

    @Test
    public void placesAnewWhatCouldNotBePlaced() {
        placeSecondServer();
        MembershipNumber failed = placing(PS0);
        assertThat(machine.notDone(PS0, failed, PS1)).isFalse();
        Message.Place again = world.last(PS0, Message.Place.class);
        assertThat(failed.isOlderThan(again.number())).isTrue();
        assertThat(again.step()).isEqualTo(10);
        assertThat(again.sends()).hasSize(1);
        assertThat(machine.notDone(PS0, failed, PS1)).isFalse();
        assertThat(world.last(PS0, Message.Place.class))
                .as("of an older placement")
                .isEqualTo(again);
        place(PS0, PS1);
        start(W0, W1);
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        assertThat(world.restored).isEmpty();
    }

    @Test
    public void givesUpWhomNothingCanBePlacedWith() {
        placeSecondServer();
        for (int i = 0; i < 5; i++) {
            assertThat(machine.notDone(PS0, placing(PS0), PS1)).isFalse();
        }
        assertThat(machine.notDone(PS0, placing(PS0), PS1)).isTrue();
    }

    @Test
    public void savesAgainWhatCouldNotBeSaved() {
        stopForTheEnd();
        long orders = saveOrders();
        assertThat(machine.notDone(PS0, current(), PS0)).isFalse();
        assertThat(saveOrders()).isEqualTo(orders + 1);
        assertThat(machine.phase()).isEqualTo(Phase.SAVING);
    }

    @Test
    public void evaluatesOnAnotherWorkerWhereOneCannot() {
        stopForTheEnd();
        world.saved = Optional.of(new SavedCheckpoint("last", 10, 100, StepLosses.State.START));
        machine.saved(10);
        assertThat(world.sent.get(W0)).contains(new Message.Evaluate());
        machine.notDone(W0, current(), W0);
        assertThat(world.sent.get(W1)).contains(new Message.Evaluate());
        machine.notDone(W1, current(), W1);
        assertThat(machine.phase()).isEqualTo(Phase.LEAVING);
    }

    private void stopForTheEnd() {
        step();
        machine.end(false);
        machine.atBoundary(W0, current(), 10);
        machine.atBoundary(W1, current(), 10);
        assertThat(machine.phase()).isEqualTo(Phase.SAVING);
    }

    private long saveOrders() {
        return world.sent.getOrDefault(PS0, List.of()).stream()
                .filter(Message.SaveNow.class::isInstance)
                .count();
    }

    @Test
    public void workerLostAtTheBoundaryIsTakenOutBetweenTheSameTwoSteps() {
        placeSecondServerUpToTheBoundary();
        machine.lost(W1);
        machine.fenced(PS0, world.last(PS0, Message.Fence.class).number(), 10);
        assertThat(world.settledAt).isEqualTo(10);
        place(PS0, PS1);
        assertThat(world.last(W0, Message.Begin.class).step()).isEqualTo(10);
        start(W0);
        assertThat(machine.current().members()).containsExactly(W0, PS0, PS1);
        assertThat(world.restored).isEmpty();
    }

    /** The same, with one worker still on its way to the boundary. */
    private void placeSecondServerUpToTheBoundary() {
        step();
        machine.ready(PS1);
        machine.target(Set.of(PS0, PS1, W0, W1));
        MembershipNumber coming = world.last(W0, Message.Connect.class).number();
        machine.connected(W0, coming);
        machine.connected(W1, coming);
        machine.atBoundary(W0, current(), 10);
        assertThat(machine.phase()).isEqualTo(Phase.STOPPING);
    }

    @Test
    public void workerLostWhileShardsMoveIsLeftOut() {
        placeSecondServer();
        machine.lost(W1);
        place(PS0, PS1);
        assertThat(machine.phase()).isEqualTo(Phase.PLACING);
        place(PS0, PS1);
        start(W0);
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        assertThat(machine.current().members()).containsExactly(W0, PS0, PS1);
        assertThat(world.restored).isEmpty();
    }

    @Test
    public void newTargetDuringSwitchFollowsIt() {
        placeSecondServer();
        machine.target(Set.of(PS0, W0));
        place(PS0, PS1);
        assertThat(machine.current().members()).containsExactly(W0, W1, PS0, PS1);
        start(W0, W1);
        assertThat(machine.phase()).isEqualTo(Phase.STOPPING);
        machine.atBoundary(W0, current(), 11);
        machine.atBoundary(W1, current(), 11);
        place(PS0, PS1);
        start(W0);
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        assertThat(machine.current().members()).containsExactly(W0, PS0);
    }

    @Test
    public void lateAnswersOfGivenUpMembershipChangeNothing() {
        placeSecondServer();
        MembershipNumber givenUp = placing(PS0);
        machine.lost(PS1);
        machine.placed(PS0, givenUp);
        assertThat(machine.phase()).isEqualTo(Phase.PLACING);
        machine.started(W0, givenUp);
        machine.atBoundary(W0, givenUp, 99);
        assertThat(machine.phase()).isEqualTo(Phase.PLACING);
    }

    private void stopsAt(long step, TaskId... workers) {
        machine.end(false);
        for (TaskId worker : workers) {
            machine.atBoundary(worker, current(), step);
        }
    }

    private void saved(long step) {
        world.saved = Optional.of(new SavedCheckpoint("at-" + step, step, 100, StepLosses.State.START));
        machine.saved(step);
    }

    @Test
    public void jobThatStandsStillBeginsItsStepAnew() {
        step();
        machine.standsStill();
        machine.fenced(PS0, world.last(PS0, Message.Fence.class).number(), 10);
        place(PS0);
        assertThat(machine.phase()).isEqualTo(Phase.STARTING);
        assertThat(world.last(W0, Message.Begin.class).step()).isEqualTo(10);
        start(W0, W1);
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        assertThat(world.restored).isEmpty();
    }

    @Test
    public void endSavesWhatServersHoldThenEvaluates() {
        step();
        stopsAt(10, W0, W1);
        assertThat(machine.phase()).isEqualTo(Phase.SAVING);
        assertThat(world.last(PS0, Message.SaveNow.class).step()).isEqualTo(10);
        saved(10);
        assertThat(world.modelsKept).isEqualTo(1);
        assertThat(machine.phase()).isEqualTo(Phase.EVALUATING);
        machine.evaluated(W0);
        assertThat(machine.phase()).isEqualTo(Phase.LEAVING);
        assertThat(world.stopsUndone).isZero();
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

    /** Nobody is told that training is done while the model is nowhere; it goes on from the checkpoint. */
    private void trainsOnWithASecondServer() {
        assertThat(machine.phase()).isEqualTo(Phase.WAITING);
        assertThat(world.stopsUndone).isEqualTo(1);
        machine.target(Set.of(PS1, W0, W1));
        machine.ready(PS1);
        assertThat(world.last(PS1, Message.Place.class).checkpoint()).isEqualTo("start");
        place(PS1);
        start(W0, W1);
        assertThat(machine.phase()).isEqualTo(Phase.STEPPING);
        stopsAt(10, W0, W1);
        saved(10);
        assertThat(world.modelsKept).isEqualTo(1);
        assertThat(machine.phase()).isEqualTo(Phase.EVALUATING);
    }

    @Test
    public void finalSaveWhoseTransferBreaksIsOrderedAgainAFewTimes() {
        step();
        stopsAt(10, W0, W1);
        CheckpointService.Key awaited = new CheckpointService.Key(10, current());
        assertThat(machine.savesNow(awaited)).isTrue();
        assertThat(machine.savesNow(new CheckpointService.Key(5, current()))).isFalse();
        world.sent.clear();
        assertThat(machine.saveAgain()).isTrue();
        assertThat(world.last(PS0, Message.SaveNow.class).step()).isEqualTo(10);
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
        assertThat(machine.phase()).isEqualTo(Phase.PLACING);
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
        MembershipNumber fence = world.last(PS0, Message.Fence.class).number();
        machine.fenced(PS0, fence, 21);
        machine.fenced(PS1, fence, 20);
        assertThat(machine.phase()).as("what they hold is no step's state").isEqualTo(Phase.WAITING);
        TaskId newcomer = TaskId.worker(2);
        machine.target(Set.of(PS0, PS1, newcomer));
        machine.ready(newcomer);
        assertThat(world.last(PS0, Message.Place.class).step()).isEqualTo(20);
        place(PS0, PS1);
        start(newcomer);
        machine.atBoundary(newcomer, current(), 20);
        assertThat(machine.phase()).isEqualTo(Phase.SAVING);
        assertThat(world.last(PS0, Message.SaveNow.class).step()).isEqualTo(20);
        assertThat(world.stopsUndone).isZero();
    }

    @Test
    public void endsWhenAllTasksAreGone() {
        step();
        machine.fail("for a test");
        machine.lost(W0);
        machine.lost(W1);
        assertThat(world.ended).isFalse();
        machine.lost(PS0);
        assertThat(world.ended).isTrue();
        assertThat(machine.phase()).isEqualTo(Phase.ENDED);
    }
}
