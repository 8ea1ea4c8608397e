package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.engine.WrappedEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Gradients and parameters go to and from the servers as bfloat16s. */
public final class WireFormatTest {
    /** Two servers have four parts each. */
    private static final int FLOATS = 400_001;
    /** Every number up to this is a bfloat16. */
    private static final int EXACT = 256;

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestJob job(
            TrainingMode mode, WireFormat format, Optimizer optimizer, int epochs, Supplier<TrainingEngine> engines)
            throws IOException {
        TrainingSettings plain = TestJob.settings(mode, optimizer, epochs);
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(mode, Communication.PARAMETER_SERVER, format, 64, 1, optimizer),
                plain.stop(),
                plain.targetAccuracy(),
                plain.minimum(),
                plain.checkpoint(),
                plain.timing());
        return new TestJob(settings, new LocalCheckpointStore(folder.newFolder().toPath()), 1, engines);
    }

    /** Workers and servers join, leave and die. */
    private static void resize(TestJob job) throws IOException {
        Set<TaskId> all = new TreeSet<>(job.add(3, 3));
        job.resizeTo(Set.of(TaskId.server(0), TaskId.worker(0)));
        job.awaitStep(job.step() + 5);
        job.resizeTo(all);
        job.awaitStep(job.step() + 5);
        job.kill(TaskId.worker(0));
        all.remove(TaskId.worker(0));
        job.resizeTo(all);
        job.awaitStep(job.step() + 5);
        all.remove(TaskId.server(1));
        all.remove(TaskId.worker(1));
        job.resizeTo(all);
    }

    @Test
    public void everyUpdateCountsOnce() throws IOException {
        try (TestJob job = job(
                TrainingMode.SYNCHRONOUS,
                WireFormat.BFLOAT16,
                new Optimizer.Sgd(1, 0, 0),
                150,
                () -> new CountingEngine(FLOATS, 5_000, EXACT - 150))) {
            resize(job);
            assertThat(job.awaitEnd().steps()).isEqualTo(150);
            job.assertEveryStepOnce();
        }
    }

    @Test
    public void asynchronousWorkersReadWhatServersHave() throws IOException {
        try (TestJob job = job(
                TrainingMode.ASYNCHRONOUS,
                WireFormat.BFLOAT16,
                new Optimizer.Sgd(1, 0, 0),
                100,
                () -> new CountingEngine(FLOATS, 5_000, EXACT - 150))) {
            job.coordinator.target(job.add(1, 1));
            assertThat(job.awaitEnd().steps()).isEqualTo(100);
            job.assertEveryStepOnce();
        }
    }

    /** Its gradient lies between two bfloat16s, and its parameters at the end are those of the servers. */
    private static final class BetweenEngine extends WrappedEngine {
        private static final float GRADIENT = 1 + 0x1p-9f;

        BetweenEngine() {
            super(new CountingEngine(FLOATS, 5_000, 1));
            for (int i = 0; i < FLOATS; i++) {
                gradient().put(i, -GRADIENT);
            }
        }

        @Override
        public Optional<Evaluation> evaluate() {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < FLOATS; i++) {
                least = Math.min(least, parameters().get(i));
                most = Math.max(most, parameters().get(i));
            }
            return Optional.of(new Evaluation(most, least, 1));
        }
    }

    /** One rounded gradient is wrong by 2^-9, and the sum may be so by a few of them whatever is lost in a resize. */
    @Test
    public void whatRoundingTakesReachesTheServersLater() throws IOException {
        try (TestJob job = job(
                TrainingMode.SYNCHRONOUS, WireFormat.BFLOAT16, new Optimizer.Sgd(1, 0, 0), 200, BetweenEngine::new)) {
            resize(job);
            TrainingResult result = job.awaitEnd();
            assertThat(result.steps()).isEqualTo(200);
            double expected = 200 * (1 + 0x1p-9);
            Evaluation sums = result.evaluation().orElseThrow();
            assertThat(sums.loss()).as("largest sum").isCloseTo(expected, within(0.03));
            assertThat(sums.accuracy()).as("smallest sum").isCloseTo(expected, within(0.03));
            assertThat(expected - 200).as("without what rounding took").isGreaterThan(0.3);
        }
    }

    /** The engine fails the job if its state is not what it was. */
    @Test
    public void stateOfAProgramIsNotRounded() throws IOException {
        try (TestJob job = job(
                TrainingMode.SYNCHRONOUS,
                WireFormat.BFLOAT16,
                new Optimizer.Sgd(1, 0, 0),
                1_000,
                () -> new ScheduledEngine(ScheduledEngine.program(20, 120), true, 0))) {
            job.coordinator.target(job.add(2, 2));
            assertThat(job.awaitEnd().steps()).isEqualTo(600);
            NavigableMap<Long, Double> losses = job.curve();
            assertThat(losses.lastEntry().getValue())
                    .isLessThan(0.1 * losses.firstEntry().getValue());
        }
    }

    private NavigableMap<Long, Double> digits(WireFormat format) throws IOException {
        try (TestJob job = job(TrainingMode.SYNCHRONOUS, format, new Optimizer.Sgd(0.05, 0.9, 0), 20, () -> {
            try {
                return new PlainPerceptron(Datasets.open("digits"), List.of(32));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        })) {
            job.coordinator.target(job.add(2, 2));
            job.awaitEnd();
            return job.curve();
        }
    }

    @Test
    public void roundingChangesTheLossByLittle() throws IOException {
        NavigableMap<Long, Double> exact = digits(WireFormat.FLOAT32);
        NavigableMap<Long, Double> rounded = digits(WireFormat.BFLOAT16);
        assertThat(rounded.keySet()).isEqualTo(exact.keySet());
        assertThat(rounded).isNotEqualTo(exact);
        double end = lastEpoch(exact);
        System.out.println("mean loss of the last epoch: float32 " + end + ", bfloat16 " + lastEpoch(rounded));
        assertThat(lastEpoch(rounded)).isCloseTo(end, within(0.1 * end));
    }

    private static double lastEpoch(NavigableMap<Long, Double> losses) {
        return losses.tailMap(losses.lastKey() - 20).values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow();
    }
}
