package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.FakeLauncher;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.Test;

public class TaskStartsTest {
    private static final Directive PLAN = PlanFollowerFixture.plan(7, new Allocation(1, 2), new Allocation(0, 1));
    private static final TaskContainer ON_A = new TaskContainer("container_1", "a:1", "a:8042", Role.WORKER);

    private final FakeContainers containers = new FakeContainers();
    private final FakeLauncher launcher = new FakeLauncher();
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final JobTasks tasks = new JobTasks(1);
    private final TaskStarts arrivals =
            new TaskStarts(containers, launcher, coordinator, tasks, Duration.ofSeconds(30), Duration.ofSeconds(60));
    private long nowMillis;

    @Test
    public void asksForWhatLacksOfThePlan() {
        tasks.add(ON_A, nowMillis);

        ask(Collections.emptySortedSet());

        assertThat(containers.lastAsk()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 1, WORKER_B, 1));
    }

    @Test
    public void asksForNothingOnNodesThatAreAvoided() {
        ask(new TreeSet<>(List.of("a:1")));

        assertThat(containers.lastAsk()).isEqualTo(Map.of(WORKER_B, 1));
    }

    @Test
    public void tellsWhatYarnHasGivenNothingForInTime() {
        assertThat(ask(Collections.emptySortedSet())).isEmpty();

        nowMillis += 30_000;

        assertThat(ask(Collections.emptySortedSet())).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2, WORKER_B, 1));
    }

    @Test
    public void asksAnewForTheSameUnderAnotherPlan() {
        ask(Collections.emptySortedSet());
        ask(Collections.emptySortedSet());
        assertThat(containers.asks).hasSize(1);

        arrivals.renew();
        ask(Collections.emptySortedSet());

        assertThat(containers.asks).hasSize(2);
    }

    @Test
    public void launchesAProcessInAContainerThatWasAskedFor() {
        ask(Collections.emptySortedSet());

        assertThat(arrivals.granted(PLAN, ON_A, nowMillis)).hasValueSatisfying(task -> {
            assertThat(task.id()).isEqualTo(worker(0));
            assertThat(task.phase()).isEqualTo(JobTask.Phase.STARTING);
        });
        assertThat(launcher.launched).isEqualTo(Map.of(worker(0), "container_1"));
        assertThat(containers.released).isEmpty();
    }

    @Test
    public void givesBackAContainerThatNobodyAskedFor() {
        assertThat(arrivals.granted(PLAN, ON_A, nowMillis)).isEmpty();

        assertThat(containers.released).containsExactly("container_1");
        assertThat(launcher.launched).isEmpty();
        assertThat(tasks.all()).isEmpty();
    }

    @Test
    public void someAreComingUntilTheLastProcessHasConnected() {
        assertThat(arrivals.someAreComing()).isFalse();
        Directive one = PlanFollowerFixture.plan(7, new Allocation(0, 1), Allocation.NONE);
        arrivals.askForMissing(one, one.seats(), Collections.emptySortedSet(), nowMillis);
        assertThat(arrivals.someAreComing()).as("a container").isTrue();

        arrivals.granted(PLAN, ON_A, nowMillis);
        assertThat(arrivals.someAreComing()).as("a process").isTrue();

        coordinator.ready.add(worker(0));
        arrivals.noticeConnected(nowMillis);
        assertThat(arrivals.someAreComing()).isFalse();
    }

    @Test
    public void aProcessThatHasConnectedIsReadyAlsoIfItIsAMemberAlready() {
        JobTask first = tasks.add(ON_A, nowMillis);
        JobTask second = tasks.add(new TaskContainer("container_2", "b:1", "b:8042", Role.WORKER), nowMillis);
        JobTask third = tasks.add(new TaskContainer("container_3", "b:1", "b:8042", Role.WORKER), nowMillis);
        coordinator.ready.add(first.id());
        coordinator.members.add(second.id());

        arrivals.noticeConnected(nowMillis);

        assertThat(tasks.in(JobTask.Phase.READY)).containsExactly(first, second);
        assertThat(tasks.in(JobTask.Phase.STARTING)).containsExactly(third);
    }

    @Test
    public void isLateWhoHasNotConnectedInTime() {
        JobTask slow = tasks.add(ON_A, nowMillis);
        nowMillis += 60_000;
        assertThat(arrivals.late(nowMillis)).isEmpty();

        nowMillis += 1;
        tasks.add(new TaskContainer("container_2", "b:1", "b:8042", Role.WORKER), nowMillis);
        assertThat(arrivals.late(nowMillis)).containsExactly(slow);

        slow.enter(JobTask.Phase.READY, nowMillis);
        assertThat(arrivals.late(nowMillis + 1)).isEmpty();
    }

    private SortedMap<RoleOnNode, Integer> ask(SortedSet<String> avoided) {
        return arrivals.askForMissing(PLAN, PLAN.seats(), avoided, nowMillis);
    }
}
