package io.optimus.am.master;

import static io.optimus.am.master.FollowerBed.PS_A;
import static io.optimus.am.master.FollowerBed.WORKER_A;
import static io.optimus.am.master.FollowerBed.WORKER_B;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

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

public class ArrivalsTest {
    private static final Directive PLAN = FollowerBed.plan(7, new Allocation(1, 2), new Allocation(0, 1));
    private static final Grant ON_A = new Grant("container_1", "a:1", "a:8042", Role.WORKER);

    private final FakeContainers containers = new FakeContainers();
    private final FakeLauncher launcher = new FakeLauncher();
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final Tasks tasks = new Tasks(1);
    private final Arrivals arrivals =
            new Arrivals(containers, launcher, coordinator, tasks, Duration.ofSeconds(30), Duration.ofSeconds(60));
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
            assertThat(task.phase()).isEqualTo(Task.Phase.STARTING);
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
        Directive one = FollowerBed.plan(7, new Allocation(0, 1), Allocation.NONE);
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
        Task first = tasks.add(ON_A, nowMillis);
        Task second = tasks.add(new Grant("container_2", "b:1", "b:8042", Role.WORKER), nowMillis);
        Task third = tasks.add(new Grant("container_3", "b:1", "b:8042", Role.WORKER), nowMillis);
        coordinator.ready.add(first.id());
        coordinator.members.add(second.id());

        arrivals.noticeConnected(nowMillis);

        assertThat(tasks.in(Task.Phase.READY)).containsExactly(first, second);
        assertThat(tasks.in(Task.Phase.STARTING)).containsExactly(third);
    }

    @Test
    public void isLateWhoHasNotConnectedInTime() {
        Task slow = tasks.add(ON_A, nowMillis);
        nowMillis += 60_000;
        assertThat(arrivals.late(nowMillis)).isEmpty();

        nowMillis += 1;
        tasks.add(new Grant("container_2", "b:1", "b:8042", Role.WORKER), nowMillis);
        assertThat(arrivals.late(nowMillis)).containsExactly(slow);

        slow.enter(Task.Phase.READY, nowMillis);
        assertThat(arrivals.late(nowMillis + 1)).isEmpty();
    }

    private SortedMap<Seat, Integer> ask(SortedSet<String> avoided) {
        return arrivals.askForMissing(PLAN, PLAN.seats(), avoided, nowMillis);
    }
}
