package io.optimus.tests;

import static io.optimus.tests.ScriptedMaster.PS;
import static io.optimus.tests.ScriptedMaster.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Jobs without parameter servers grow and shrink under each policy that resizes jobs. */
public class AllReduceJobsTest {
    private static final List<String> POLICIES =
            List.of("optimus", "drf", "tetris", "smd", "marginal-goodput", "pollux-exact", "pollux", "sia");

    @ClassRule
    public static final TrainingCluster CLUSTER = cluster();

    @Rule
    public final Timeout timeout = new Timeout(6, TimeUnit.MINUTES);

    /** A queue for each policy, which may use the whole cluster of 8 GPUs while the others are empty. */
    private static TrainingCluster cluster() {
        TrainingCluster cluster = new TrainingCluster("all-reduce", 2, 4)
                .set("yarn.scheduler.capacity.root.queues", String.join(",", POLICIES))
                .set("yarn.scheduler.optimus.grace-time", "1s");
        for (String policy : POLICIES) {
            cluster.set("yarn.scheduler.capacity.root." + policy + ".capacity", "12.5")
                    .set("yarn.scheduler.capacity.root." + policy + ".maximum-capacity", "100")
                    .set("yarn.scheduler.capacity.root." + policy + ".user-limit-factor", "100")
                    .set("yarn.scheduler.optimus.queue.root." + policy + ".policy", policy);
        }
        return cluster;
    }

    @Test
    public void growAndShrinkUnderEachPolicy() throws Exception {
        for (String policy : POLICIES) {
            try (ScriptedMaster second = ScriptedMaster.start(CLUSTER, "OPTIMUS", policy)) {
                try (ScriptedMaster first = ScriptedMaster.start(CLUSTER, "OPTIMUS", policy)) {
                    first.registerAllReduceJob(8);
                    Await.until(policy + ": the first job has all 8 GPUs", () -> {
                        follow(first);
                        return first.holding(WORKER) == 8;
                    });

                    second.registerAllReduceJob(8);
                    // By sia's objective, one worker for the second job is not worth half of the first job's.
                    if (!policy.equals("sia")) {
                        Await.until(policy + ": the first job shrinks for the second", () -> {
                            follow(first);
                            follow(second);
                            return first.holding(WORKER) < 8 && second.holding(WORKER) > 0;
                        });
                    }
                }
                Await.until(policy + ": the second job grows after the first has ended", () -> {
                    follow(second);
                    return second.holding(WORKER) == 8;
                });
            }
        }
    }

    /** The quiet job gains nothing from a larger batch, the noisy one almost as much as from more steps. */
    @Test
    public void marginalGoodputDividesTheClusterAmongTwoAdaptiveJobsAndOneWithParameterServers() throws Exception {
        try (ScriptedMaster quiet = ScriptedMaster.start(CLUSTER, "OPTIMUS", "marginal-goodput");
                ScriptedMaster noisy = ScriptedMaster.start(CLUSTER, "OPTIMUS", "marginal-goodput");
                ScriptedMaster servers = ScriptedMaster.start(CLUSTER, "OPTIMUS", "marginal-goodput")) {
            quiet.registerAdaptiveJob(8, 0.01);
            noisy.registerAdaptiveJob(8, 100);
            servers.registerJob(1, 2);
            Map<String, ScriptedMaster> jobs = new TreeMap<>(Map.of("quiet", quiet, "noisy", noisy, "ps", servers));
            Map<String, String> last = new HashMap<>();
            Await.until("the noisy job has more workers than the quiet one", () -> {
                for (Map.Entry<String, ScriptedMaster> job : jobs.entrySet()) {
                    String reason = job.getValue().follow().getReason();
                    if (!reason.equals(last.put(job.getKey(), reason))) {
                        System.out.println(
                                job.getKey() + " holds " + job.getValue().holding(WORKER) + " workers and "
                                        + job.getValue().holding(PS) + " ps: " + reason);
                    }
                }
                return servers.holding(PS) == 1
                        && servers.holding(WORKER) > 0
                        && quiet.holding(WORKER) > 0
                        && noisy.holding(WORKER) > 2 * quiet.holding(WORKER);
            });
        }
    }

    private static void follow(ScriptedMaster job) throws Exception {
        DirectiveProto directive = job.follow();
        assertThat(directive.getTargetList())
                .extracting(NodeAllocationProto::getAllocation)
                .allSatisfy(tasks -> assertThat(tasks.getParameterServers()).isZero());
        assertThat(directive.getReason()).doesNotContain("ps");
        assertThat(job.holding(PS)).isZero();
    }
}
