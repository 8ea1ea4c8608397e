package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and stops tasks on real NodeManagers. */
public final class NodeManagers implements TaskLauncher, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeManagers.class);

    private final NMClientAsync client;
    private final Listener listener;
    private final Function<String, Optional<Container>> containers;
    private final Map<String, String> variables;
    private final TaskLaunch launch;
    private final TaskFiles files;

    /**
     * A started client.
     *
     * @param containers YARN's record of a container by its id
     * @param variables of every task's environment, which those of {@code launch} may replace
     * @param launch command and environment of a task
     * @param files what a task finds in its working folder
     */
    public NodeManagers(
            Configuration configuration,
            Function<String, Optional<Container>> containers,
            Map<String, String> variables,
            TaskLaunch launch,
            TaskFiles files,
            Listener listener) {
        this.containers = containers;
        this.variables = variables;
        this.launch = launch;
        this.files = files;
        this.listener = listener;
        this.client = NMClientAsync.createNMClientAsync(new Callbacks());
        client.init(configuration);
        client.start();
        // Every container is stopped or released by name; stopping them once more would wait for dead nodes.
        client.getClient().cleanupRunningContainersOnStop(false);
    }

    @Override
    public void launch(TaskId task, TaskContainer grant) {
        containers
                .apply(grant.container())
                .ifPresent(container -> client.startContainerAsync(container, context(task, grant, container)));
    }

    @Override
    public void stop(TaskContainer grant) {
        client.stopContainerAsync(ContainerId.fromString(grant.container()), NodeId.fromString(grant.node()));
    }

    @Override
    public void close() {
        client.stop();
    }

    private ContainerLaunchContext context(TaskId task, TaskContainer grant, Container container) {
        Map<String, LocalResource> resources = files.of(grant.role());
        Map<String, String> environment = new TreeMap<>(variables);
        environment.putAll(launch.environment(task, container.getNodeId().getHost(), files.nativesFolder()));
        return ContainerLaunchContext.newInstance(
                resources, environment, List.of(launch.command(grant.role())), Map.of(), files.tokens(), Map.of());
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
            // The container is released as well: the ResourceManager sees to its end.
            LOG.debug("container={} could not be stopped: {}", container, error.toString());
        }

        @Override
        public void onContainerStopped(ContainerId container) {
            LOG.debug("container={} stopped", container);
        }

        @Override
        public void onContainerStatusReceived(ContainerId container, ContainerStatus status) {
            // Never asked for: the ResourceManager tells how containers end.
        }

        @Override
        public void onGetContainerStatusError(ContainerId container, Throwable error) {
            // Never asked for.
        }

        @Override
        @SuppressWarnings("deprecation") // YARN's interface still wants it
        public void onContainerResourceIncreased(ContainerId container, Resource resource) {
            // Never asked for.
        }

        @Override
        public void onContainerResourceUpdated(ContainerId container, Resource resource) {
            // Never asked for.
        }

        @Override
        @SuppressWarnings("deprecation") // YARN's interface still wants it
        public void onIncreaseContainerResourceError(ContainerId container, Throwable error) {
            // Never asked for.
        }

        @Override
        public void onUpdateContainerResourceError(ContainerId container, Throwable error) {
            // Never asked for.
        }
    }
}
