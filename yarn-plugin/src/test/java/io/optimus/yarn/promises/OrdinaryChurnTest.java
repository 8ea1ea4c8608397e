package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Ordinary applications that come and go all the time do not make every round an early one. */
public class OrdinaryChurnTest {
    private static final int APPLICATIONS = 18;
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(333);

    @Test(timeout = 60_000)
    public void ordinaryApplicationsThatComeAndGoCauseFewEarlyRounds() throws Exception {
        Map<String, String> settings =
                Map.of("yarn.scheduler.optimus.round-interval", "60s", "yarn.scheduler.optimus.round-gap", "100ms");
        try (BusyCluster cluster = new BusyCluster(settings);
                ScriptedTraining training = cluster.training(
                        "promised",
                        "alice",
                        Jobs.allReduce()
                                .clearRoles()
                                .addRoles(Jobs.role(RoleProto.WORKER, 1, 64, ScriptedTraining.WORKERS, 1))
                                .build())) {
            Deque<FakeApplicationMaster> running = new ArrayDeque<>();
            long before = cluster.rounds();
            for (int i = 0; i < APPLICATIONS; i++) {
                long next = System.nanoTime() + BETWEEN_NANOS;
                FakeApplicationMaster master = cluster.ordinary("busy", "bob");
                // Without GPUs, so that it never waits for training to shrink.
                master.askAnywhere(1, LocalResourceManager.resource(2048, 1, 0), 2);
                running.add(master);
                if (running.size() > 3) {
                    cluster.end(running.remove());
                }
                do {
                    training.step();
                    cluster.heartbeat();
                } while (System.nanoTime() < next);
            }
            assertThat(cluster.rounds() - before).isLessThan(APPLICATIONS / 3);
        }
    }
}
