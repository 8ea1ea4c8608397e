package io.optimus.tests;

import static io.optimus.tests.ScriptedMaster.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** An ApplicationMaster that ignores a shrink gets a preemption message from YARN, and later loses containers. */
public class IgnoredShrinkTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("ignored-shrink", 2, 4)
            .set("yarn.scheduler.optimus.policy", "drf")
            .set("yarn.scheduler.optimus.grace-time", "1s")
            .set("yarn.scheduler.optimus.preemption-wait", "2s");

    @Rule
    public final Timeout timeout = new Timeout(3, TimeUnit.MINUTES);

    @Test
    public void sendsAPreemptionMessageFirstThenKills() throws Exception {
        try (ScriptedMaster unresponsive = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            unresponsive.registerJob(2, 8);
            Await.until("the unresponsive job grows to all GPUs", () -> {
                unresponsive.follow();
                return unresponsive.holding(WORKER) == 8;
            });
            try (ScriptedMaster second = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
                second.registerJob(2, 8);
                Await.until("the unresponsive job gets a preemption message", () -> {
                    second.follow();
                    unresponsive.allocate(List.of());
                    return !unresponsive.preemptions().isEmpty();
                });
                assertThat(unresponsive.completed()).isEmpty();
                assertThat(unresponsive.preemptions().get(0).getContract().getContainers())
                        .isNotNull();
                Await.until("the second job gets its share", () -> {
                    second.follow();
                    unresponsive.allocate(List.of());
                    return second.holding(WORKER) >= 2;
                });
            }
            assertThat(unresponsive.completed())
                    .extracting(ContainerStatus::getExitStatus)
                    .containsOnly(ContainerExitStatus.PREEMPTED);
        }
    }
}
