package io.optimus.yarn.soak;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeAction;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.YarnVersionInfo;

/**
 * A NodeManager without processes: it runs the containers that masters start, tells the ResourceManager of them as a
 * NodeManager does, and brings them along when it has to register again.
 */
final class SimulatedNode {
    private final NodeId id;
    private final Resource capacity;
    private final Map<ContainerId, Running> running = new LinkedHashMap<>();
    /** Reported until the ResourceManager says that it knows. */
    private final Map<ContainerId, Ended> ended = new LinkedHashMap<>();

    private Optional<RegisterNodeManagerResponse> registration = Optional.empty();
    private int responseId;
    private long silentUntilMillis;

    /**
     * A container that runs.
     *
     * @param startedMillis when it was started
     * @param endsMillis when it ends by itself
     */
    private record Running(Container container, long startedMillis, long endsMillis) {}

    /** A container that has ended. */
    private record Ended(Running container, int exitStatus) {}

    SimulatedNode(NodeId id, Resource capacity) {
        this.id = id;
        this.capacity = capacity;
    }

    NodeId id() {
        return id;
    }

    /** Starts a container that ends by itself at {@code endsMillis}; false if the node is down. */
    boolean start(Container container, long nowMillis, long endsMillis) {
        if (isDown(nowMillis)) {
            return false;
        }
        running.put(container.getId(), new Running(container, nowMillis, endsMillis));
        return true;
    }

    /** Ends a container with this exit status. */
    void stop(ContainerId container, int exitStatus) {
        Running stopped = running.remove(container);
        if (stopped != null) {
            ended.put(container, new Ended(stopped, exitStatus));
        }
    }

    /** Whether it runs the container, or will tell YARN of its end; false for one that went with a failure of the node. */
    boolean knows(ContainerId container) {
        return running.containsKey(container) || ended.containsKey(container);
    }

    boolean runs(ContainerId container) {
        return running.containsKey(container);
    }

    /** The number of containers that it runs. */
    int size() {
        return running.size();
    }

    boolean isDown(long nowMillis) {
        return nowMillis < silentUntilMillis;
    }

    /** Ends all containers without a word, and is silent until {@code untilMillis}. */
    void fail(long untilMillis) {
        running.clear();
        ended.clear();
        registration = Optional.empty();
        silentUntilMillis = untilMillis;
    }

    /** Sends a heartbeat, or registers first where the ResourceManager does not know this node. */
    void heartbeat(ResourceManager yarn, long nowMillis) throws Exception {
        if (isDown(nowMillis)) {
            return;
        }
        List.copyOf(running.values()).stream()
                .filter(container -> container.endsMillis() <= nowMillis)
                .forEach(container -> stop(container.container().getId(), ContainerExitStatus.SUCCESS));
        if (registration.isEmpty()) {
            register(yarn, nowMillis);
        }
        RegisterNodeManagerResponse keys = registration.orElseThrow();
        NodeHeartbeatResponse response = yarn.getResourceTrackerService()
                .nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                        status(nowMillis), keys.getContainerTokenMasterKey(), keys.getNMTokenMasterKey(), null));
        if (response.getNodeAction() == NodeAction.NORMAL) {
            obey(response);
        } else {
            registration = Optional.empty();
        }
    }

    private void register(ResourceManager yarn, long nowMillis) throws Exception {
        responseId = 0;
        RegisterNodeManagerResponse response = yarn.getResourceTrackerService()
                .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                        id,
                        id.getPort(),
                        capacity,
                        YarnVersionInfo.getVersion(),
                        recovered(),
                        running.keySet().stream()
                                .map(SimulatedNode::application)
                                .distinct()
                                .toList(),
                        null,
                        null,
                        null,
                        status(nowMillis)));
        if (response.getNodeAction() == NodeAction.NORMAL) {
            registration = Optional.of(response);
        } else {
            throw new IllegalStateException(id + " may not register: " + response.getDiagnosticsMessage());
        }
    }

    private static ApplicationId application(ContainerId container) {
        return container.getApplicationAttemptId().getApplicationId();
    }

    private List<NMContainerStatus> recovered() {
        List<NMContainerStatus> recovered = new ArrayList<>();
        for (Running one : running.values()) {
            recovered.add(recovered(one, ContainerState.RUNNING, ContainerExitStatus.INVALID));
        }
        for (Ended one : ended.values()) {
            recovered.add(recovered(one.container(), ContainerState.COMPLETE, one.exitStatus()));
        }
        return recovered;
    }

    private static NMContainerStatus recovered(Running one, ContainerState state, int exitStatus) {
        Container container = one.container();
        return NMContainerStatus.newInstance(
                container.getId(),
                container.getVersion(),
                state,
                container.getResource(),
                "simulated",
                exitStatus,
                container.getPriority(),
                one.startedMillis(),
                "",
                ExecutionType.GUARANTEED,
                container.getAllocationRequestId());
    }

    private NodeStatus status(long nowMillis) {
        List<ContainerStatus> containers = new ArrayList<>();
        running.keySet()
                .forEach(container -> containers.add(ContainerStatus.newInstance(
                        container, ContainerState.RUNNING, "", ContainerExitStatus.INVALID)));
        ended.forEach((container, end) -> containers.add(
                ContainerStatus.newInstance(container, ContainerState.COMPLETE, "simulated", end.exitStatus())));
        return NodeStatus.newInstance(
                id,
                responseId,
                containers,
                List.of(),
                NodeHealthStatus.newInstance(true, "", nowMillis),
                null,
                null,
                List.of());
    }

    private void obey(NodeHeartbeatResponse response) {
        responseId = response.getResponseId();
        response.getContainersToBeRemovedFromNM().forEach(ended::remove);
        response.getContainersToCleanup()
                .forEach(container -> stop(container, ContainerExitStatus.KILLED_BY_RESOURCEMANAGER));
        for (ApplicationId application : response.getApplicationsToCleanup()) {
            List.copyOf(running.keySet()).stream()
                    .filter(container -> application(container).equals(application))
                    .forEach(container -> stop(container, ContainerExitStatus.KILLED_AFTER_APP_COMPLETION));
            ended.keySet().removeIf(container -> application(container).equals(application));
        }
    }
}
