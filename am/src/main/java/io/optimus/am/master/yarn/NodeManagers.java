package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and stops processes on NodeManagers. */
final class NodeManagers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeManagers.class);

    private final NMClientAsync client;
    private final Containers.Listener listener;
    private final TaskLaunch launch;
    private final TaskFiles files;

    NodeManagers(Configuration configuration, TaskLaunch launch, TaskFiles files, Containers.Listener listener) {
        this.launch = launch;
        this.files = files;
        this.listener = listener;
        this.client = NMClientAsync.createNMClientAsync(new Callbacks());
        client.init(configuration);
        client.start();
        // Every container is stopped or released by name. Stopping them again on close would wait for dead nodes.
        client.getClient().cleanupRunningContainersOnStop(false);
    }

    void launch(TaskId task, Container container) {
        ContainerLaunchContext context = ContainerLaunchContext.newInstance(
                files.of(task.role()),
                launch.environment(task, container.getNodeId().getHost()),
                List.of(launch.command(task.role(), container.getResource().getMemorySize())),
                Map.of(),
                files.tokens(),
                Map.of());
        client.startContainerAsync(container, context);
    }

    void stop(TaskContainer container) {
        client.stopContainerAsync(ContainerId.fromString(container.id()), NodeId.fromString(container.node()));
    }

    @Override
    public void close() {
        client.stop();
    }

    private final class Callbacks extends NMClientAsync.AbstractCallbackHandler {
        @Override
        public void onContainerStarted(ContainerId container, Map<String, ByteBuffer> services) {
            LOG.debug("container={} started", container);
        }

        @Override
        public void onStartContainerError(ContainerId container, Throwable error) {
            listener.launchFailed(container.toString(), String.valueOf(error.getMessage()));
        }

        @Override
        public void onStopContainerError(ContainerId container, Throwable error) {
            // The container was released as well, so the ResourceManager ends it.
            LOG.debug("container={} could not be stopped: {}", container, error.toString());
        }

        @Override
        public void onContainerStopped(ContainerId container) {
            LOG.debug("container={} stopped", container);
        }

        // The ResourceManager says how containers end, and they keep their size: the rest is never requested.

        @Override
        public void onContainerStatusReceived(ContainerId container, ContainerStatus status) {}

        @Override
        public void onGetContainerStatusError(ContainerId container, Throwable error) {}

        @Override
        @SuppressWarnings("deprecation") // The abstract class still declares it.
        public void onContainerResourceIncreased(ContainerId container, Resource resource) {}

        @Override
        public void onContainerResourceUpdated(ContainerId container, Resource resource) {}

        @Override
        @SuppressWarnings("deprecation") // The abstract class still declares it.
        public void onIncreaseContainerResourceError(ContainerId container, Throwable error) {}

        @Override
        public void onUpdateContainerResourceError(ContainerId container, Throwable error) {}
    }
}
