package io.optimus.yarn.promises;

import static io.optimus.yarn.read.LocalResourceManager.resource;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.CountingScheduler;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.io.File;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.protocolrecords.KillApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.jspecify.annotations.Nullable;

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

    private static final int NODES = 4;

    private final LocalResourceManager yarn;
    private final List<NodeId> nodes = new ArrayList<>();
    private final List<FakeApplicationMaster> ordinary = new ArrayList<>();
    private final List<ScriptedTraining> trainings = new ArrayList<>();
    private int ended;

    /** A cluster with {@code more} configuration. */
    BusyCluster(Map<String, String> more) throws Exception {
        this(NODES, more);
    }

    /** A cluster of that many nodes. */
    BusyCluster(int nodeCount, Map<String, String> more) throws Exception {
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
        for (int node = 0; node < nodeCount; node++) {
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

    /**
     * YARN's own preemption inside queues, where all capacity is that of queue busy.
     *
     * @param order whether priorities or user limits come first
     */
    static Map<String, String> preemptionInside(String order) {
        Map<String, String> settings = new HashMap<>(preemption());
        String prefix = "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.";
        settings.put(prefix + "enabled", "true");
        settings.put(prefix + "max-allowable-limit", "1.0");
        settings.put(prefix + "minimum-threshold", "0.1");
        settings.put(prefix + "preemption-order-policy", order);
        settings.put(PromiseTest.QUEUES + "promised.capacity", "0");
        settings.put(PromiseTest.QUEUES + "busy.capacity", "100");
        return settings;
    }

    /**
     * The label {@code fast}, whose nodes belong to queue promised.
     *
     * @param folder where YARN keeps labels
     */
    static Map<String, String> labels(File folder) {
        return new HashMap<>(Map.of(
                "yarn.node-labels.enabled",
                "true",
                "yarn.node-labels.fs-store.root-dir",
                folder.toURI().toString(),
                PromiseTest.QUEUES + "accessible-node-labels",
                "fast",
                PromiseTest.QUEUES + "accessible-node-labels.fast.capacity",
                "100",
                PromiseTest.QUEUES + "promised.accessible-node-labels",
                "fast",
                PromiseTest.QUEUES + "promised.accessible-node-labels.fast.capacity",
                "100",
                PromiseTest.QUEUES + "busy.accessible-node-labels.fast.capacity",
                "0"));
    }

    /** Lets an application of queue busy take every GPU and wait for many more. */
    FakeApplicationMaster occupy() throws Exception {
        return occupy("");
    }

    /** The same for nodes with a label. */
    FakeApplicationMaster occupy(String label) throws Exception {
        FakeApplicationMaster master = launch("busy", "bob", 0, label);
        follow(master);
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
    FakeApplicationMaster launch(String queue, String user, int node, @Nullable String label) throws Exception {
        return yarn.launch(queue, user, nodes.get(node), label);
    }

    /** Starts the master of an application whose tasks outlive it. */
    FakeApplicationMaster launchKeepingTasks(String queue, String user, int node) throws Exception {
        return yarn.launchKeepingTasks(queue, user, nodes.get(node));
    }

    /** Lets the master of an application die. */
    void fail(FakeApplicationMaster master) {
        ordinary.remove(master);
        yarn.fail(master);
    }

    /** Starts the next attempt of an application on node {@code node}. */
    FakeApplicationMaster relaunch(FakeApplicationMaster failed, int node) throws Exception {
        return yarn.relaunch(failed, nodes.get(node));
    }

    /** What applications of a queue hold now, in GPUs. */
    long gpusOf(String queue) {
        return yarn.scheduler()
                .getQueue(queue)
                .getQueueResourceUsage()
                .getUsed()
                .getResourceValue("yarn.io/gpu");
    }

    /** Whether there is a queue of this path. */
    boolean hasQueue(String path) {
        return yarn.scheduler().getQueue(path) != null;
    }

    /** Gives all nodes an attribute. */
    void attribute(String name, String value) throws Exception {
        yarn.attribute(NodeAttribute.PREFIX_CENTRALIZED, name, value);
    }

    /** Lets {@link #heartbeat} send the heartbeats of {@code master}. */
    void follow(FakeApplicationMaster master) {
        ordinary.add(master);
    }

    /** Sends no heartbeats of {@code master} any more. */
    void forget(FakeApplicationMaster master) {
        ordinary.remove(master);
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

    /** How many rounds have run. */
    long rounds() {
        return ((OptimusScheduler) yarn.scheduler())
                .overview()
                .orElseThrow()
                .state()
                .log()
                .run();
    }

    /** Ends an ordinary application. */
    void end(FakeApplicationMaster master) throws Exception {
        ordinary.remove(master);
        yarn.resourceManager()
                .getClientRMService()
                .forceKillApplication(KillApplicationRequest.newInstance(master.id()));
    }

    /** The rack of all nodes. */
    String rack() {
        return yarn.scheduler().getNode(nodes.get(0)).getRackName();
    }

    NodeId node(int index) {
        return nodes.get(index);
    }

    /** Lets YARN know that the containers that were granted run. */
    void reportContainers() throws Exception {
        for (NodeId node : nodes) {
            yarn.report(node);
        }
    }

    /** Gives a node a label. */
    void label(int index, String label) throws Exception {
        yarn.label(nodes.get(index), label, true);
    }

    /** Gives a node a label that lets applications without a label use it while it is idle. */
    void shareLabel(int index, String label) throws Exception {
        yarn.label(nodes.get(index), label, false);
    }

    /** Lets YARN drain a node; its containers run on. */
    void decommission(int index) throws Exception {
        yarn.decommission(nodes.get(index));
    }

    /** Changes the GPUs of a node. */
    void resize(int index, int gpus) {
        yarn.resize(nodes.get(index), resource(16_384, 16, gpus));
    }

    /** Starts a node again that was lost, or another one. */
    void join(int port) throws Exception {
        nodes.add(yarn.node(port, 16_384, 16, 4));
    }

    /** Reads the queues again, with {@code more} configuration. */
    void refresh(Map<String, String> more) throws Exception {
        yarn.refresh(more);
    }

    /** Moves an application to another queue. */
    void move(FakeApplicationMaster master, String queue) throws Exception {
        yarn.move(master.id(), queue);
    }

    /** Submits an application, and returns whether YARN accepts it. */
    boolean admits(String queue, String user) throws Exception {
        ApplicationId id;
        try {
            id = yarn.submit(queue, user);
        } catch (UndeclaredThrowableException e) {
            assertThat(e).hasRootCauseInstanceOf(AccessControlException.class);
            return false;
        }
        RMApp submitted = yarn.resourceManager().getRMContext().getRMApps().get(id);
        Set<RMAppState> undecided =
                EnumSet.of(RMAppState.NEW, RMAppState.NEW_SAVING, RMAppState.SUBMITTED, RMAppState.FINAL_SAVING);
        Await.until("YARN decides", () -> !undecided.contains(submitted.getState()));
        return submitted.getState() != RMAppState.FAILED;
    }

    /** The state of an application. */
    RMAppState state(FakeApplicationMaster master) {
        return yarn.resourceManager()
                .getRMContext()
                .getRMApps()
                .get(master.id())
                .getState();
    }

    /** Lets a node fail. */
    NodeId lose(int index) {
        NodeId lost = nodes.remove(index);
        yarn.lose(lost);
        return lost;
    }

    /** Starts a training job. */
    ScriptedTraining training(String queue, String user, RegisterJobRequestProto registration) throws Exception {
        return training(yarn.launch(queue, user, nodes.get(0)), registration);
    }

    /** Lets {@code master} train. */
    ScriptedTraining training(FakeApplicationMaster master, RegisterJobRequestProto registration) throws Exception {
        ScriptedTraining training = new ScriptedTraining(master, registration);
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
