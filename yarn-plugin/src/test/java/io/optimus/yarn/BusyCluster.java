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
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
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
    private final List<ScriptedTraining> trainings = new ArrayList<>();
    private int ended;

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
        return master;
    }

    /** Ends the oldest task of {@code master}. Returns false once it has ended as many as there are GPUs. */
    boolean endOne(FakeApplicationMaster master) throws Exception {
        if (ended < master.granted().size()) {
            master.release(List.of(master.granted().get(ended++).getId()));
        }
        return ended < GPUS;
    }

    /** Starts an ordinary application. */
    FakeApplicationMaster ordinary(String queue, String user) throws Exception {
        FakeApplicationMaster master = yarn.launch(queue, user, nodes.get(0));
        ordinary.add(master);
        return master;
    }

    /** Starts the master of an application on node {@code node}; it asks for nothing yet. */
    FakeApplicationMaster launch(String queue, String user, int node, String label) throws Exception {
        return yarn.launch(queue, user, nodes.get(node), label);
    }

    /** Lets {@link #heartbeat} send the heartbeats of {@code master}. */
    void follow(FakeApplicationMaster master) {
        ordinary.add(master);
    }

    /** Submits an application, and sends heartbeats as long as its master would take to get its container. */
    boolean startsMaster(String queue, String user) throws Exception {
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(yarn.submit(queue, user), 1);
        Await.until("YARN knows " + attempt, () -> yarn.scheduler().getApplicationAttempt(attempt) != null);
        for (int i = 0; i < 20; i++) {
            heartbeat();
        }
        return !yarn.scheduler()
                .getApplicationAttempt(attempt)
                .getLiveContainers()
                .isEmpty();
    }

    /** Gives an application a priority in YARN. */
    void priority(FakeApplicationMaster master, int priority) throws Exception {
        yarn.scheduler()
                .updateApplicationPriority(
                        Priority.newInstance(priority),
                        master.id(),
                        SettableFuture.create(),
                        UserGroupInformation.getCurrentUser());
    }

    NodeId node(int index) {
        return nodes.get(index);
    }

    /** Gives a node a label. */
    void label(int index, String label) throws Exception {
        yarn.label(nodes.get(index), label);
    }

    /** Lets YARN drain a node; its containers run on. */
    void decommission(int index) {
        yarn.decommission(nodes.get(index));
    }

    /** Lets a node fail. */
    NodeId lose(int index) {
        NodeId lost = nodes.remove(index);
        yarn.lose(lost);
        return lost;
    }

    /** Starts a training job. */
    ScriptedTraining training(String queue, String user, RegisterJobRequestProto registration) throws Exception {
        return training(yarn.launch(queue, user, nodes.get(0)), task(), registration);
    }

    /** Lets {@code master} train. */
    ScriptedTraining training(FakeApplicationMaster master, Resource task, RegisterJobRequestProto registration)
            throws Exception {
        ScriptedTraining training = new ScriptedTraining(master, task, registration);
        trainings.add(training);
        return training;
    }

    /** One heartbeat of every node and of every ordinary application. */
    void heartbeat() throws Exception {
        yarn.heartbeat(1, nodes.toArray(NodeId[]::new));
        for (FakeApplicationMaster master : ordinary) {
            master.heartbeat();
        }
    }

    @Override
    public void close() throws Exception {
        for (ScriptedTraining training : trainings) {
            training.close();
        }
        yarn.close();
    }
}
