package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.plan.Strategies;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** A queue below its guarantee gets it, for training as for an ordinary application. */
public final class QueueGuaranteeTest {
    private static final int GUARANTEED = BusyCluster.GPUS / 2;

    @Rule
    public final Timeout timeout = new Timeout(180, TimeUnit.SECONDS);

    @Test
    public void anOrdinaryApplicationGetsTheGuaranteeWhereTasksOfOthersEnd() throws Exception {
        try (BusyCluster cluster = new BusyCluster(Map.of())) {
            FakeApplicationMaster busy = cluster.occupy();
            FakeApplicationMaster later = cluster.ordinary("promised", "alice");
            later.askAnywhere(1, BusyCluster.task(), GUARANTEED);
            Await.until("the guarantee is served", () -> {
                assertThat(cluster.endOne(busy)).isTrue();
                cluster.heartbeat();
                return later.granted().size() == GUARANTEED;
            });
        }
    }

    @Test
    public void trainingGetsTheGuaranteeWhereTasksOfOthersEnd() throws Exception {
        try (BusyCluster cluster = new BusyCluster(Map.of())) {
            FakeApplicationMaster busy = cluster.occupy();
            try (ScriptedTraining training = cluster.training("promised", "alice", upTo(GUARANTEED))) {
                Await.until("the guarantee is pending", () -> {
                    training.step();
                    return training.master().pending() == GUARANTEED;
                });
                Await.until("the guarantee is served", () -> {
                    assertThat(cluster.endOne(busy)).isTrue();
                    cluster.heartbeat();
                    training.step();
                    return training.size() == GUARANTEED;
                });
            }
        }
    }

    @Test
    public void trainingGetsTheGuaranteeByPreemption() throws Exception {
        try (BusyCluster cluster = new BusyCluster(BusyCluster.preemption())) {
            cluster.occupy();
            try (ScriptedTraining training = cluster.training("promised", "alice", upTo(GUARANTEED))) {
                Await.until("YARN preempts for the guarantee", () -> {
                    training.step();
                    cluster.heartbeat();
                    return training.size() == GUARANTEED;
                });
            }
        }
    }

    @Test
    public void trainingAsksOnlyForFreeRoomBeyondTheGuarantee() throws Exception {
        try (BusyCluster cluster = new BusyCluster(BusyCluster.preemption())) {
            cluster.occupy();
            try (ScriptedTraining training = cluster.training("promised", "alice", upTo(BusyCluster.GPUS))) {
                Await.until("the guarantee is served", () -> {
                    training.step();
                    cluster.heartbeat();
                    return training.size() == GUARANTEED && training.master().pending() == 0;
                });
                for (int i = 0; i < 50; i++) {
                    training.step();
                    cluster.heartbeat();
                    assertThat(training.size()).as(training.reason()).isEqualTo(GUARANTEED);
                    assertThat(training.master().pending()).isZero();
                }
            }
        }
    }

    @Test
    public void everyPolicyServesTheGuarantee() throws Exception {
        for (String policy : Strategies.practicable()) {
            Map<String, String> settings = new HashMap<>(BusyCluster.preemption());
            settings.put("yarn.scheduler.optimus.policy", policy);
            try (BusyCluster cluster = new BusyCluster(settings)) {
                cluster.occupy();
                try (ScriptedTraining training = cluster.training("promised", "alice", upTo(GUARANTEED))) {
                    Await.until("YARN preempts for the guarantee under " + policy, () -> {
                        training.step();
                        cluster.heartbeat();
                        return training.size() == GUARANTEED;
                    });
                }
            }
        }
    }

    private static RegisterJobRequestProto upTo(int workers) {
        return Jobs.allReduce()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.WORKER, 1, workers, ScriptedTraining.WORKERS, 1))
                .build();
    }
}
