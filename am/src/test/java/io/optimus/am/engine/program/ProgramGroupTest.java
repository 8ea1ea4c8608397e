package io.optimus.am.engine.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.GroupEngine;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public final class ProgramGroupTest {
    private static final StepLimits LIMITS = new StepLimits(Duration.ofSeconds(60), Duration.ofSeconds(60));
    private static final String PROGRAM =
            """
            import torch
            import optimus_yarn as optimus

            job = optimus.init()
            data = torch.utils.data.TensorDataset(torch.ones(24, 2), torch.ones(24, 1))
            model = torch.nn.Linear(2, 1)
            opt = torch.optim.SGD(model.parameters(), lr=0.01)
            loader = torch.utils.data.DataLoader(data, batch_size=12)
            model, opt, loader = job.prepare(model, opt, loader)
            for epoch in job.epochs(2):
                for inputs, targets in loader:
                    job.backward(torch.nn.functional.mse_loss(model(inputs), targets))
                    opt.step()
                    opt.zero_grad()
            """;

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** Nobody else would answer the program, which waits for its average. */
    @Test
    public void aWorkerEndsThatHasNoMemoryForAnAverage() throws Exception {
        assumeTrue(
                TestPython.NAME + " has no torch; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has("torch"));
        CompletableFuture<RuntimeException> failure = new CompletableFuture<>();
        try (ProgramGroup group = TestPrograms.startInGroup(
                folder.getRoot().toPath().resolve("worker-0"), PROGRAM, Communication.AVERAGING_SERVER, LIMITS)) {
            group.failTo(failure::complete);
            group.follow(withoutMemory(group));
            group.begin(new GroupEngine.Membership(
                    "1.1",
                    0,
                    -1,
                    0,
                    1,
                    new GroupEngine.Samples(0, 12, 1),
                    new GroupEngine.Transfer("127.0.0.1", group.rendezvousPort(), 0, List.of(), false)));
            assertThat(failure.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("for a test")
                    .hasCauseInstanceOf(OutOfMemoryError.class);
        }
    }

    private static GroupEngine.Listener withoutMemory(ProgramGroup group) {
        return (GroupEngine.Listener) Proxy.newProxyInstance(
                ProgramGroupTest.class.getClassLoader(),
                new Class<?>[] {GroupEngine.Listener.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("average")) {
                        throw new OutOfMemoryError("for a test");
                    } else if (method.getName().equals("atDecision")) {
                        group.goOn("1.1", Long.MAX_VALUE);
                    }
                    return null;
                });
    }
}
