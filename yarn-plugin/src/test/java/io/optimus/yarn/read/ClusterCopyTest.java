package io.optimus.yarn.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.yarn.read.ClusterCopy.AddedNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class ClusterCopyTest {
    private static final ApplicationId SUPPOSED = ApplicationId.newInstance(1, 1);

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final LocalResourceManager yarn = LocalResourceManager.withQueues("research=50", "production=50");
    private NodeId n1 = NodeId.newInstance("localhost", 1);

    @Before
    public void addNodes() throws Exception {
        n1 = yarn.node(10_001, 16_384, 16, 4);
        yarn.node(10_002, 16_384, 16, 4);
    }

    @After
    public void stop() {
        yarn.close();
    }

    private static TrainingApplication application(ApplicationId id) {
        return new TrainingApplication(
                id, Map.of(Role.WORKER, new TrainingApplication.RoleShape(11, Resources.of(1024, 1, 1), 1, 100)));
    }

    private ClusterCopy copy(TrainingApplication... present) {
        return new ClusterReader(
                        yarn.scheduler(),
                        new NodeGpuTypes(yarn.scheduler(), () -> GpuTypes.ALIKE),
                        new SchedulerChanges(),
                        new ClusterReader.Times(() -> 0, () -> 0))
                .copy(List.of(present), "root.research", "");
    }

    private ClusterCopy withSupposed() {
        return copy().with(
                        new SupposedApplication(
                                application(SUPPOSED), "ann", 0, "root.research", Resources.of(1024, 1, 0)),
                        "");
    }

    private static Resources budget(ClusterCopy copy) {
        assertThat(copy.view().queues()).hasSize(1);
        return copy.view().queues().get(0).cluster().budget();
    }

    private long freeGpus(ClusterCopy copy) {
        return copy.view().free().getOrDefault(n1.toString(), Resources.NONE).amount(Resources.GPUS);
    }

    private static long gpus(ClusterCopy copy) {
        return budget(copy).amount(Resources.GPUS);
    }

    @Test
    public void aSupposedApplicationGetsWhatARealOneWould() throws Exception {
        assertThat(copy().view().queues()).isEmpty();
        assertThat(budget(withSupposed())).isEqualTo(Resources.of(32_768 - 1024, 31, 8));

        FakeApplicationMaster real = yarn.launch("research", "ann", n1);
        ClusterView there = copy(application(real.id())).view();
        assertThat(there.queues().get(0).cluster().budget()).isEqualTo(Resources.of(32_768 - 256, 31, 8));
        assertThat(there.free()).hasSize(2);
    }

    @Test
    public void nodesThatComeOrGoChangeTheQueuesInProportion() {
        ClusterCopy present = withSupposed();

        assertThat(gpus(present.withNode(new AddedNode("new:0", Resources.of(16_384, 16, 4), ""))))
                .isEqualTo(12);
        assertThat(gpus(present.withoutNode(n1.toString()))).isEqualTo(4);
        assertThat(present.withoutNode(n1.toString()).nodes()).hasSize(1);
        assertThat(gpus(present)).as("the copy itself stays").isEqualTo(8);
    }

    @Test
    public void aLimitHoldsForTheQueue() {
        ClusterCopy present = withSupposed();

        assertThat(gpus(present.limited("root.research", 75))).isEqualTo(6);
        assertThat(gpus(present.limited("root.production", 75))).isEqualTo(8);
        assertThat(present.guaranteedPercent("root.research")).contains(50.0);
    }

    @Test
    public void applicationsThatEndedHoldNothing() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "ann", n1);
        job.askPinned(11, LocalResourceManager.resource(1024, 1, 1), n1, 3);
        yarn.heartbeat(4, n1);
        job.heartbeat();
        ClusterCopy present = copy(application(job.id()))
                .with(
                        new SupposedApplication(
                                application(SUPPOSED), "ann", 0, "root.research", Resources.of(1024, 1, 0)),
                        "");
        ClusterCopy after = present.without(Set.of(job.id()));

        assertThat(freeGpus(present)).isEqualTo(1);
        assertThat(freeGpus(after)).isEqualTo(4);
        assertThat(after.view().queues().get(0).usages()).hasSize(1);
        assertThat(after.view().queues().get(0).trainingHeld()).isEqualTo(Resources.NONE);
        assertThat(gpus(after)).isEqualTo(8);
    }

    @Test
    public void tasksOnALostNodeAreLost() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "ann", n1);
        job.askPinned(11, LocalResourceManager.resource(1024, 1, 1), n1, 3);
        yarn.heartbeat(4, n1);
        job.heartbeat();
        QueueView without = copy(application(job.id()))
                .withoutNode(n1.toString())
                .view()
                .queues()
                .get(0);

        assertThat(without.usages().get(0).live().allocation().workers()).isZero();
        assertThat(without.trainingHeld()).isEqualTo(Resources.NONE);
        assertThat(without.cluster().nodes()).hasSize(1);
    }
}
