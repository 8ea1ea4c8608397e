package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.wire.FakeCoordinatorSocket;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class WorkerTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(20);

    @Test
    public void saysWhyItCannotEvaluateAndGoesOn() throws Exception {
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                Worker worker = new Worker(
                        coordinator.environment(TaskId.worker(3)),
                        () -> new PlainPerceptron(Datasets.open("digits"), List.of(4)))) {
            CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> run(worker));
            coordinator.welcome();
            coordinator.send(new Message.Evaluate());

            Message.NotDone failed = coordinator.receive(Message.NotDone.class);
            assertThat(failed.number()).isEqualTo(new MembershipNumber(0, 0));
            assertThat(failed.because()).isEqualTo(TaskId.worker(3));
            assertThat(failed.reason()).contains("cannot read the parameters to evaluate");
            coordinator.send(new Message.Leave("enough"));
            assertThat(running.get(5, TimeUnit.SECONDS)).isEqualTo("enough");
        }
    }

    @Test
    public void saysWhyItCannotLoadItsEngine() throws Exception {
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                Worker worker = new Worker(coordinator.environment(TaskId.worker(3)), () -> {
                    throw new IOException("train.py is broken");
                })) {
            CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> run(worker));
            coordinator.welcome();

            assertThat(coordinator.receive(Message.Unable.class).reason()).contains("train.py is broken");
            assertThatThrownBy(() -> running.get(5, TimeUnit.SECONDS)).hasMessageContaining("train.py is broken");
        }
    }

    @Test
    public void refusesADataFolderThatItsNodeLacks() throws Exception {
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                Worker worker = new Worker(
                        coordinator.environment(TaskId.worker(3)),
                        () -> new PlainPerceptron(Datasets.open("idx:/no/such/folder"), List.of(4)))) {
            CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> run(worker));
            coordinator.welcome();

            assertThat(coordinator.receive(Message.Unable.class).reason())
                    .isEqualTo("There is no folder /no/such/folder: put MNIST's four files there on every node, or name"
                            + " a folder that every node has");
            assertThatThrownBy(() -> running.get(5, TimeUnit.SECONDS)).hasMessageContaining("no folder");
        }
    }

    @Test
    public void isAliveWhileItLoads() throws Exception {
        CountDownLatch loaded = new CountDownLatch(1);
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                Worker worker = new Worker(coordinator.environment(TaskId.worker(3)), () -> {
                    await(loaded);
                    return new PlainPerceptron(Datasets.open("digits"), List.of(4));
                })) {
            CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> run(worker));
            coordinator.welcome();

            assertThat(coordinator.receive(Message.Alive.class).steps()).isZero();
            loaded.countDown();
            coordinator.receive(Message.WorkerReady.class);
            coordinator.send(new Message.Leave("enough"));
            assertThat(running.get(5, TimeUnit.SECONDS)).isEqualTo("enough");
        }
    }

    @Test
    public void endsWhenItsEngineFailsBetweenTwoCalls() throws Exception {
        FailingEngine engine = new FailingEngine();
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                Worker worker = new Worker(coordinator.environment(TaskId.worker(3)), () -> engine)) {
            CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> run(worker));
            coordinator.welcome();
            coordinator.receive(Message.WorkerReady.class);
            engine.fail("the program was ended by SIGKILL");

            assertThat(coordinator.receive(Message.Unable.class).reason()).contains("SIGKILL");
            assertThatThrownBy(() -> running.get(5, TimeUnit.SECONDS)).hasMessageContaining("SIGKILL");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    /** Fails when the test says so. */
    private static final class FailingEngine implements TrainingEngine {
        private final ByteBuffer vector = TrainingEngine.vector(1);
        private Consumer<RuntimeException> receiver = failure -> {};

        void fail(String reason) {
            receiver.accept(new IllegalStateException(reason));
        }

        @Override
        public void failTo(Consumer<RuntimeException> next) {
            receiver = next;
        }

        @Override
        public List<ParameterBlock> blocks() {
            return List.of(ParameterBlock.parameter("weight", 1));
        }

        @Override
        public ByteBuffer parameterBytes() {
            return vector;
        }

        @Override
        public ByteBuffer gradientBytes() {
            return vector;
        }

        @Override
        public int trainingSamples() {
            return 1;
        }

        @Override
        public void initialise(long seed) {}

        @Override
        public double step(StepPart part, StepProgress progress) {
            return 0;
        }

        @Override
        public Optional<Evaluation> evaluate() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private static String run(Worker worker) {
        try {
            return worker.run();
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }
}
