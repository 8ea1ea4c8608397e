package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WrappedEngine;
import io.optimus.am.engine.program.TestPrograms;
import io.optimus.am.engine.program.TestPython;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * Trains PyTorch programs in processes of their own on real parameter servers. However the membership changes, the losses
 * of all steps stay the same.
 */
public final class TorchTrainingTest {
    private static final int STEPS = 300;
    private static final int RESIZES = 12;
    private static final double RELATIVE = 1e-5;
    private static final long SEED = Long.getLong("optimus.chaos.seed", 20260102);

    /** A convolutional network without BatchNorm: 300 steps of 32 of 640 images. */
    private static final String CNN =
            """
            import torch
            from torch import nn
            import optimus_yarn as optimus
            job = optimus.init()
            random = torch.Generator().manual_seed(1)
            images = torch.randn(640, 1, 8, 8, generator=random)
            labels = (images.flatten(1) @ torch.randn(64, 10, generator=random)).argmax(1)
            data = torch.utils.data.TensorDataset(images, labels)
            model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2),
                                  nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(256, 10))
            opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
            schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 300)
            loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True)
            model, opt, loader, schedule = job.prepare(model, opt, loader, schedule)
            for epoch in job.epochs(15):
                for x, y in loader:
                    job.backward(nn.functional.cross_entropy(model(x), y))
                    opt.step()
                    schedule.step()
                    opt.zero_grad()
            """;

    /** The same network with AdamW and BatchNorm, which also normalizes with its running statistics in each step. */
    private static final String ADAMW_AND_BATCHNORM = CNN.replace(
                    "nn.ReLU(), nn.AvgPool2d(2)", "nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d(2)")
            .replace(
                    "SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)",
                    "AdamW(model.parameters(), lr=0.002, weight_decay=0.05)")
            .replace(
                    "job.backward(nn.functional.cross_entropy(model(x), y))",
                    """
                            loss = nn.functional.cross_entropy(model(x), y)
                                    model.eval()
                                    with torch.no_grad():
                                        known = nn.functional.cross_entropy(model(x), y)
                                    model.train()
                                    job.backward(loss + known)"""
                            .strip());

    @Rule
    public final Timeout timeout = Timeout.seconds(500);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AtomicInteger started = new AtomicInteger();

    /** Steps before this one are done; later ones wait. */
    private volatile long gate = Long.MAX_VALUE;

