package io.optimus.am.master.yarn;

import io.optimus.am.job.JobSpec;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
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
import org.apache.hadoop.yarn.client.api.impl.AMRMClientImpl;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Containers from a real YARN, through its own clients. When the ResourceManager restarts, YARN's client registers and
 * sends its requests again, so the job trains on.
 *
 * <p>Each role has one priority. Requests for a node and requests for any node have different allocation request ids,
 * because YARN's client refuses to mix them under one.
 */
public final class YarnContainers implements Containers, AutoCloseable {
    /** With this interval, a plan's containers start within half a second. */
    private static final int HEARTBEAT_MILLIS = 250;

    private static final long ONE_NODE = 0;
    private static final long ANY_NODE = 1;

    private final AMRMClientAsync<ContainerRequest> client;
    private final NodeManagers nodeManagers;
    private final String user;
    private final Map<Role, Resource> taskResources;
    private final Map<String, Container> allocated = new ConcurrentHashMap<>();
    private final List<ContainerRequest> pending = new ArrayList<>();
    private SortedMap<RoleOnNode, Integer> requested = new TreeMap<>();
    private volatile long mostMemoryMb;
    private Set<String> blacklist = Set.of();

    /**
     * Starts the clients, without registering.
     *
     * @param user the user who runs the containers, for links to logs
     * @param progress progress in [0, 1], for YARN's pages
     */
    public YarnContainers(
            Configuration configuration,
            JobSpec spec,
            TaskLaunch launch,
            TaskFiles files,
            String user,
            Listener listener,
            Supplier<Float> progress) {
        this.user = user;
        this.taskResources = taskResources(spec);
        this.nodeManagers = new NodeManagers(configuration, launch, files, listener);
        this.client = AMRMClientAsync.createAMRMClientAsync(
                new TellingClient(listener), HEARTBEAT_MILLIS, new Callbacks(listener, progress));
        client.init(configuration);
        client.start();
    }

    /**
     * Registers this attempt with the ResourceManager; callbacks begin now.
     *
     * @return the containers of earlier attempts that still run
     */
    public List<TaskContainer> register(String host, String trackingUrl) throws IOException, YarnException {
        RegisterApplicationMasterResponse response = client.registerApplicationMaster(host, -1, trackingUrl);
        mostMemoryMb = response.getMaximumResourceCapability().getMemorySize();
        return tasks(response.getContainersFromPreviousAttempts());
    }

    /** Ends the application. */
    public void unregister(FinalApplicationStatus status, String diagnostics, String page)
            throws IOException, YarnException {
        client.unregisterApplicationMaster(status, diagnostics, page);
    }

    /** The priority of requests for {@code role}. */
    public static int priority(Role role) {
        return switch (role) {
            case PARAMETER_SERVER -> 1;
            case WORKER -> 2;
        };
    }

    @Override
    public void request(SortedMap<RoleOnNode, Integer> missing) {
        requested = new TreeMap<>(missing);
        pending.forEach(client::removeContainerRequest);
        pending.clear();
        missing.forEach((key, count) ->
                Stream.generate(() -> containerRequest(key)).limit(count).forEach(pending::add));
        pending.forEach(client::addContainerRequest);
    }

    @Override
    public void memory(Role role, long memoryMb) {
        Resource more = Resource.newInstance(taskResources.get(role));
        more.setMemorySize(memoryMb);
        taskResources.put(role, more);
        request(requested);
    }

    @Override
    public long mostMemoryMb() {
        return mostMemoryMb;
    }

    @Override
    public void avoid(SortedSet<String> nodes) {
        Set<String> names = nodes.stream().flatMap(YarnContainers::namesOf).collect(Collectors.toSet());
        // YARN's client modifies these lists.
        List<String> additions = new ArrayList<>(names);
        additions.removeAll(blacklist);
        List<String> removals = new ArrayList<>(blacklist);
        removals.removeAll(names);
        client.updateBlacklist(additions, removals);
        blacklist = names;
    }

    /** YARN knows a node by its host, or by host and port if several run on one host. It ignores unknown names. */
    private static Stream<String> namesOf(String node) {
        return Stream.of(node, NodeId.fromString(node).getHost());
    }

    @Override
    public void launch(TaskId task, TaskContainer container) {
        Container allocation = allocated.get(container.id());
        if (allocation != null) {
            nodeManagers.launch(task, allocation);
        }
    }

    @Override
    public void stop(TaskContainer container) {
        nodeManagers.stop(container);
    }

