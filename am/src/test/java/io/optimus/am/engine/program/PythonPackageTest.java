package io.optimus.am.engine.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.StepPart;
import io.optimus.model.TrainingMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Runs a PyTorch program with the package optimus_yarn; the test plays the parameter servers. */
public final class PythonPackageTest {
    private static final Path PACKAGE = Path.of("..", "python").toAbsolutePath().normalize();
    private static final Program.Limits LIMITS = new Program.Limits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(120),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60));
    private static final int SAMPLES = 40;
    private static final int BATCH = 10;

    /** Fits a line with momentum and a schedule that halves the learning rate after each epoch. */
    private static final String PROGRAM =
            """
            import torch
            import optimus_yarn as optimus

            job = optimus.init()
            x = torch.linspace(-1, 1, 40).reshape(40, 1)
            data = torch.utils.data.TensorDataset(x, 3 * x + 1)
            model = torch.nn.Linear(1, 1)
            opt = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.5)
            sched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)
            loader = torch.utils.data.DataLoader(data, batch_size=10, shuffle=True)
            model, opt, loader, sched = job.prepare(model, opt, loader, sched)
            for epoch in job.epochs(3):
                for inputs, targets in loader:
                    loss = torch.nn.functional.mse_loss(model(inputs), targets)
                    job.backward(loss)
                    opt.step()
                    opt.zero_grad()
                sched.step()
                job.report(epoch_done=epoch)
            print("weight", model.weight.item())
            """;

    @Rule
    public final Timeout timeout = Timeout.seconds(240);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final List<ProgramEngine> engines = new ArrayList<>();

    @Before
    public void needPackageAndTorch() {
        assumeTrue("The package optimus_yarn is not at " + PACKAGE, Files.exists(PACKAGE.resolve("optimus_yarn")));
        assumeTrue(
                TestPython.NAME + " has no torch; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has("torch"));
    }

    @After
    public void endPrograms() {
        engines.forEach(ProgramEngine::close);
    }

    private ProgramEngine start(int worker, String program) throws IOException {
        Path home = folder.newFolder("worker-" + worker).toPath();
        Files.writeString(home.resolve("train.py"), program);
        TreeMap<String, String> environment = new TreeMap<>();
        environment.put("OMP_NUM_THREADS", "1");
        ProgramEngine engine = new ProgramEngine(
                new ProgramSpec(TestPython.NAME, new ProgramSpec.Main("train.py", false), List.of(), environment),
                new ProgramEngine.Job("worker-" + worker, 7, TrainingMode.SYNCHRONOUS),
                new Program.Place(home, PACKAGE.toString(), output),
                LIMITS);
        engines.add(engine);
        return engine;
    }

    /** Does all steps on {@code workers} programs as synchronous servers do. Returns the losses. */
    private List<Double> train(List<ProgramEngine> workers) {
        ProgramEngine first = workers.get(0);
        FloatBuffer parameters = first.parameters();
        float[] velocity = new float[parameters.capacity()];
        int trained = first.blocks().stream()
                .filter(ParameterBlock::trainable)
                .mapToInt(ParameterBlock::floats)
                .sum();
        List<Double> losses = new ArrayList<>();
        for (int step = 0; step < 3 * SAMPLES / BATCH; step++) {
            double loss = 0;
            float[] sum = new float[parameters.capacity()];
            for (int rank = 0; rank < workers.size(); rank++) {
                ProgramEngine worker = workers.get(rank);
                worker.parameters().put(first.parameters());
                int share = BATCH / workers.size();
                loss += worker.step(new StepPart(
                                new StepPart.Worker(rank, workers.size(), BATCH),
                                step,
                                (long) step * BATCH + (long) rank * share,
                                share,
                                BATCH,
                                count -> new int[count]))
                        / workers.size();
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += worker.gradient().get(i) / workers.size();
                }
            }
            float learningRate = first.groupSettings()[0];
            assertThat(learningRate).as("step %d", step).isEqualTo((float)
                    (0.4 * Math.pow(0.5, Math.floorDiv(step, 4))));
            for (int i = 0; i < sum.length; i++) {
                velocity[i] = 0.5f * velocity[i] + sum[i];
                float next = i < trained
                        ? parameters.get(i) - learningRate * velocity[i]
                        : first.gradient().get(i);
                first.parameters().put(i, next);
            }
            losses.add(loss);
        }
        workers.forEach(worker -> worker.parameters().put(first.parameters()));
        return losses;
    }

    @Test
    public void trainsTheSameOnOneWorkerAndOnTwo() throws Exception {
        ProgramEngine alone = start(0, PROGRAM);
        BlockingQueue<ProgramReport> reports = new LinkedBlockingQueue<>();
        alone.reportTo(reports::add);
        List<Double> losses = train(List.of(alone));

        assertThat(losses.get(11)).isLessThan(0.05 * losses.get(0));
        assertThat(alone.evaluate()).isEmpty();
        List<ProgramReport> figures =
                reports.stream().filter(report -> !report.values().isEmpty()).toList();
        assertThat(figures).extracting(ProgramReport::epoch).containsExactly(0, 1, 2);
        assertThat(figures).extracting(ProgramReport::step).containsExactly(4L, 8L, 12L);
        assertThat(reports)
                .flatExtracting(ProgramReport::bends)
                .as("the rate's falls")
                .containsExactly(1.0, 2.0);
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("weight");
        assertThat(alone.output().folder().orElseThrow().resolve("model.pt")).isNotEmptyFile();
        assertThat(alone.output().warnings()).isEmpty();

        List<Double> together = train(List.of(start(1, PROGRAM), start(2, PROGRAM)));
        for (int step = 0; step < losses.size(); step++) {
            assertThat(together.get(step)).as("step %d", step).isCloseTo(losses.get(step), within(1e-5));
        }
    }

    @Test
    public void namesTheLineOfAnError() {
        assertThatThrownBy(() -> start(0, "import optimus_yarn\n\ndef f(:\n"))
                .isInstanceOf(ProgramFailedException.class)
                .hasMessageContaining("The program failed at train.py:3: SyntaxError");
    }
}
