package io.optimus.yarn.read;

import io.optimus.yarn.Await;
import io.optimus.yarn.enforce.CeilingScheduler;
import io.optimus.yarn.enforce.GrantCeilings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.MoveApplicationAcrossQueuesRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeAttributeType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEvent;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.ApplicationMasterLauncher;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeDecommissioningEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.YarnVersionInfo;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.jspecify.annotations.Nullable;

/**
 * A real ResourceManager in this JVM, on ephemeral ports, without web pages unless they are asked for; the test controls its
 * nodes and ApplicationMasters.
 */
public final class LocalResourceManager implements AutoCloseable {
    /** The key that names classes for the web application: it is started where this is set, at the address that is configured. */
    public static final String WEB_CLASSES = "yarn.http.rmwebapp.external.classes";

    static final String GPUS = "yarn.io/gpu";

    private final ResourceManager resourceManager;
    private final Map<NodeId, Integer> responses = new HashMap<>();
    private final Set<NodeId> reporting = new HashSet<>();
    private final Map<NodeId, RegisterNodeManagerResponse> registrations = new HashMap<>();

    private LocalResourceManager(Configuration conf) {
        ResourceUtils.resetResourceTypes(conf);
        resourceManager = new ResourceManager() {
            @Override
            protected void startWepApp() {
                if (conf.get(WEB_CLASSES) != null) {
                    super.startWepApp();
                }
            }

            @Override
            protected ApplicationMasterLauncher createAMLauncher() {
                return new ApplicationMasterLauncher(getRMContext()) {
                    @Override
                    public synchronized void handle(AMLauncherEvent event) {}
                };
            }
        };
        resourceManager.init(conf);
        resourceManager.start();
    }

    /** Starts it with queues such as {@code default=100}, the sum of which is 100 %. */
    public static LocalResourceManager withQueues(String... queues) {
        return new LocalResourceManager(configuration(queues));
    }

    /** A scheduler that counts the heartbeats of nodes that it has handled. */
    public interface HeartbeatCounter {
        long heartbeats();
    }

    /** Starts it with further configuration {@code key=value}. */
    public static LocalResourceManager withQueues(List<String> queues, Map<String, String> more) {
        Configuration conf = configuration(queues.toArray(String[]::new));
        more.forEach(conf::set);
        return new LocalResourceManager(conf);
    }

