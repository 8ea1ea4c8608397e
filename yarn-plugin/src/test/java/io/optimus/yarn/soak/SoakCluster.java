package io.optimus.yarn.soak;

import io.optimus.protocol.TrainingAddress;
import io.optimus.yarn.FreePort;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.ResourceManagerPair;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.read.LocalResourceManager;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;

/** A pair of ResourceManagers and simulated nodes with four GPUs each. */
final class SoakCluster implements AutoCloseable {
    static final int GPUS_PER_NODE = 4;

    private static final long HEARTBEAT_MILLIS = 1000;
    private static final int FIRST_PORT = 10_001;

    private final ResourceManagerPair pair;
    private final Map<NodeId, SimulatedNode> nodes = new LinkedHashMap<>();
    private final Queue<AMLauncherEvent> launches = new ConcurrentLinkedQueue<>();
    private final long[] nextHeartbeatMillis;

    /** A pair of which one is active, with {@code nodes} nodes. */
    SoakCluster(Path folder, int nodes, Map<String, String> settings) throws Exception {
        pair = new ResourceManagerPair(folder, launches::add);
        configure(pair.site());
        settings.forEach(pair.site()::set);
        ResourceManager first = pair.start("rm1");
        pair.start("rm2");
        ResourceManagerPair.becomeActive(first);
        nextHeartbeatMillis = new long[nodes];
        for (int node = 0; node < nodes; node++) {
            NodeId id = NodeId.newInstance("localhost", FIRST_PORT + node);
            this.nodes.put(id, new SimulatedNode(id, LocalResourceManager.resource(65_536, 32, GPUS_PER_NODE)));
            nextHeartbeatMillis[node] = HEARTBEAT_MILLIS * node / nodes;
        }
    }

    private static void configure(Configuration site) {
        for (String id : List.of("rm1", "rm2")) {
            site.set(TrainingAddress.ADDRESS + "." + id, "localhost:" + FreePort.find());
        }
        site.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, true);
        site.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        site.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, 4);
        // A master whose node fails together with a ResourceManager is missed only after this.
        site.setInt(YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, 40_000);
        site.setInt(YarnConfiguration.RM_MAX_COMPLETED_APPLICATIONS, 50);
        site.setInt(YarnConfiguration.RM_STATE_STORE_MAX_COMPLETED_APPLICATIONS, 50);
        site.setInt(YarnConfiguration.MAX_CLUSTER_LEVEL_APPLICATION_PRIORITY, 10);
        site.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 1000);
        site.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
        String preemption = "yarn.resourcemanager.monitor.capacity.preemption.";
        site.set(preemption + "monitoring_interval", "1000");
        site.set(preemption + "max_wait_before_kill", "3000");
        site.set(preemption + "natural_termination_factor", "1.0");
        site.set(preemption + "total_preemption_per_round", "0.3");
        site.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        // As in conf/capacity-scheduler.xml.
        site.set("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "10");
    }

    /** The configuration in the files of YARN, which a refresh of the queues reads. */
    Configuration site() {
        return pair.site();
    }

    ResourceManager active() {
        return pair.active().orElseThrow();
    }

    OptimusScheduler scheduler() {
        return (OptimusScheduler) active().getResourceScheduler();
    }

    SchedulerOverview overview() {
        return scheduler().overview().orElseThrow();
    }

    SimulatedNode node(NodeId id) {
        return Objects.requireNonNull(nodes.get(id), id::toString);
    }

    Collection<SimulatedNode> nodes() {
        return nodes.values();
    }

    /** The ApplicationMasters to start and to stop since the last call. */
    List<AMLauncherEvent> launches() {
        List<AMLauncherEvent> events = new ArrayList<>();
        for (AMLauncherEvent event = launches.poll(); event != null; event = launches.poll()) {
            events.add(event);
        }
        return events;
    }

    /** Registers all nodes. */
    void register() throws Exception {
        for (SimulatedNode node : nodes.values()) {
            node.heartbeat(active(), 0);
        }
    }

    /** Sends the heartbeats that are due. */
    void heartbeat(long nowMillis) throws Exception {
        ResourceManager yarn = active();
        int index = 0;
        for (SimulatedNode node : nodes.values()) {
            if (nextHeartbeatMillis[index] <= nowMillis) {
                nextHeartbeatMillis[index] = nowMillis + HEARTBEAT_MILLIS;
                node.heartbeat(yarn, nowMillis);
            }
            index++;
        }
    }

    /** A node fails and returns at {@code untilMillis}; YARN notices at once. */
    void lose(SimulatedNode node, long untilMillis) {
        node.fail(untilMillis);
        active().getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeEvent(node.id(), RMNodeEventType.EXPIRE));
    }

    void failOver() throws Exception {
        pair.failOver();
    }

    void refreshQueues() throws Exception {
        pair.refreshQueues();
    }

    @Override
    public void close() {
        pair.close();
    }
}
