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

/** An ApplicationMaster that ignores a shrink is asked by YARN's preemption contract, then loses containers. */
public class IgnoredShrinkTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("ignored-shrink", 2, 4)
            .set("yarn.scheduler.optimus.grace-time", "1s")
            .set("yarn.scheduler.optimus.preemption-wait", "2s");

    @Rule
    public final Timeout timeout = new Timeout(3, TimeUnit.MINUTES);

    @Test
    public void asksByThePreemptionContractFirstThenKills() throws Exception {
        try (ScriptedMaster deaf = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            deaf.registerJob(2, 8);
            Await.until("the deaf job grows to all GPUs", () -> {
                deaf.follow();
                return deaf.holding(WORKER) == 8;
            });
            try (ScriptedMaster second = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
                second.registerJob(2, 8);
                Await.until("the deaf job is asked by the contract", () -> {
                    second.follow();
                    deaf.allocate(List.of());
                    return !deaf.preemptions().isEmpty();
                });
                assertThat(deaf.completed()).isEmpty();
                assertThat(deaf.preemptions().get(0).getContract().getContainers())
                        .isNotNull();
                Await.until("the second job gets its share", () -> {
                    second.follow();
                    deaf.allocate(List.of());
                    return second.holding(WORKER) >= 2;
                });
            }
            assertThat(deaf.completed())
                    .extracting(ContainerStatus::getExitStatus)
                    .containsOnly(ContainerExitStatus.PREEMPTED);
        }
    }
}
