package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.WrappedEngine;
import io.optimus.am.engine.program.TestPrograms;
import io.optimus.am.engine.program.TestPython;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** The end of a gradient is pushed, and updated by the servers, while workers compute its beginning. */
public final class OverlapTest {
    /** Two servers have four parts each. */
    private static final int FLOATS = 400_000;

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AtomicInteger early = new AtomicInteger();
    private final AtomicInteger steps = new AtomicInteger();

    /** Computes the beginning of its gradient once the end of it has come back from the servers. */
    private final class PatientEngine extends WrappedEngine {
        private static final long LONGEST_NANOS = 10_000_000_000L;

        PatientEngine() {
            super(new CountingEngine(FLOATS, 0));
        }

        @Override
        public double step(StepPart part, StepProgress progress) {
            double loss = super.step(part, StepProgress.IGNORED);
            float before = parameters().get(FLOATS - 1);
            progress.lossKnown(loss);
            progress.parametersRead();
            progress.gradientFrom(FLOATS - 80_000);
            steps.incrementAndGet();
            if (changes(before)) {
                early.incrementAndGet();
            }
            return loss;
        }

        private boolean changes(float before) {
            long until = System.nanoTime() + LONGEST_NANOS;
            while (parameters().get(FLOATS - 1) == before && System.nanoTime() < until) {
                try {
                    TimeUnit.MILLISECONDS.sleep(1);
                } catch (InterruptedException e) {
                    return false;
                }
            }
            return parameters().get(FLOATS - 1) != before;
        }
    }

    /** Its last layer has more than a part of a gradient. */
    private static final String PROGRAM =
            """
            import torch
            import optimus_yarn as optimus

            job = optimus.init()
            generator = torch.Generator().manual_seed(5)
            x = torch.randn(240, 6, generator=generator)
            data = torch.utils.data.TensorDataset(x, torch.sin(x).sum(1, keepdim=True))
            layers = [torch.nn.Linear(6, 400), torch.nn.Tanh(), torch.nn.Linear(400, 400), torch.nn.Tanh()]
            model = torch.nn.Sequential(*layers, torch.nn.Linear(400, 400), torch.nn.Tanh(), torch.nn.Linear(400, 1))
            model.to(torch.DTYPE)
            opt = torch.optim.Adam(model.parameters(), lr=0.001)
            loader = torch.utils.data.DataLoader(data, batch_size=12, shuffle=True)
            model, opt, loader = job.prepare(model, opt, loader, overlap=OVERLAP)
            for epoch in job.epochs(2):
                for inputs, targets in loader:
                    loss = torch.nn.functional.mse_loss(model(inputs.to(torch.DTYPE)), targets.to(torch.DTYPE))
                    job.backward(loss)
                    opt.step()
                    opt.zero_grad()
            """;

    private NavigableMap<Long, Double> losses(String type, boolean overlaps) throws IOException {
        String program = PROGRAM.replace("DTYPE", type).replace("OVERLAP", overlaps ? "True" : "False");
        Path home = folder.newFolder().toPath();
        AtomicInteger started = new AtomicInteger();
        TrainingSettings settings = TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), 1_000);
        LocalCheckpointStore store = new LocalCheckpointStore(home.resolve("store"));
        try (TestJob job = new TestJob(
                settings,
                store,
                1,
                () -> TestPrograms.start(home.resolve("worker-" + started.getAndIncrement()), program))) {
            // Losses do not depend on the number of workers.
            job.coordinator.target(job.add(2, overlaps ? 2 : 1));
            assertThat(job.awaitEnd().steps()).isEqualTo(40);
            return job.curve();
        }
    }

    @Test
    public void programsTrainTheSameWithAndWithoutOverlap() throws IOException {
        assumeTrue(
                TestPython.NAME + " has no torch; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has("torch"));
        // Parameters of the second type are copied, so that the next ones may arrive while the backward pass goes on.
        for (String type : List.of("float32", "float64")) {
            NavigableMap<Long, Double> apart = losses(type, false);
            NavigableMap<Long, Double> overlapped = losses(type, true);
            assertThat(overlapped.keySet()).isEqualTo(apart.keySet());
            apart.forEach((step, loss) -> assertThat(overlapped.get(step))
                    .as("%s, loss of step %d", type, step)
                    .isCloseTo(loss, within(1e-5 * loss)));
        }
    }

    @Test
    public void partsComeBackWhileOthersAreComputed() throws IOException {
        TrainingSettings settings = TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), 5);
        LocalCheckpointStore store =
                new LocalCheckpointStore(folder.getRoot().toPath().resolve("store"));
        try (TestJob job = new TestJob(settings, store, 1, PatientEngine::new)) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            TrainingResult result = job.awaitEnd();
            job.assertEveryStepOnce();
            assertThat(steps).hasValue(2 * (int) result.steps());
            assertThat(early).hasValue(steps.get());
        }
    }
}