    @Override
    public void release(TaskContainer container) {
        allocated.remove(container.id());
        client.releaseAssignedContainer(ContainerId.fromString(container.id()));
    }

    @Override
    public void close() {
        try (nodeManagers) {
            client.stop();
        }
    }

    private ContainerRequest containerRequest(RoleOnNode key) {
        boolean any = key.node().equals(TargetNode.ANY);
        return ContainerRequest.newBuilder()
                .capability(taskResources.get(key.role()))
                .priority(Priority.newInstance(priority(key.role())))
                .nodes(any ? null : new String[] {key.node().resourceName()})
                .relaxLocality(any)
                .allocationRequestId(any ? ANY_NODE : ONE_NODE)
                .build();
    }

    private static Map<Role, Resource> taskResources(JobSpec spec) {
        Map<Role, Resource> resources = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            Resource resource = Resource.newInstance(0, 0);
            spec.role(role).task().amounts().forEach(resource::setResourceValue);
            resources.put(role, resource);
        }
        return resources;
    }

    private List<TaskContainer> tasks(List<Container> containers) {
        return containers.stream()
                .map(container -> TaskContainer.of(container, role(container.getPriority()), user))
                .toList();
    }

    private static Role role(Priority priority) {
        return priority.getPriority() == priority(Role.WORKER) ? Role.WORKER : Role.PARAMETER_SERVER;
    }

    /** Tells each answer of the ResourceManager when it comes. The callbacks do not tell answers from failures. */
    private static final class TellingClient extends AMRMClientImpl<ContainerRequest> {
        private final Listener listener;

        TellingClient(Listener listener) {
            this.listener = listener;
        }

        @Override
        public AllocateResponse allocate(float progress) throws YarnException, IOException {
            AllocateResponse answer = super.allocate(progress);
            listener.answered();
            return answer;
        }
    }

    private final class Callbacks extends AMRMClientAsync.AbstractCallbackHandler {
        private final Listener listener;
        private final HeartbeatErrors errors;
        private final Supplier<Float> progress;
        /** An error of a callback ends the client's thread. */
        private volatile boolean hasEnded;

        Callbacks(Listener listener, Supplier<Float> progress) {
            this.listener = listener;
            this.errors = new HeartbeatErrors(listener, System::nanoTime);
            this.progress = progress;
        }

        @Override
        public void onContainersAllocated(List<Container> containers) {
            handle(() -> {
                containers.forEach(container -> allocated.put(container.getId().toString(), container));
                listener.allocated(tasks(containers));
            });
        }

        @Override
        public void onContainersReceivedFromPreviousAttempts(List<Container> containers) {
            handle(() -> listener.runEarlier(tasks(containers)));
        }

        @Override
        public void onContainersCompleted(List<ContainerStatus> statuses) {
            handle(() -> {
                statuses.forEach(
                        status -> allocated.remove(status.getContainerId().toString()));
                listener.exited(statuses.stream()
                        .map(status -> new ContainerExit(
                                status.getContainerId().toString(), status.getExitStatus(), status.getDiagnostics()))
                        .toList());
            });
        }

        @Override
        public void onPreemptionMessageReceived(PreemptionMessage message) {
            handle(() -> listener.preemptionRequested(Stream.concat(
                            Stream.ofNullable(message.getStrictContract()).map(contract -> contract.getContainers()),
                            Stream.ofNullable(message.getContract()).map(contract -> contract.getContainers()))
                    .flatMap(Set::stream)
                    .map(PreemptionContainer::getId)
                    .map(ContainerId::toString)
                    .sorted()
                    .toList()));
        }

        private void handle(Runnable callback) {
            try {
                callback.run();
            } catch (RuntimeException | Error e) {
                hasEnded = true;
                listener.yarnFailed("The job can no longer work with the ResourceManager: " + e);
                throw e;
            }
        }

        @Override
        public void onShutdownRequest() {
            listener.shutDownRequested("the ResourceManager does not know this attempt any more");
        }

        @Override
        public void onError(Throwable error) {
            if (!hasEnded) {
                errors.received(error);
            }
        }

        @Override
        public void onNodesUpdated(List<NodeReport> nodes) {
            // The scheduler watches nodes and plans around them.
        }

        @Override
        public void onContainersUpdated(List<UpdatedContainer> containers) {
            // Containers of training tasks keep their size.
        }

        @Override
        public float getProgress() {
            return progress.get();
        }
    }
}
