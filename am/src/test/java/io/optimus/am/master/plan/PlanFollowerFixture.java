package io.optimus.am.master.plan;

import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.configuration.MasterSettings.NodeFailureLimits;
import io.optimus.am.configuration.MasterSettings.TaskTimeouts;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.FakeLauncher;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A plan follower among fakes, with a clock that stands still. */
public final class PlanFollowerFixture implements FollowerEvents {
    static final TargetNode A = new TargetNode("a:1", "a");
    static final TargetNode B = new TargetNode("b:1", "b");
    public static final RoleOnNode WORKER_A = new RoleOnNode(Role.WORKER, A);
    public static final RoleOnNode WORKER_B = new RoleOnNode(Role.WORKER, B);
    public static final RoleOnNode PS_A = new RoleOnNode(Role.PARAMETER_SERVER, A);
    static final RoleOnNode PS_B = new RoleOnNode(Role.PARAMETER_SERVER, B);
    public static final MasterSettings SETTINGS = new MasterSettings(
            new TaskTimeouts(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(5)),
            new NodeFailureLimits(Duration.ofMinutes(30), 2, Duration.ofMinutes(5), Duration.ofSeconds(90)),
            Duration.ofSeconds(15),
            PortRange.ANY);

    final FakeContainers containers = new FakeContainers();
    final FakeLauncher launcher = new FakeLauncher();
    final FakeCoordinator coordinator = new FakeCoordinator();
    final List<String> lost = new ArrayList<>();
    final List<RoleOnNode> unmet = new ArrayList<>();
    final List<String> failures = new ArrayList<>();
    final List<String> resizes = new ArrayList<>();
    final PlanFollower follower;
    long nowMillis = 1_000_000;
    private int containersGiven;

    PlanFollowerFixture(Allocation minimum) {
        follower = new PlanFollower(
                containers,
                launcher,
                coordinator,
                new TaskFailures(SETTINGS, role -> 2, "ann"),
                this,
                SETTINGS,
                minimum,
                1,
                () -> nowMillis);
    }

    /** A job that runs on 1 ps and {@code workers} workers, all on node A, by plan 1. */
    static PlanFollowerFixture running(int workers) {
        PlanFollowerFixture bed = new PlanFollowerFixture(new Allocation(1, 1));
        bed.follower.follow(plan(1, new Allocation(1, workers), Allocation.NONE));
        bed.give(PS_A);
        for (int i = 0; i < workers; i++) {
            bed.give(WORKER_A);
        }
        bed.connectAll();
        bed.carryOut();
        return bed;
    }

    public static Directive plan(long number, Allocation onA, Allocation onB) {
        return plan(number, onA, onB, Duration.ofSeconds(15));
    }

    public static Directive plan(long number, Allocation onA, Allocation onB, Duration grace) {
        SortedMap<TargetNode, Allocation> target = new TreeMap<>();
        target.put(A, onA);
        target.put(B, onB);
        return new Directive(
                number,
                target,
                "test",
                false,
                OptionalLong.of(grace.toMillis()),
                OptionalDouble.empty(),
                Optional.empty(),
                onA.plus(onB));
    }

    /** YARN gives a container; returns its id. */
    String give(RoleOnNode seat) {
        String container = "container_" + containersGiven++;
        follower.granted(List.of(new TaskContainer(container, seat.place().node(), "a:8042", seat.role())));
        return container;
    }

    /** All processes that were launched and have not connected do so. */
    void connectAll() {
        follower.tasks().in(JobTask.Phase.STARTING).forEach(task -> coordinator.ready.add(task.id()));
        follower.look();
    }

    void connect(TaskId task) {
        coordinator.ready.add(task);
        follower.look();
    }

    /** The training carries out what it was asked for; leavers leave. */
    void carryOut() {
        coordinator.carryOut().forEach(follower::left);
        follower.look();
    }

    void pass(Duration time) {
        nowMillis += time.toMillis();
        follower.look();
    }

    void exit(TaskId task, int status) {
        exitContainer(Objects.requireNonNull(launcher.launched.get(task)), status);
    }

    void exitContainer(String container, int status) {
        follower.exited(List.of(new ContainerExit(container, status, "it broke")));
    }

    public static SortedSet<TaskId> tasks(TaskId... tasks) {
        return new TreeSet<>(List.of(tasks));
    }

    @Override
    public void following(Directive directive) {}

    @Override
    public void started(JobTask task) {}

    @Override
    public void resizing(Allocation from, Allocation to, SortedSet<TaskId> members, Directive directive) {
        resizes.add(from + " -> " + to);
    }

    @Override
    public void unmet(RoleOnNode seat, int count) {
        unmet.add(seat);
    }

    @Override
    public void avoiding(SortedSet<String> nodes) {}

    @Override
    public void lost(JobTask task, ContainerExit exit) {
        lost.add(task.id() + " " + exit.status());
    }

    @Override
    public void failed(String diagnostics) {
        failures.add(diagnostics);
    }
}
