package io.optimus.am.master.yarn;

import io.optimus.model.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Containers from a real ResourceManager, through YARN's own client: it registers again and sends its asks again when
 * the ResourceManager restarts, so that the job trains on.
 *
 * <p>One priority a role. Asks that are bound to a node and asks that are not have different allocation request ids:
 * YARN's client refuses to mix them under one.
 */
public final class YarnContainers implements Containers, AutoCloseable {
    /** Often enough that containers which a plan promised start within half a second. */
    private static final int HEARTBEAT_MILLIS = 250;

    private static final long PINNED = 0;
    private static final long ANYWHERE = 1;

    private final AMRMClientAsync<ContainerRequest> client;
    private final Map<Role, Resource> taskResources;
    private final Map<String, Container> given = new ConcurrentHashMap<>();
    private final List<ContainerRequest> pending = new ArrayList<>();
    private Set<String> blacklist = Set.of();

    /**
     * A client that is started, but not registered.
     *
     * @param taskResources of one task of each role
     * @param progress in [0, 1], for YARN's pages
     */
    public YarnContainers(
            Configuration configuration, Map<Role, Resource> taskResources, Listener listener, Progress progress) {
        this.taskResources = Map.copyOf(taskResources);
        this.client = AMRMClientAsync.createAMRMClientAsync(HEARTBEAT_MILLIS, new Callbacks(listener, progress));
        client.init(configuration);
        client.start();
    }

    /** How far the job is, in [0, 1]. */
    public interface Progress {
        float now();
    }

    /** Makes this attempt known to the ResourceManager; answers come from now on. */
    public RegisterApplicationMasterResponse register(String host, int port, String trackingUrl)
            throws IOException, YarnException {
        return client.registerApplicationMaster(host, port, trackingUrl);
    }

    /** Ends the application. */
    public void unregister(FinalApplicationStatus status, String diagnostics, String trackingUrl)
            throws IOException, YarnException {
        client.unregisterApplicationMaster(status, diagnostics, trackingUrl);
    }

    /** The priority that {@code role} is asked for with. */
    public static int priority(Role role) {
        return switch (role) {
            case PARAMETER_SERVER -> 1;
            case WORKER -> 2;
        };
    }

    @Override
    public void ask(SortedMap<RoleOnNode, Integer> missing) {
        pending.forEach(client::removeContainerRequest);
        pending.clear();
        missing.forEach((seat, count) ->
                Stream.generate(() -> request(seat)).limit(count).forEach(pending::add));
        pending.forEach(client::addContainerRequest);
    }

    @Override
    public void avoid(SortedSet<String> nodes) {
        Set<String> names = nodes.stream().flatMap(YarnContainers::namesOf).collect(Collectors.toSet());
        // YARN's client changes the lists that it is given.
        List<String> additions = new ArrayList<>(names);
        additions.removeAll(blacklist);
        List<String> removals = new ArrayList<>(blacklist);
        removals.removeAll(names);
        client.updateBlacklist(additions, removals);
        blacklist = names;
    }

    /** YARN knows a node by its host, or by host and port where several run on one: the other name means nobody. */
    private static Stream<String> namesOf(String node) {
        return Stream.of(node, NodeId.fromString(node).getHost());
    }

    @Override
    public void release(String container) {
        given.remove(container);
        client.releaseAssignedContainer(ContainerId.fromString(container));
    }

    /** YARN's record of a container that was given and not released. */
    public Optional<Container> container(String id) {
        return Optional.ofNullable(given.get(id));
    }

    @Override
    public void close() {
        client.stop();
    }

    private ContainerRequest request(RoleOnNode seat) {
        boolean anywhere = seat.place().equals(TargetNode.ANYWHERE);
        return ContainerRequest.newBuilder()
                .capability(taskResources.get(seat.role()))
                .priority(Priority.newInstance(priority(seat.role())))
                .nodes(anywhere ? null : new String[] {seat.place().resourceName()})
                .relaxLocality(anywhere)
                .allocationRequestId(anywhere ? ANYWHERE : PINNED)
                .build();
    }

    private static Role role(Priority priority) {
        return priority.getPriority() == priority(Role.WORKER) ? Role.WORKER : Role.PARAMETER_SERVER;
    }

    private final class Callbacks extends AMRMClientAsync.AbstractCallbackHandler {
        private final Listener listener;
        private final Progress progress;

        Callbacks(Listener listener, Progress progress) {
            this.listener = listener;
            this.progress = progress;
        }

        @Override
        public void onContainersAllocated(List<Container> containers) {
            containers.forEach(container -> given.put(container.getId().toString(), container));
            listener.granted(containers.stream().map(this::grant).toList());
        }

        @Override
        public void onContainersCompleted(List<ContainerStatus> statuses) {
            statuses.forEach(status -> given.remove(status.getContainerId().toString()));
            listener.exited(statuses.stream()
                    .map(status -> new ContainerExit(
                            status.getContainerId().toString(), status.getExitStatus(), status.getDiagnostics()))
                    .toList());
        }

        @Override
        public void onPreemptionMessageReceived(PreemptionMessage message) {
            List<String> containers = Stream.concat(
                            Stream.ofNullable(message.getStrictContract()).map(contract -> contract.getContainers()),
                            Stream.ofNullable(message.getContract()).map(contract -> contract.getContainers()))
                    .flatMap(Set::stream)
                    .map(PreemptionContainer::getId)
                    .map(ContainerId::toString)
                    .sorted()
                    .toList();
            listener.preempted(containers);
        }

        @Override
        public void onShutdownRequest() {
            listener.abandoned("the ResourceManager does not know this attempt any more");
        }

        @Override
        public void onError(Throwable error) {
            listener.broken("The ResourceManager cannot be worked with: " + error);
        }

        @Override
        public void onNodesUpdated(List<NodeReport> nodes) {
            // The scheduler watches nodes, and plans around them.
        }

        @Override
        public void onContainersUpdated(List<UpdatedContainer> containers) {
            // Containers of training tasks keep their size.
        }

        @Override
        public float getProgress() {
            return progress.now();
        }

        private TaskContainer grant(Container container) {
            return new TaskContainer(
                    container.getId().toString(),
                    container.getNodeId().toString(),
                    container.getNodeHttpAddress(),
                    role(container.getPriority()));
        }
    }
}
