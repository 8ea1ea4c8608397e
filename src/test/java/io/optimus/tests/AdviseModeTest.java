package io.optimus.tests;

import static io.optimus.tests.ScriptedMaster.WORKER;
import static io.optimus.tests.ScriptedMaster.WORKER_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** In mode {@code advise}, the scheduler computes plans and enforces nothing. */
public class AdviseModeTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("advise", 2, 4)
            .set("yarn.scheduler.optimus.mode", "advise")
            .set("yarn.scheduler.optimus.grace-time", "500ms")
            .set("yarn.scheduler.optimus.preemption-wait", "500ms");

    @Rule
    public final Timeout timeout = new Timeout(3, TimeUnit.MINUTES);

    @Test
    public void givesWhatIsAskedForAndTakesNothing() throws Exception {
        try (ScriptedMaster job = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            assertThat(job.registerJob(1, 1).getSchedulerMode()).isEqualToIgnoringCase("advise");
            List<ResourceRequest> all =
                    List.of(ResourceRequest.newInstance(WORKER, ResourceRequest.ANY, WORKER_TASK, 8));
            job.allocate(all);
            Await.until("all eight GPUs are granted", () -> {
                job.allocate(List.of());
                return job.holding(WORKER) == 8;
            });
            Await.holds("nothing is taken from the job", java.time.Duration.ofSeconds(4), () -> {
                job.send(job.report());
                job.allocate(List.of());
                return job.holding(WORKER) == 8 && job.preemptions().isEmpty();
            });
        }
    }
}