    private static Configuration configuration(String... queues) {
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RESOURCE_TYPES, GPUS);
        conf.setClass(YarnConfiguration.RM_SCHEDULER, CeilingScheduler.class, CeilingScheduler.class);
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "localhost:0");
        }
        // The default is a folder that all ResourceManagers of this machine share, also later ones.
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                Path.of("target", "node-attributes", UUID.randomUUID().toString())
                        .toUri()
                        .toString());
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, true);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        String prefix = "yarn.scheduler.capacity.";
        conf.set(prefix + "resource-calculator", DominantResourceCalculator.class.getName());
        conf.set(prefix + "maximum-am-resource-percent", "1.0");
        List<String> names = new ArrayList<>();
        for (String queue : queues) {
            String[] parts = queue.split("=", 2);
            names.add(parts[0]);
            conf.set(prefix + "root." + parts[0] + ".capacity", parts[1]);
            conf.set(prefix + "root." + parts[0] + ".user-limit-factor", "10");
        }
        conf.set(prefix + "root.queues", String.join(",", names));
        return conf;
    }

    public CapacityScheduler scheduler() {
        return (CapacityScheduler) resourceManager.getResourceScheduler();
    }

    public GrantCeilings ceilings() {
        return ((CeilingScheduler) scheduler()).ceilings;
    }

    public ResourceManager resourceManager() {
        return resourceManager;
    }

    /** Registers a node {@code localhost:port}. */
    public NodeId node(int port, long memoryMb, int vcores, long gpus) throws Exception {
        NodeId node = register(port, memoryMb, vcores, gpus);
        Await.until("node " + node + " is known", () -> scheduler().getNode(node) != null);
        awaitQueues();
        return node;
    }

    /** The scheduler adds a node, and then its share to the queues, within one lock, for which this call waits. */
    private void awaitQueues() {
        scheduler().checkAndGetApplicationLifetime("root", 0);
    }

    /** Registers {@code count} equal nodes, whose ports begin with {@code port}. */
    public List<NodeId> nodes(int count, int port, long memoryMb, int vcores, long gpus) throws Exception {
        List<NodeId> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(register(port + i, memoryMb, vcores, gpus));
            if (nodes.size() % 100 == 0) {
                awaitNodes(nodes.size());
            }
        }
        awaitNodes(count);
        return nodes;
    }

    private void awaitNodes(int count) {
        Await.until(
                count + " nodes are known", () -> scheduler().getNodeTracker().nodeCount() >= count);
        awaitQueues();
    }

    private NodeId register(int port, long memoryMb, int vcores, long gpus) throws Exception {
        NodeId node = NodeId.newInstance("localhost", port);
        responses.remove(node);
        registrations.put(
                node,
                resourceManager
                        .getResourceTrackerService()
                        .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                                node,
                                port,
                                resource(memoryMb, vcores, gpus),
                                YarnVersionInfo.getVersion(),
                                List.of(),
                                List.of(),
                                null,
                                null,
                                null,
                                status(node, 0))));
        return node;
    }

    /** Gives the host of all nodes an attribute. */
    public void attribute(String prefix, String name, String value) throws Exception {
        NodeAttribute attribute = NodeAttribute.newInstance(prefix, name, NodeAttributeType.STRING, value);
        resourceManager
                .getRMContext()
                .getNodeAttributesManager()
                .replaceNodeAttributes(prefix, Map.of("localhost", Set.of(attribute)));
    }

    /** Gives {@code node} a label that all queues may use. */
    public void label(NodeId node, String label) throws Exception {
        label(node, label, true);
    }

    /** The same for a label that, unless {@code exclusive}, lets others use the node while it is idle. */
    public void label(NodeId node, String label, boolean exclusive) throws Exception {
        resourceManager
                .getRMContext()
                .getNodeLabelManager()
                .addToCluserNodeLabels(List.of(NodeLabel.newInstance(label, exclusive)));
        scheduler().reinitialize(resourceManager.getConfig(), resourceManager.getRMContext());
        resourceManager.getRMContext().getNodeLabelManager().replaceLabelsOnNode(Map.of(node, Set.of(label)));
        Await.until(
                node + " has label " + label,
                () -> scheduler().getNode(node).getPartition().equals(label));
    }

    /** Changes the resources of a running {@code node}; its containers run on. */
    public void resize(NodeId node, Resource resources) {
        resourceManager
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeResourceUpdateEvent(node, ResourceOption.newInstance(resources, -1)));
        Await.until(node + " is resized", () -> {
            SchedulerNode known = scheduler().getNode(node); // null for a moment: YARN takes the node out and in again
            return known != null && known.getTotalResource().equals(resources);
        });
    }

    /** Reads the queues again, with {@code more} configuration. */
    public void refresh(Map<String, String> more) throws Exception {
        Configuration conf = new Configuration(resourceManager.getConfig());
        more.forEach(conf::set);
        scheduler().reinitialize(conf, resourceManager.getRMContext());
    }

    /** Moves a running application to {@code queue}. */
    public void move(ApplicationId application, String queue) throws Exception {
        resourceManager
                .getClientRMService()
                .moveApplicationAcrossQueues(MoveApplicationAcrossQueuesRequest.newInstance(application, queue));
    }

    /** Lets {@code node} report its containers from now on, and so YARN know that they run. */
    public void report(NodeId node) throws Exception {
        reporting.add(node);
        heartbeat(1, node);
    }

    /** Begins a graceful decommission of {@code node}, which reports its containers from now on. */
    public void decommission(NodeId node) throws Exception {
        report(node);
        resourceManager
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeDecommissioningEvent(node, (int) TimeUnit.HOURS.toSeconds(1)));
        Await.until(node + " is drained", () -> {
            RMNode known = resourceManager.getRMContext().getRMNodes().get(node);
            return known != null && known.getState() == NodeState.DECOMMISSIONING;
        });
    }

    /** Lets {@code node} expire, as if it had sent no heartbeat for long. */
    public void lose(NodeId node) {
        resourceManager
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeEvent(node, RMNodeEventType.EXPIRE));
        Await.until(node + " is lost", () -> scheduler().getNode(node) == null);
    }

    /** Sends that many heartbeats of each node and waits until the scheduler handled them. */
    public void heartbeat(int times, NodeId... nodes) throws Exception {
        for (int i = 0; i < times; i++) {
            for (NodeId node : nodes) {
                heartbeatOfAll(List.of(node));
            }
        }
    }

    /** Sends one heartbeat of each of {@code nodes}, then waits until the scheduler handled all. */
    public void heartbeatOfAll(Collection<NodeId> nodes) throws Exception {
        HeartbeatCounter counter = (HeartbeatCounter) scheduler();
        long before = counter.heartbeats();
        for (NodeId node : nodes) {
            send(node);
        }
        Await.until("heartbeats of " + nodes.size() + " nodes", () -> counter.heartbeats() >= before + nodes.size());
    }

    private void send(NodeId node) throws Exception {
        int response = responses.getOrDefault(node, 0);
        RegisterNodeManagerResponse keys = Objects.requireNonNull(registrations.get(node));
        responses.put(
                node,
                resourceManager
                        .getResourceTrackerService()
                        .nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                                status(node, response),
                                keys.getContainerTokenMasterKey(),
                                keys.getNMTokenMasterKey(),
                                null))
                        .getResponseId());
    }

    private NodeStatus status(NodeId node, int response) {
        return NodeStatus.newInstance(
                node,
                response,
                reporting.contains(node) ? running(node) : List.of(),
                List.of(),
                NodeHealthStatus.newInstance(true, "", System.currentTimeMillis()),
                null,
                null,
                List.of());
    }

    private List<ContainerStatus> running(NodeId node) {
        return scheduler().getNode(node).getCopiedListOfRunningContainers().stream()
                .map(RMContainer::getContainerId)
                .map(id -> ContainerStatus.newInstance(
                        id, isLive(id) ? ContainerState.RUNNING : ContainerState.COMPLETE, "", 0))
                .toList();
    }

    /** Whether the application has not released the container. */
    private boolean isLive(ContainerId id) {
        return scheduler().getRMContainer(id) != null;
    }

    /** Submits an application. */
    public ApplicationId submit(String queue, String user) throws Exception {
        return submit(queue, user, "", false);
    }

    private ApplicationId submit(String queue, String user, @Nullable String label, boolean keepsTasks)
            throws Exception {
        ApplicationId id = resourceManager
                .getClientRMService()
                .getNewApplication(Records.newRecord(GetNewApplicationRequest.class))
                .getApplicationId();
        ApplicationSubmissionContext submission = ApplicationSubmissionContext.newInstance(
                id,
                "test",
                queue,
                Priority.newInstance(0),
                Records.newRecord(ContainerLaunchContext.class),
                false,
                true,
                2,
                resource(256, 1, 0),
                "TEST");
        submission.setNodeLabelExpression(label);
        submission.setKeepContainersAcrossApplicationAttempts(keepsTasks);
        UserGroupInformation.createRemoteUser(user)
                .doAs((java.security.PrivilegedExceptionAction<Object>) () -> resourceManager
                        .getClientRMService()
                        .submitApplication(SubmitApplicationRequest.newInstance(submission)));
        return id;
    }

    /** Submits an application and brings its ApplicationMaster up on {@code node}. */
    public FakeApplicationMaster launch(String queue, String user, NodeId node) throws Exception {
        return launch(queue, user, node, "");
    }

    /**
     * Submits an application to nodes with {@code label} and brings its ApplicationMaster up on {@code node}.
     *
     * @param label null for the label of the queue's applications
     */
    public FakeApplicationMaster launch(String queue, String user, NodeId node, @Nullable String label)
            throws Exception {
        return launch(ApplicationAttemptId.newInstance(submit(queue, user, label, false), 1), node);
    }

    /** The same for an application whose tasks outlive the attempts of its ApplicationMaster. */
    public FakeApplicationMaster launchKeepingTasks(String queue, String user, NodeId node) throws Exception {
        return launch(ApplicationAttemptId.newInstance(submit(queue, user, "", true), 1), node);
    }

    /** Lets the ApplicationMaster of an attempt die; YARN then asks for a container of the next attempt. */
    public void fail(FakeApplicationMaster master) {
        RMContainer container = master.scheduled().getLiveContainers().stream()
                .filter(RMContainer::isAMContainer)
                .findFirst()
                .orElseThrow();
        scheduler()
                .completedContainer(
                        container,
                        SchedulerUtils.createAbnormalContainerStatus(container.getContainerId(), "it died"),
                        RMContainerEventType.FINISHED);
        awaitState(master.attempt(), RMAppAttemptState.FAILED);
        awaitState(after(master), RMAppAttemptState.SCHEDULED);
    }

    /** Brings the ApplicationMaster of the attempt after that of {@code failed} up on {@code node}. */
    public FakeApplicationMaster relaunch(FakeApplicationMaster failed, NodeId node) throws Exception {
        return launch(after(failed), node);
    }

    private static ApplicationAttemptId after(FakeApplicationMaster master) {
        return ApplicationAttemptId.newInstance(master.id(), master.attempt().getAttemptId() + 1);
    }

    private FakeApplicationMaster launch(ApplicationAttemptId attempt, NodeId node) throws Exception {
        // Where YARN schedules without heartbeats, it may have allocated the container already.
        awaitState(
                attempt, RMAppAttemptState.SCHEDULED, RMAppAttemptState.ALLOCATED_SAVING, RMAppAttemptState.ALLOCATED);
        heartbeat(1, node);
        return start(attempt);
    }

    /** Submits {@code count} applications, and brings their ApplicationMasters up on any of {@code nodes}. */
    public List<FakeApplicationMaster> launchAll(int count, String queue, String user, Collection<NodeId> nodes)
            throws Exception {
        List<ApplicationAttemptId> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(ApplicationAttemptId.newInstance(submit(queue, user), 1));
        }
        for (ApplicationAttemptId attempt : attempts) {
            awaitState(attempt, RMAppAttemptState.SCHEDULED);
        }
        heartbeatOfAll(nodes);
        List<FakeApplicationMaster> masters = new ArrayList<>();
        for (ApplicationAttemptId attempt : attempts) {
            masters.add(start(attempt));
        }
        return masters;
    }

    private FakeApplicationMaster start(ApplicationAttemptId attempt) throws Exception {
        awaitState(attempt, RMAppAttemptState.ALLOCATED);
        resourceManager
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppAttemptEvent(attempt, RMAppAttemptEventType.LAUNCHED));
        awaitState(attempt, RMAppAttemptState.LAUNCHED);
        FakeApplicationMaster master = new FakeApplicationMaster(this, attempt);
        master.register();
        awaitState(attempt, RMAppAttemptState.RUNNING);
        return master;
    }

    private void awaitState(ApplicationAttemptId attempt, RMAppAttemptState... states) {
        List<RMAppAttemptState> awaited = List.of(states);
        Await.until(attempt + " is " + awaited, () -> {
            RMApp app = resourceManager.getRMContext().getRMApps().get(attempt.getApplicationId());
            RMAppAttempt found = app == null ? null : app.getRMAppAttempt(attempt);
            return found != null && awaited.contains(found.getAppAttemptState());
        });
    }

    public static Resource resource(long memoryMb, int vcores, long gpus) {
        Resource resource = Resource.newInstance(memoryMb, vcores);
        resource.setResourceValue(GPUS, gpus);
        return resource;
    }

    @Override
    public void close() {
        resourceManager.stop();
        ResourceUtils.resetResourceTypes(new Configuration());
    }
}
