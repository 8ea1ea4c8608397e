package io.optimus.am.master;

import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

public class EarlierTasksTest {
    private static final Successor SELF = new Successor(2, "b", 4_002);
    private static final ServerAddress SERVER = new ServerAddress(server(0), "a", 4_000);
    private static final ServerAddress WORKER = new ServerAddress(worker(3), "b", 4_001);
    private static final Map<String, ServerAddress> KNOWN = Map.of("container_2", SERVER, "container_3", WORKER);
    private static final TaskContainer SERVERS = PlanFollowerFixture.container("container_2", PlanFollowerFixture.PS_A);
    private static final TaskContainer WORKERS =
            PlanFollowerFixture.container("container_3", PlanFollowerFixture.WORKER_B);
    private static final TaskContainer UNKNOWN =
            PlanFollowerFixture.container("container_4", PlanFollowerFixture.WORKER_B);

    private final PlanFollowerFixture fixture = new PlanFollowerFixture(new Allocation(1, 1));
    private final FakeContainers containers = fixture.containers;
    private final FakeCoordinator coordinator = fixture.coordinator;
    private long nowMillis = 5_000_000;
    private final EarlierTasks earlier = before(2);
    private boolean decided;

    private EarlierTasks before(int attempt) {
        return new EarlierTasks(attempt, containers, fixture.follower, coordinator, () -> nowMillis);
    }

    private void takeOver() {
        earlier.takeOver(KNOWN, SELF, () -> decided = true);
    }

    private List<TaskId> tasks() {
        return fixture.follower.tasks().stream().map(TaskView::id).toList();
    }

    private static List<ContainerExit> lost(String container) {
        return List.of(new ContainerExit(container, ContainerExitStatus.ABORTED, "the node was lost"));
    }

    @Test
    public void takesOverTheTasksThatTheJournalsName() {
        earlier.run(List.of(SERVERS, WORKERS, UNKNOWN));
        assertThat(containers.released).as("nothing is decided yet").isEmpty();

        takeOver();
        fixture.follower.reconcile();

        assertThat(decided).isTrue();
        assertThat(coordinator.called).containsExactlyInAnyOrder(server(0), worker(3));
        assertThat(containers.released).containsExactly("container_4");
        assertThat(containers.stopped).as("no plan is known yet").isEmpty();
        assertThat(tasks()).containsExactlyInAnyOrder(server(0), worker(3));

        fixture.follower.follow(PlanFollowerFixture.plan(7, new Allocation(1, 1), new Allocation(0, 1)));

        assertThat(containers.lastRequest()).as("the tasks count").containsOnlyKeys(PlanFollowerFixture.WORKER_A);
    }

    /** A ResourceManager that has restarted too names containers as their nodes come back. */
    @Test
    public void waitsUntilYarnHasNamedThemAll() {
        earlier.run(List.of(SERVERS));
        takeOver();
        nowMillis += 9_000;
        earlier.tick();
        assertThat(decided).isFalse();

        earlier.run(List.of(SERVERS, WORKERS));

        assertThat(decided).isTrue();
        assertThat(coordinator.called).containsExactlyInAnyOrder(server(0), worker(3));
    }

    @Test
    public void waitsForNoTaskWhoseContainerHasEnded() {
        earlier.run(List.of(SERVERS));
        takeOver();
        assertThat(decided).isFalse();

        earlier.exited(lost("container_3"));

        assertThat(decided).isTrue();
        assertThat(coordinator.called).containsExactly(server(0));
        assertThat(coordinator.dismissed)
                .as("a NodeManager without recovery leaves its process")
                .containsExactly(worker(3));
    }

    @Test
    public void takesOverNoTaskWhoseContainerHasEndedMeanwhile() {
        earlier.run(List.of(SERVERS));
        earlier.exited(lost("container_2"));
        earlier.exited(lost("container_3"));
        earlier.run(List.of(SERVERS));

        takeOver();

        assertThat(decided).isTrue();
        assertThat(coordinator.called).isEmpty();
        assertThat(tasks()).isEmpty();
    }

    @Test
    public void waitsForANodeThatCallsTheResourceManagerLate() {
        earlier.run(List.of(SERVERS));
        takeOver();
        nowMillis += 31_000;
        earlier.tick();

        earlier.run(List.of(SERVERS, WORKERS));

        assertThat(coordinator.called).containsExactlyInAnyOrder(server(0), worker(3));
        assertThat(containers.released).isEmpty();
    }

    @Test
    public void doesNotWaitForeverForANodeThatDoesNotComeBack() {
        earlier.run(List.of(SERVERS));
        takeOver();
        nowMillis += 40_000;

        earlier.tick();
        assertThat(decided).isTrue();
        assertThat(coordinator.called).containsExactly(server(0));

        earlier.run(List.of(SERVERS, WORKERS));
        assertThat(containers.released).as("training went on without it").containsExactly("container_3");
    }

    @Test
    public void aFirstAttemptHasNone() {
        before(1).run(List.of(UNKNOWN));

        assertThat(containers.released).containsExactly("container_4");
    }
}