    @Before
    public void needTorch() {
        assumeTrue(
                TestPython.NAME + " has no torch; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has("torch"));
    }

    private TestJob job(String program, LocalCheckpointStore store, int attempt) throws IOException {
        TrainingSettings.Timing patient =
                new TrainingSettings.Timing(100, 30_000, 30_000, 120_000, 120_000, 0, 500, 60_000);
        return new TestJob(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), 1_000, patient),
                store,
                attempt,
                () -> gated(TestPrograms.start(
                        folder.getRoot().toPath().resolve("worker-" + started.getAndIncrement()), program)));
    }

    private TestJob job(String program) throws IOException {
        return job(program, new LocalCheckpointStore(folder.newFolder().toPath()), 1);
    }

    private TrainingEngine gated(TrainingEngine engine) {
        return new WrappedEngine(engine) {
            @Override
            public double step(StepPart part, StepProgress progress) {
                while (part.step() >= gate) {
                    java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                }
                return super.step(part, progress);
            }
        };
    }

    private NavigableMap<Long, Double> losses(String program, int servers, int workers) throws IOException {
        gate = Long.MAX_VALUE;
        try (TestJob job = job(program)) {
            job.coordinator.target(job.add(servers, workers));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            return job.curve();
        }
    }

    private static void assertSame(NavigableMap<Long, Double> losses, NavigableMap<Long, Double> expected) {
        assertThat(losses.keySet()).isEqualTo(expected.keySet()).hasSize(STEPS);
        expected.forEach((step, loss) ->
                assertThat(losses.get(step)).as("loss of step %d", step).isCloseTo(loss, within(RELATIVE * loss)));
    }

    @Test
    public void lossesDoNotDependOnTheMembership() throws IOException {
        NavigableMap<Long, Double> alone = losses(CNN, 1, 1);
        assertThat(alone.lastEntry().getValue())
                .isLessThan(0.5 * alone.firstEntry().getValue());
        assertSame(losses(CNN, 3, 2), alone);
        assertSame(changedAtRandom(new Random(SEED)), alone);
    }

    /** Resizes the job every few steps; in the middle, a worker dies. */
    private NavigableMap<Long, Double> changedAtRandom(Random random) throws IOException {
        List<String> history = new ArrayList<>(List.of("seed " + SEED));
        gate = 1;
        try (TestJob job = job(CNN)) {
            SortedSet<TaskId> members = new TreeSet<>(job.add(1, 2));
            job.resizeTo(members);
            for (int resize = 0; resize < RESIZES; resize++) {
                if (resize == RESIZES / 2) {
                    TaskId dies = ofRole(members, Role.WORKER).get(0);
                    members.add(job.add(Role.WORKER));
                    members.remove(dies);
                    job.kill(dies);
                    history.add("at " + gate + " kills " + dies);
                } else {
                    history.add("at " + gate + " " + change(job, members, random));
                }
                job.coordinator.target(members);
                long next = gate + 10 + random.nextInt(14);
                gate = next;
                job.awaitStep(gate - 1);
                job.await("members are " + members, () -> job.members().equals(members));
            }
            gate = Long.MAX_VALUE;
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.resizes).hasSizeGreaterThanOrEqualTo(10);
            assertThat(job.steppedBack).isEmpty();
            return job.curve();
        } catch (AssertionError e) {
            throw new AssertionError(history + ": " + e.getMessage(), e);
        }
    }

    private static String change(TestJob job, SortedSet<TaskId> members, Random random) throws IOException {
        Role role = random.nextInt(3) == 0 ? Role.WORKER : Role.PARAMETER_SERVER;
        List<TaskId> same = ofRole(members, role);
        if (same.size() == 1 || (same.size() < 3 && random.nextBoolean())) {
            TaskId added = job.add(role);
            members.add(added);
            return "adds " + added;
        }
        TaskId removed = same.get(random.nextInt(same.size()));
        members.remove(removed);
        return "removes " + removed;
    }

    private static List<TaskId> ofRole(SortedSet<TaskId> members, Role role) {
        return members.stream().filter(task -> task.role() == role).toList();
    }

    /** With one worker at a time the statistics of BatchNorm are those of the whole batch, so the losses must be equal. */
    @Test
    public void stateOfTheOptimizerAndBuffersSurviveResizesAndALostApplicationMaster() throws IOException {
        NavigableMap<Long, Double> expected = losses(ADAMW_AND_BATCHNORM, 1, 1);
        LocalCheckpointStore store = new LocalCheckpointStore(folder.newFolder().toPath());
        NavigableMap<Long, Double> curve = new TreeMap<>();
        gate = 60;
        try (TestJob job = job(ADAMW_AND_BATCHNORM, store, 1)) {
            SortedSet<TaskId> members = new TreeSet<>(job.add(1, 1));
            job.resizeTo(members);
            members.add(job.add(Role.PARAMETER_SERVER));
            job.coordinator.target(members);
            gate = 90;
            job.awaitStep(gate - 1);
            members.remove(ofRole(members, Role.WORKER).get(0));
            members.add(job.add(Role.WORKER));
            members.remove(TaskId.server(0));
            job.coordinator.target(members);
            gate = 160;
            job.awaitStep(gate - 1);
            job.await("members are " + members, () -> job.members().equals(members));
            job.await("a checkpoint", () -> job.checkpoints.contains(150L));
            curve.putAll(job.curve());
        }
        gate = Long.MAX_VALUE;
        try (TestJob job = job(ADAMW_AND_BATCHNORM, store, 2)) {
            job.coordinator.target(job.add(2, 1));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.curve().firstKey()).isEqualTo(150);
            curve.putAll(job.curve());
        }
        assertSame(curve, expected);
    }

    @Test
    public void endsWhereTheLossIsNoNumber() throws IOException {
        try (TestJob job = job(CNN.replace("lr=0.05", "lr=1e30"))) {
            job.coordinator.target(job.add(1, 1));
            job.await("the end", () -> job.failure != null);
            assertThat(job.failure)
                    .contains("Training diverged: the loss of step")
                    .contains("lower the learning rate");
        }
    }
}
