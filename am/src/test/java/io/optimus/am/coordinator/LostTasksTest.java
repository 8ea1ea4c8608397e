package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** YARN has lost containers whose processes run on, as where a NodeManager is killed and starts again without recovery. */
public final class LostTasksTest {
    /** Longer than the tests take. */
    private static final long ALONE_MILLIS = 600_000;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestJob job() throws IOException {
        TrainingSettings.Timing timing =
                new TrainingSettings.Timing(100, 3_000, ALONE_MILLIS, 5_000, 5_000, 0, 500, 60_000);
        return TestJob.surviving(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), 1_000_000, timing),
                new LocalCheckpointStore(folder.getRoot().toPath().resolve("store")),
                () -> new CountingEngine(100, 2_000));
    }

    @Test
    public void leaveAtOnce() throws IOException {
        try (TestJob job = job()) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            TaskId worker = TaskId.worker(0);
            TaskId server = TaskId.server(0);
            job.coordinator.taskLost(worker, "its container is lost");
            job.coordinator.taskLost(server, "its container is lost");
            job.await("both have left", () -> job.endedWell.containsAll(List.of(worker, server)));
            assertThat(job.endedBadly).isEmpty();
        }
    }

    @Test
    public void leaveAlsoIfTheyWereLostBeforeTheyCame() throws IOException {
        try (TestJob job = job()) {
            job.resizeTo(new TreeSet<>(job.add(1, 1)));
            TaskId late = TaskId.worker(1);
            job.coordinator.taskLost(late, "its container is lost");
            assertThat(job.addWithoutWaiting(Role.WORKER)).isEqualTo(late);
            job.await("it has ended", () -> job.endedBadly.containsKey(late));
            assertThat(job.endedBadly.get(late)).hasMessageContaining("counts as lost");
            assertThat(job.coordinator.status().tasks()).doesNotContainKey(late);
        }
    }

    @Test
    public void ofAnEarlierAttemptLeaveWhenTheNextOneBegins() throws IOException {
        try (TestJob job = job()) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 2));
            job.resizeTo(members);
            job.await("all can be called", () -> job.reachable().keySet().containsAll(members));
            TaskId lost = TaskId.worker(1);
            job.loseCoordinator();
            job.takeOverWithout(lost);
            job.await("it has left", () -> job.endedWell.contains(lost));
            assertThat(job.endedBadly).isEmpty();
            assertThat(job.lost).isEmpty();
        }
    }
}
