package io.optimus.yarn.page;

import java.util.List;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.YarnVersionInfo;

/** A node that only sends heartbeats. */
final class SimulatedHeartbeats {
    private final NodeId node;
    private final RegisterNodeManagerResponse keys;
    private int response;

    private SimulatedHeartbeats(NodeId node, RegisterNodeManagerResponse keys) {
        this.node = node;
        this.keys = keys;
    }

    static SimulatedHeartbeats register(ResourceManager resourceManager, NodeId node, Resource resources)
            throws Exception {
        return new SimulatedHeartbeats(
                node,
                resourceManager
                        .getResourceTrackerService()
                        .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                                node,
                                node.getPort(),
                                resources,
                                YarnVersionInfo.getVersion(),
                                List.of(),
                                List.of(),
                                null,
                                null,
                                null,
                                status(node, 0))));
    }

    void send(ResourceManager resourceManager) throws Exception {
        response = resourceManager
                .getResourceTrackerService()
                .nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                        status(node, response), keys.getContainerTokenMasterKey(), keys.getNMTokenMasterKey(), null))
                .getResponseId();
    }

    private static NodeStatus status(NodeId node, int response) {
        return NodeStatus.newInstance(
                node,
                response,
                List.of(),
                List.of(),
                NodeHealthStatus.newInstance(true, "", System.currentTimeMillis()),
                null,
                null,
                List.of());
    }
}
