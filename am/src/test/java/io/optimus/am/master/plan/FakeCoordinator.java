package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A training that changes its membership when the test says so. */
public final class FakeCoordinator implements Coordinator {
    public final SortedSet<TaskId> ready = new TreeSet<>();
    public final SortedSet<TaskId> members = new TreeSet<>();
    final SortedSet<TaskId> loading = new TreeSet<>();
    final List<SortedSet<TaskId>> targets = new ArrayList<>();
    final Map<TaskId, StepTotals> totals = new TreeMap<>();
    final List<TaskId> lost = new ArrayList<>();
    final List<TaskId> releasedTasks = new ArrayList<>();
    public final SortedSet<TaskId> called = new TreeSet<>();
    public final SortedSet<TaskId> dismissed = new TreeSet<>();
    final List<String> stops = new ArrayList<>();
    State state = State.STEPPING;
    public MembershipNumber membership = new MembershipNumber(1, 0);
    public Optional<ProgramSettings> program = Optional.empty();
    public CoordinatorStatus.Progress progress = CoordinatorStatus.Progress.before(0);

    @Override
    public void start() {}

    @Override
    public void dismiss(Collection<ServerAddress> tasks, Successor self) {
        tasks.forEach(task -> dismissed.add(task.task()));
    }

    @Override
    public void takeOver(Collection<ServerAddress> tasks, Successor self, Runnable done) {
        tasks.forEach(task -> called.add(task.task()));
        done.run();
    }

    @Override
    public int port() {
        return 1;
    }

    @Override
    public SortedSet<TaskId> readyTasks() {
        return new TreeSet<>(ready);
    }

    @Override
    public SortedSet<TaskId> loadingTasks() {
        return new TreeSet<>(loading);
    }

    @Override
    public void target(Set<TaskId> wanted) {
        targets.add(new TreeSet<>(wanted));
    }

    @Override
    public void release(TaskId task) {
        releasedTasks.add(task);
        ready.remove(task);
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        lost.add(task);
        ready.remove(task);
        members.remove(task);
    }

    @Override
    public void yarnAnswers() {}

    @Override
    public CoordinatorStatus status() {
        SortedMap<TaskId, TaskStatus> tasks = new TreeMap<>();
        ready.forEach(task -> tasks.put(task, new TaskStatus(false, 0, StepTotals.NONE)));
        members.forEach(task -> tasks.put(task, new TaskStatus(true, 0, totals.getOrDefault(task, StepTotals.NONE))));
        return new CoordinatorStatus(state, progress, program, membership, Allocation.NONE, tasks);
    }

    @Override
    public void stop(String reason) {
        stops.add(reason);
    }

    @Override
    public void close() {}

    /** Carries out the last target; returns the tasks that leave. */
    public SortedSet<TaskId> carryOut() {
        SortedSet<TaskId> target = targets.get(targets.size() - 1);
        SortedSet<TaskId> leavers = new TreeSet<>(members);
        leavers.removeAll(target);
        members.clear();
        members.addAll(target);
        ready.removeAll(target);
        return leavers;
    }
}
