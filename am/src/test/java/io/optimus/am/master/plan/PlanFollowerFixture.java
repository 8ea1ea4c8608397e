package io.optimus.am.master.plan;

import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.configuration.MasterSettings.FailureLimits;
import io.optimus.am.configuration.MasterSettings.TaskTimeouts;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A plan follower among fakes, with a clock that the test moves. */
public final class PlanFollowerFixture implements PlanFollower.Listener {
    static final TargetNode A = new TargetNode("a:1", "a");
    static final TargetNode B = new TargetNode("b:1", "b");
    public static final RoleOnNode WORKER_A = new RoleOnNode(Role.WORKER, A);
    public static final RoleOnNode WORKER_B = new RoleOnNode(Role.WORKER, B);
    public static final RoleOnNode PS_A = new RoleOnNode(Role.PARAMETER_SERVER, A);
    static final RoleOnNode PS_B = new RoleOnNode(Role.PARAMETER_SERVER, B);
    public static final TaskTimeouts TIMEOUTS = new TaskTimeouts(
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(5),
            Duration.ofMinutes(10),
            Duration.ofSeconds(30));
    public static final FailureLimits LIMITS = new FailureLimits(
            Duration.ofMinutes(30), Duration.ofMinutes(10), 2, Duration.ofMinutes(5), Duration.ofSeconds(90));
    public static final MasterSettings SETTINGS =
            new MasterSettings(TIMEOUTS, LIMITS, Duration.ofMinutes(10), Duration.ofSeconds(15), PortRange.ANY);

    public final FakeContainers containers = new FakeContainers();
    public final FakeCoordinator coordinator = new FakeCoordinator();
    final List<String> lost = new ArrayList<>();
    final List<TaskId> stragglers = new ArrayList<>();
    final List<RoleOnNode> unmet = new ArrayList<>();
    final List<String> failures = new ArrayList<>();
    final List<String> resizes = new ArrayList<>();
    final List<String> raised = new ArrayList<>();
    public final TaskMemory memory;
    public final PlanFollower follower;
    long nowMillis = 1_000_000;
    private int containersGiven;

    public PlanFollowerFixture(Allocation minimum) {
        this(minimum, JobSpecs.emulated());
    }

    private PlanFollowerFixture(Allocation minimum, JobSpec spec) {
        memory = new TaskMemory(spec, containers);
        PlanFollower.Job job =
                new PlanFollower.Job(1, minimum, TrainingMode.SYNCHRONOUS, role -> 2, memory, () -> nowMillis);
        follower = new PlanFollower(job, TIMEOUTS, LIMITS, containers, coordinator, this);
    }

    /** A job that runs on 1 ps and {@code workers} workers, all on node A, by plan 1. */
    static PlanFollowerFixture running(int workers) {
        return running(workers, JobSpecs.emulated());
    }

    /** The same with the memory of {@code spec}. */
    static PlanFollowerFixture running(int workers, JobSpec spec) {
        PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1), spec);
        fixture.follower.follow(plan(1, new Allocation(1, workers), Allocation.NONE));
        fixture.give(PS_A);
        for (int i = 0; i < workers; i++) {
            fixture.give(WORKER_A);
        }
        fixture.connectAll();
        fixture.carryOut();
        return fixture;
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
                onA.plus(onB),
                "test",
                false,
                OptionalLong.of(grace.toMillis()),
                Directive.Remaining.UNKNOWN);
    }

    public static TaskContainer container(String id, RoleOnNode key) {
        return container(id, key, 1_000);
    }

    private static TaskContainer container(String id, RoleOnNode key, long memoryMb) {
        return new TaskContainer(id, key.node().id(), key.role(), memoryMb, "log of " + id, false);
    }

    /** YARN allocates a container; returns its id. */
    public String give(RoleOnNode key) {
        return give(key, 1_000);
    }

    /** YARN allocates a container with that many MiB; returns its id. */
    String give(RoleOnNode key, long memoryMb) {
        String container = "container_" + containersGiven++;
        follower.allocated(List.of(container(container, key, memoryMb)));
        return container;
    }

    /** YARN allocates a container that the scheduler requested; returns its id. */
    public String giveGuaranteed(RoleOnNode key) {
        String container = "container_" + containersGiven++;
        follower.allocated(List.of(guaranteed(container, key)));
        return container;
    }

    static TaskContainer guaranteed(String id, RoleOnNode key) {
        return new TaskContainer(id, key.node().id(), key.role(), 1_000, "", true);
    }

    /** All launched processes connect that have not yet. */
    public void connectAll() {
        follower.tasks().stream()
                .filter(task -> task.state().equals("starting"))
                .forEach(task -> coordinator.ready.add(task.id()));
        follower.reconcile();
    }

    void connect(TaskId task) {
        coordinator.ready.add(task);
        follower.reconcile();
    }

    /** The training makes the membership that it was asked for; tasks that it lacks leave. */
    public void carryOut() {
        coordinator.carryOut().forEach(follower::left);
        follower.reconcile();
    }

    void pass(Duration time) {
        nowMillis += time.toMillis();
        follower.reconcile();
    }

    void exit(TaskId task, int status) {
        exitContainer(Objects.requireNonNull(containers.launched.get(task)), status);
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
    public void taskStarted(TaskId task, TaskContainer container) {}

    @Override
    public void resizeRequested(Allocation from, Allocation to, SortedSet<TaskId> members, Directive directive) {
        resizes.add(from + " -> " + to);
    }

    @Override
    public void requestUnmet(RoleOnNode key, int count) {
        unmet.add(key);
    }

    @Override
    public void avoiding(SortedSet<String> nodes) {}

    @Override
    public void taskGone(TaskId task) {}

    @Override
    public void taskLost(TaskId task, TaskContainer container, ContainerExit exit) {
        lost.add(task + " " + exit.status());
    }

    @Override
    public void stragglerFound(TaskId task, TaskContainer container, double slowness) {
        stragglers.add(task);
    }

    @Override
    public void memoryRaised(Role role, long beforeMb, long memoryMb) {
        raised.add(role + " " + beforeMb + " -> " + memoryMb);
    }

    @Override
    public void retriesUsedUp(String diagnostics) {
        failures.add(diagnostics);
    }
}
