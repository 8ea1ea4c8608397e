package io.optimus.yarn.soak;

import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** An ordinary application that runs a number of containers and asks again for those that it loses. */
final class OrdinaryWork implements Work {
    private static final long LEAST_HEARTBEAT_MILLIS = 1000;
    /** A master of long tasks has little to say. */
    private static final int HEARTBEATS_PER_TASK = 5;

    private static final int PRIORITY = 1;

    private final SoakCluster cluster;
    private final Script.Ordinary script;
    private final Resource task;
    private final Map<ContainerId, NodeId> running = new HashMap<>();
    private Optional<FakeApplicationMaster> master = Optional.empty();
    private long nextHeartbeatMillis;
    private int finished;
    private int pending;

    OrdinaryWork(SoakCluster cluster, Script.Ordinary script) {
        this.cluster = cluster;
        this.script = script;
        this.task = LocalResourceManager.resource(2048, 1, script.gpus());
    }

    @Override
    public void begin(FakeApplicationMaster registered, List<Container> kept, long nowMillis) throws Exception {
        kept.forEach(container -> running.put(container.getId(), container.getNodeId()));
        master = Optional.of(registered);
        nextHeartbeatMillis = nowMillis;
        reconnected();
    }

    @Override
    public void reconnected() {
        pending = -1;
    }

    @Override
    public boolean step(long nowMillis) throws Exception {
        if (nowMillis < nextHeartbeatMillis) {
            return false;
        }
        nextHeartbeatMillis =
                nowMillis + Math.max(LEAST_HEARTBEAT_MILLIS, script.containerMillis() / HEARTBEATS_PER_TASK);
        AllocateResponse response =
                master.orElseThrow().allocate(AllocateRequest.newBuilder().askList(asks()));
        pending = outstanding() - response.getAllocatedContainers().size();
        response.getCompletedContainersStatuses().forEach(this::ended);
        for (Container container : response.getAllocatedContainers()) {
            running.put(container.getId(), container.getNodeId());
            cluster.node(container.getNodeId()).start(container, nowMillis, nowMillis + script.containerMillis());
        }
        // YARN does not tell of containers that are lost while no ResourceManager is active.
        running.entrySet()
                .removeIf(container -> !cluster.node(container.getValue()).knows(container.getKey()));
        return finished >= script.containers();
    }

    /** Nothing where YARN has the right number already. */
    private List<ResourceRequest> asks() {
        return pending == outstanding()
                ? List.of()
                : List.of(FakeApplicationMaster.ask(PRIORITY, task, ResourceRequest.ANY, outstanding(), true));
    }

    private void ended(ContainerStatus status) {
        running.remove(status.getContainerId());
        if (status.getExitStatus() == ContainerExitStatus.SUCCESS) {
            finished++;
        }
    }

    private int outstanding() {
        return Math.max(0, Math.min(script.containers() - finished, script.atOnce()) - running.size());
    }

    @Override
    public boolean dies() {
        return false;
    }

    @Override
    public void end() {
        running.clear();
        master = Optional.empty();
    }

    @Override
    public Lack lack() {
        return new Lack(task, master.isPresent() ? outstanding() : 0);
    }
}
