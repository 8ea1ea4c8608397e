package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.Test;

/** Promises to an application whose ApplicationMaster dies. */
public final class AttemptPromisesTest extends PromiseTest {
    @Test
    public void tasksOutliveTheAttemptOfAnApplicationThatKeepsThem() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster first = cluster.launchKeepingTasks("promised", "alice", 0);
            Application before = start(cluster, first, GUARANTEED, BusyCluster.task());
            settlesAt(cluster, before, GUARANTEED);
            // YARN keeps only containers that run.
            cluster.reportContainers();
            Set<ContainerId> tasks = tasks(first);
            FakeApplicationMaster other = cluster.ordinary("busy", "bob");

            cluster.fail(first);
            for (int i = 0; i < 20; i++) {
                assertThat(cluster.gpusOf("promised")).isEqualTo(GUARANTEED);
                Thread.sleep(20);
            }

            FakeApplicationMaster second = cluster.relaunch(first, 0);
            other.askAnywhere(1, BusyCluster.task(), BACKLOG);
            assertThat(tasks(second)).isEqualTo(tasks);
            assertThat(second.granted()).hasSize(GUARANTEED);
            if (tenant == Tenant.TRAINING_ON_OPTIMUS) {
                second.askAnywhere(ScriptedTraining.WORKERS, BusyCluster.task(), BACKLOG);
                for (int i = 0; i < 20; i++) {
                    cluster.heartbeat();
                    second.heartbeat();
                    assertThat(second.held())
                            .as("before it has registered its job again")
                            .isEqualTo(GUARANTEED);
                }
            }
            Application after = takesOver(cluster, second);
            settlesAt(cluster, after, GUARANTEED);
            assertThat(tasks(second)).isEqualTo(tasks);
            Await.until("the other queue has the rest", () -> {
                after(cluster, after);
                return other.held() == BusyCluster.GPUS - GUARANTEED;
            });
        }
    }

    @Test
    public void tasksEndWithTheAttemptOfAnApplicationThatDoesNotKeepThem() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster first = cluster.launch("promised", "alice", 0, "");
            Application before = start(cluster, first, GUARANTEED, BusyCluster.task());
            settlesAt(cluster, before, GUARANTEED);

            cluster.fail(first);
            Await.until("its room is free", () -> cluster.gpusOf("promised") == 0);

            FakeApplicationMaster second = cluster.relaunch(first, 0);
            assertThat(second.granted()).isEmpty();
            Application after = start(cluster, second, GUARANTEED, BusyCluster.task());
            settlesAt(cluster, after, GUARANTEED);
        }
    }

    /** Lets the next attempt go on with the tasks that it has. */
    private Application takesOver(BusyCluster cluster, FakeApplicationMaster second) throws Exception {
        if (tenant == Tenant.TRAINING_ON_OPTIMUS) {
            return start(cluster, second, GUARANTEED, BusyCluster.task());
        }
        cluster.follow(second);
        return new Application(second, null);
    }

    private static Set<ContainerId> tasks(FakeApplicationMaster master) {
        return master.scheduled().getLiveContainers().stream()
                .filter(container -> !container.isAMContainer())
                .map(RMContainer::getContainerId)
                .collect(Collectors.toSet());
    }
}
