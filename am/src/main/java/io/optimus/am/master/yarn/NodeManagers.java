package io.optimus.am.master.yarn;

import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops processes on NodeManagers, one call at a time for each node.
 *
 * <p>A call to a NodeManager that does not answer blocks for minutes, because YARN's client retries. Only calls to the same
 * node wait for it. (Hadoop's NMClientAsync shares ten threads among all nodes.)
 */
final class NodeManagers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeManagers.class);

    private final NMClient client = NMClient.createNMClient();
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("node-manager"));
    private final KeyedQueues<NodeId> calls = new KeyedQueues<>(threads);
    private final Containers.Listener listener;
    private final TaskLaunch launch;
    private final TaskFiles files;

    NodeManagers(Configuration configuration, TaskLaunch launch, TaskFiles files, Containers.Listener listener) {
        this.launch = launch;
        this.files = files;
        this.listener = listener;
        client.init(configuration);
        client.start();
        // Every container is stopped or released by name. Stopping them again on close would wait for dead nodes.
        client.cleanupRunningContainersOnStop(false);
    }

    void launch(TaskId task, Container container) {
        ContainerLaunchContext context = ContainerLaunchContext.newInstance(
                files.of(task.role()),
                launch.environment(task, container.getNodeId().getHost()),
                List.of(launch.command(task.role(), container.getResource().getMemorySize())),
                Map.of(),
                files.tokens(),
                Map.of());
        calls.execute(container.getNodeId(), () -> start(container, context));
    }

    private void start(Container container, ContainerLaunchContext context) {
        try {
            client.startContainer(container, context);
            LOG.debug("container={} started", container.getId());
        } catch (YarnException | IOException | RuntimeException e) {
            listener.launchFailed(container.getId().toString(), String.valueOf(e.getMessage()));
        }
    }

    void stop(TaskContainer container) {
        NodeId node = NodeId.fromString(container.node());
        calls.execute(node, () -> stop(ContainerId.fromString(container.id()), node));
    }

    private void stop(ContainerId container, NodeId node) {
        try {
            client.stopContainer(container, node);
            LOG.debug("container={} stopped", container);
        } catch (YarnException | IOException | RuntimeException e) {
            // The container was released as well, so the ResourceManager ends it.
            LOG.debug("container={} could not be stopped: {}", container, e.toString());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        client.stop();
    }
}
