package io.optimus.tests;

import static io.optimus.tests.ScriptedMaster.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.applications.distributedshell.ApplicationMaster;
import org.apache.hadoop.yarn.applications.distributedshell.Client;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** For applications that never register, the scheduler behaves like CapacityScheduler. */
public class OrdinaryApplicationsTest {
    @ClassRule
    // The ApplicationMaster of DistributedShell reserves more virtual memory than YARN's check allows.
    public static final TrainingCluster CLUSTER =
            new TrainingCluster("ordinary", 2, 4).set(YarnConfiguration.NM_VMEM_CHECK_ENABLED, "false");

    @Rule
    public final Timeout timeout = new Timeout(4, TimeUnit.MINUTES);

    @Test
    public void distributedShellRunsAsOnCapacityScheduler() throws Exception {
        Client shell = new Client(CLUSTER.conf());
        String jar = new File(ClassUtil.findContainingJar(ApplicationMaster.class)).getPath();
        shell.init(new String[] {
            "--jar",
            jar,
            "--num_containers",
            "2",
            "--shell_command",
            "true",
            "--master_memory",
            "512",
            "--container_memory",
            "128"
        });
        assertThat(shell.run()).isTrue();
    }

    @Test
    public void pendingDemandInTheQueueIsServedBeforeElasticJobsKeepIdleCapacity() throws Exception {
        try (ScriptedMaster elastic = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            elastic.registerJob(2, 8);
            Await.until("the elastic job grows to all GPUs", () -> {
                elastic.follow();
                return elastic.holding(WORKER) == 8;
            });
            try (ScriptedMaster ordinary = ScriptedMaster.start(CLUSTER, "YARN", "default")) {
                List<ResourceRequest> three = List.of(
                        ResourceRequest.newInstance(WORKER, ResourceRequest.ANY, ScriptedMaster.task(1024, 1), 3));
                ordinary.allocate(three);
                // YARN may reserve resources on one node and grant them on the other, so tasks may have to move, but
                // the
                // job keeps as many.
                Await.until("the ordinary application gets its three GPUs, and the job keeps the others", () -> {
                    assertThat(elastic.follow().getPlanned().getWorkers()).isGreaterThanOrEqualTo(5);
                    ordinary.allocate(List.of());
                    return ordinary.holding(WORKER) == 3 && elastic.holding(WORKER) == 5;
                });
            }
            Await.until("the elastic job gets the GPUs back", () -> {
                elastic.follow();
                return elastic.holding(WORKER) == 8;
            });
        }
    }
}
