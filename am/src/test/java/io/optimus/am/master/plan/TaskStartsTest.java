package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_B;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.model.Allocation;
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
    private static final TaskContainer ON_A = PlanFollowerFixture.container("container_1", WORKER_A);

    private final FakeContainers containers = new FakeContainers();
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private long nowMillis;
    private final JobTasks tasks = new JobTasks(1, () -> nowMillis);
    private final TaskStarts starts = new TaskStarts(
            containers,
            coordinator,
            tasks,
            new ContainerRequests(containers, Duration.ofSeconds(30), () -> nowMillis),
            new UndecidedContainers(Duration.ofSeconds(30), () -> nowMillis),
            Duration.ofSeconds(60));

    @Test
    public void requestsContainersThatThePlanHasAndTheJobDoesNot() {
        tasks.add(ON_A);

        request(Collections.emptySortedSet());

        assertThat(containers.lastRequest()).isEqualTo(Map.of(PS_A, 1, WORKER_A, 1, WORKER_B, 1));
    }

    @Test
    public void requestsNothingOnAvoidedNodes() {
        request(new TreeSet<>(List.of("a:1")));

        assertThat(containers.lastRequest()).isEqualTo(Map.of(WORKER_B, 1));
    }

    @Test
    public void returnsRequestsThatYarnHasNotMetInTime() {
        assertThat(request(Collections.emptySortedSet())).isEmpty();

        nowMillis += 30_000;

        assertThat(request(Collections.emptySortedSet())).isEqualTo(Map.of(PS_A, 1, WORKER_A, 2, WORKER_B, 1));
    }

    @Test
    public void requestsTheSameAgainUnderAnotherPlan() {
        request(Collections.emptySortedSet());
        request(Collections.emptySortedSet());
        assertThat(containers.requests).hasSize(1);

        starts.renewRequests();
        request(Collections.emptySortedSet());

        assertThat(containers.requests).hasSize(2);
    }

    @Test
    public void launchesAProcessInARequestedContainer() {
        request(Collections.emptySortedSet());

        assertThat(starts.allocated(PLAN, ON_A)).hasValueSatisfying(task -> {
            assertThat(task.id()).isEqualTo(worker(0));
            assertThat(task.phase()).isEqualTo(JobTask.Phase.STARTING);
        });
        assertThat(containers.launched).isEqualTo(Map.of(worker(0), "container_1"));
        assertThat(containers.released).isEmpty();
    }

    @Test
    public void releasesAContainerThatWasNotRequested() {
        assertThat(starts.allocated(PLAN, ON_A)).isEmpty();

        assertThat(containers.released).containsExactly("container_1");
        assertThat(containers.launched).isEmpty();
        assertThat(tasks.all()).isEmpty();
    }

    @Test
    public void startsArePendingUntilTheLastProcessHasConnected() {
        assertThat(starts.arePending()).isFalse();
        Directive one = PlanFollowerFixture.plan(7, new Allocation(0, 1), Allocation.NONE);
        starts.requestMissing(one, one.tasks(), Collections.emptySortedSet());
        assertThat(starts.arePending()).as("a container").isTrue();

        starts.allocated(PLAN, ON_A);
        assertThat(starts.arePending()).as("a process").isTrue();

        coordinator.ready.add(worker(0));
        starts.noticeConnected();
        assertThat(starts.arePending()).isFalse();
    }

    @Test
    public void aConnectedTaskIsReadyEvenIfItIsAMemberAlready() {
        JobTask first = tasks.add(ON_A);
        JobTask second = tasks.add(PlanFollowerFixture.container("container_2", WORKER_B));
        JobTask third = tasks.add(PlanFollowerFixture.container("container_3", WORKER_B));
        coordinator.ready.add(first.id());
        coordinator.members.add(second.id());

        starts.noticeConnected();

        assertThat(tasks.in(JobTask.Phase.READY)).containsExactly(first, second);
        assertThat(tasks.in(JobTask.Phase.STARTING)).containsExactly(third);
    }

    @Test
    public void aTaskIsLateThatHasNotConnectedInTime() {
        JobTask slow = tasks.add(ON_A);
        nowMillis += 60_000;
        assertThat(starts.late()).isEmpty();

        nowMillis += 1;
        tasks.add(PlanFollowerFixture.container("container_2", WORKER_B));
        assertThat(starts.late()).containsExactly(slow);

        slow.enter(JobTask.Phase.READY);
        assertThat(starts.late()).isEmpty();
    }

    @Test
    public void aConnectedTaskMayLoadForLonger() {
        JobTask loading = tasks.add(ON_A);
        coordinator.loading.add(loading.id());
        nowMillis += Duration.ofMinutes(35).toMillis();
        assertThat(starts.late()).isEmpty();

        nowMillis += 1;
        assertThat(starts.late()).containsExactly(loading);
    }

    private SortedMap<RoleOnNode, Integer> request(SortedSet<String> avoided) {
        return starts.requestMissing(PLAN, PLAN.tasks(), avoided);
    }
}
