package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Records what the machine asks for, and answers nothing. */
class FakeContext implements MembershipContext {
    static final int FLOATS = 100;

    final Map<TaskId, List<ToTask>> sent = new TreeMap<>();
    final List<Resize> resizes = new ArrayList<>();
    final List<Membership> begun = new ArrayList<>();
    final List<SavedCheckpoint> restored = new ArrayList<>();
    final Map<StateName, Set<StateName>> transitions = new EnumMap<>(StateName.class);
    Optional<SavedCheckpoint> saved = Optional.of(checkpoint("start", 0));
    long nanos;
    long knownStep;
    long endStep = Long.MAX_VALUE;
    long settledAt = -1;
    int stopsUndone;
    int modelsKept;
    final List<String> warnings = new ArrayList<>();
    boolean ended;

    static SavedCheckpoint checkpoint(String name, long step) {
        return new SavedCheckpoint(name, step, FLOATS, StepLosses.State.START);
    }

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
        return nanos;
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
    public void beginning(Membership membership, long step) {
        begun.add(membership);
    }

    @Override
    public Message.Samples samplesFrom(long step) {
        return new Message.Samples(10 * step, 10, 0);
    }

    @Override
    public ModelLayout model() {
        return ModelLayout.of(List.of(ParameterBlock.parameter("all", FLOATS)), new Optimizer.Sgd(1, 0, 0), 1);
    }

    @Override
    public long endStep() {
        return endStep;
    }

    @Override
    public long knownStep() {
        return knownStep;
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
    public void restoredTo(SavedCheckpoint checkpoint, MembershipNumber next) {
        restored.add(checkpoint);
    }

    @Override
    public void stopUndone() {
        stopsUndone++;
    }

    @Override
    public void stepping(boolean begun) {}

    @Override
    public void resized(Resize resize) {
        resizes.add(resize);
    }

    @Override
    public void keepModel() {
        modelsKept++;
    }

    @Override
    public void warned(String what) {
        warnings.add(what);
    }

    @Override
    public void ended() {
        ended = true;
    }

    @Override
    public void entered(StateName from, StateName to) {
        transitions
                .computeIfAbsent(from, one -> EnumSet.noneOf(StateName.class))
                .add(to);
    }
}
