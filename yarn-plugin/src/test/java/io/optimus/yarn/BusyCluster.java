package io.optimus.yarn;

import static io.optimus.yarn.read.LocalResourceManager.resource;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A live ResourceManager over four nodes with four GPUs each. Half of the cluster is guaranteed to each of two queues, {@code
 * promised} and {@code busy}. An ordinary application of queue busy can hold all GPUs and wait for more.
 */
final class BusyCluster implements AutoCloseable {
    /** One task. YARN knows GPUs only once a ResourceManager was configured. */
    static Resource task() {
        return resource(1024, 1, 1);
    }

    static final int GPUS = 16;

    private final LocalResourceManager yarn;
    private final List<NodeId> nodes = new ArrayList<>();
    private final List<FakeApplicationMaster> ordinary = new ArrayList<>();
    private final List<Container> busy = new ArrayList<>();

    /** A cluster with {@code more} configuration. */
    BusyCluster(Map<String, String> more) throws Exception {
        Map<String, String> conf = new HashMap<>(Map.of(
                YarnConfiguration.RM_SCHEDULER,
                CountingScheduler.class.getName(),
                TrainingAddress.ADDRESS,
                "localhost:0",
                "yarn.scheduler.optimus.round-interval",
                "300ms",
                "yarn.scheduler.optimus.round-gap",
                "50ms",
                "yarn.scheduler.optimus.policy",
                "drf"));
        conf.putAll(more);
        yarn = LocalResourceManager.withQueues(List.of("promised=50", "busy=50"), conf);
        for (int node = 0; node < 4; node++) {
            nodes.add(yarn.node(1001 + node, 16_384, 16, 4));
        }
    }

    /** YARN's own preemption between queues, with short times. */
    static Map<String, String> preemption() {
        String prefix = "yarn.resourcemanager.monitor.capacity.preemption.";
        return Map.of(
                YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS,
                "true",
                prefix + "monitoring_interval",
                "100",
                prefix + "max_wait_before_kill",
                "200",
                prefix + "natural_termination_factor",
                "1.0",
                prefix + "total_preemption_per_round",
                "1.0");
    }

    /** Lets an application of queue busy take every GPU and wait for many more. */
    FakeApplicationMaster occupy() throws Exception {
        FakeApplicationMaster master = ordinary("busy", "bob");
        master.askAnywhere(1, task(), 100 + GPUS);
        Await.until("queue busy holds every GPU", () -> {
            heartbeat();
            return master.granted().size() == GPUS;
        });
        busy.addAll(master.granted());
        return master;
    }

    /** Ends one of the tasks that took every GPU; returns whether one was left. */
    boolean endOne(FakeApplicationMaster master) throws Exception {
        if (!busy.isEmpty()) {
            master.release(List.of(busy.remove(0).getId()));
        }
        return !busy.isEmpty();
    }

    /** Starts an ordinary application. */
    FakeApplicationMaster ordinary(String queue, String user) throws Exception {
        FakeApplicationMaster master = yarn.launch(queue, user, nodes.get(0));
        ordinary.add(master);
        return master;
    }

    /** Starts a training job. */
    ScriptedTraining training(String queue, String user, RegisterJobRequestProto registration) throws Exception {
        return new ScriptedTraining(yarn.launch(queue, user, nodes.get(0)), task(), registration);
    }

    /** One heartbeat of every node and of every ordinary application. */
    void heartbeat() throws Exception {
        yarn.heartbeat(1, nodes.toArray(NodeId[]::new));
        for (FakeApplicationMaster master : ordinary) {
            master.heartbeat();
        }
    }

    @Override
    public void close() {
        yarn.close();
    }
}
