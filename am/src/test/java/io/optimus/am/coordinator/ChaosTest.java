package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tasks and their coordinator come, go and die at random. Still, every step must be applied exactly once, to every parameter. */
public final class ChaosTest {
    private static final int EVENTS = 40;
    private static final int MOST_OF_A_ROLE = 4;

    @Rule
    public final Timeout timeout = Timeout.seconds(100);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static final long SEED = Long.getLong("optimus.chaos.seed", 20260101);

    @Test
    public void everyStepIsAppliedOnceWhateverHappens() throws IOException {
        survives(SEED, 257);
    }

    /** Each server applies and answers several parts of a step. */
    @Test
    public void everyStepOfALargerModelIsAppliedOnceWhateverHappens() throws IOException {
        survives(SEED, 500_003);
    }

    private void survives(long seed, int floats) throws IOException {
        Random random = new Random(seed);
        List<String> history = new ArrayList<>(List.of("seed " + seed));
        try (TestJob job = TestJob.surviving(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), 1_000_000),
                new LocalCheckpointStore(folder.getRoot().toPath()),
                () -> new CountingEngine(floats, 100))) {
            SortedSet<TaskId> wanted = new TreeSet<>(job.add(1, 1));
            job.resizeTo(wanted);
            for (int event = 0; event < EVENTS; event++) {
                job.awaitStep(job.step() + random.nextInt(4));
                history.add(disturb(job, wanted, random));
            }
            settle(job, wanted);
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("enough");
            job.awaitEnd();
            job.assertEveryStepOnce();
            // Killed tasks leave incomplete checkpoints behind, and other tasks report that they cannot reach them.
            assertThat(job.warnings)
                    .allMatch(warning -> warning.startsWith("Checkpoint before step")
                            || warning.contains(" could not do its part while the job was "));
        } catch (AssertionError e) {
            throw new AssertionError(history + ": " + e.getMessage(), e);
        }
    }

    private static String disturb(TestJob job, SortedSet<TaskId> wanted, Random random) throws IOException {
        Role role = random.nextBoolean() ? Role.WORKER : Role.PARAMETER_SERVER;
        SortedSet<TaskId> some = new TreeSet<>(wanted);
        some.removeIf(task -> task.role() != role);
        TaskId any = new ArrayList<>(some).get(random.nextInt(some.size()));
        int what = random.nextInt(5);
        if (what == 4) {
            job.loseCoordinator();
            job.takeOver();
            job.coordinator.target(wanted);
            return "coordinator: " + job.goneOn.get(job.goneOn.size() - 1);
        }
        boolean killed = false;
        if ((what <= 1 && some.size() < MOST_OF_A_ROLE) || some.size() == 1) {
            wanted.add(job.add(role));
        } else if (what == 2) {
            job.kill(any);
            killed = true;
            wanted.remove(any);
        } else {
            wanted.remove(any);
        }
        // Sometimes the target follows at once, sometimes after the next event.
        if (killed || random.nextInt(3) > 0) {
            job.coordinator.target(wanted);
        }
        return what + " " + any + " to " + wanted;
    }

    private static void settle(TestJob job, SortedSet<TaskId> wanted) {
        wanted.removeAll(job.lost.keySet());
        assertThat(wanted).extracting(TaskId::role).contains(Role.PARAMETER_SERVER, Role.WORKER);
        job.resizeTo(wanted);
    }
}
