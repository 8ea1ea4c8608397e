package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.wire.FakeCoordinatorSocket;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
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

    private static String run(Worker worker) {
        try {
            return worker.run();
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }
}
