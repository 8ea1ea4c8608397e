package io.optimus.am.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.program.TestPython;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** The example of torchrun grows live: the torchrun that stays goes on, and starts its process anew. */
public final class TorchrunTest {
    /** To import PyTorch, which torchrun does twice before a step, takes half a minute on a busy machine. */
    private static final long SLOW_MILLIS = 180_000;

    /** Every torchrun reads this option; that of PyTorch 1.13 cannot with Python 3.11. */
    private static final String TORCHRUN =
            """
            import torch.distributed.run
            from torch.distributed.elastic.multiprocessing import api
            assert api.Std.from_str("0") is not None
            """;

    @Rule
    public final Timeout timeout = Timeout.seconds(500);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @BeforeClass
    public static void needsTorchrun() {
        assumeTrue(
                TestPython.NAME + " has no torchrun that works; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.runs(TORCHRUN));
    }

    @Test
    public void growsLiveFromOneWorkerToTwo() throws IOException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        Path example = root.resolve("conf/examples/torchrun-ddp/train.py");
        // One worker is slow from step 30 on, so that the second one joins in time. Two go back to the checkpoint after
        // step 20, and are slow until step 40, so that the steps that they repeat are seen.
        String pace = "0.02 if (step < 30 if size == 1 else step > 40) else 0.5 / size ** 2";
        String script = Files.readString(example)
                .replace("    step += 1\n", "    step += 1; __import__('time').sleep(" + pace + ")\n")
                .replace("step % 20 == 0", "step % 20 == 0 and (size == 2 or step == 20)");
        Path train = folder.newFile("train.py").toPath();
        Files.writeString(train, script);
        String line = "echo torchrun-started; exec " + TestPython.NAME + " -m torch.distributed.run " + train
                + " --epochs 20 --data " + root.resolve("am/src/main/resources/io/optimus/am/dataset/digits.csv.gz");
        Map<String, String> variables = Map.of(
                "OPTIMUS_CHECKPOINT_DIR", folder.getRoot().toString(), "OMP_NUM_THREADS", "1", "PYTHONUNBUFFERED", "1");
        try (CommandJob job = new CommandJob(Elasticity.TORCHRUN, 2, variables)) {
            TaskId first = job.worker(0, line);
            job.target(first);
            job.await("35 steps and so a checkpoint", SLOW_MILLIS, () -> job.losses.stream()
                    .anyMatch(loss -> loss.step() > 35));
            TaskId second = job.worker(1, line);
            job.target(first, second);
            job.await("both train", SLOW_MILLIS, () -> job.outputs.values().stream()
                    .allMatch(output -> output.toString(StandardCharsets.UTF_8).contains("of 2 begins")));
            job.await("the end", SLOW_MILLIS, () -> job.result != null || job.failure != null);
            TrainingResult result = job.awaitEnd();

            assertThat(job.output(first).split("torchrun-started", -1)).hasSize(2);
            assertThat(job.output(first) + job.output(second)).doesNotContain("of 2 begins with step 0");
            assertThat(result.steps()).isEqualTo(460);
            assertThat(result.finalLoss().orElseThrow()).isLessThan(0.2);
            assertThat(job.lost).isEmpty();
            assertThat(job.steppedBack).isNotEmpty();
            assertThat(job.resizes).extracting(resize -> resize.to().workers()).containsExactly(1, 2);
        }
    }
}
