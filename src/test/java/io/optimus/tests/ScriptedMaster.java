package io.optimus.tests;

import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.BatchLimitsProto;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.GradientNoiseProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StepTimeProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * An unmanaged ApplicationMaster inside the test. It asks YARN for what the test says and reports to the scheduler what the
 * test says, whether that is correct or not. It holds the containers that it gets, and never starts them.
 */
final class ScriptedMaster implements AutoCloseable {
    static final Priority PS = Priority.newInstance(1);
    static final Priority WORKER = Priority.newInstance(2);
    static final Resource PS_TASK = task(512, 0);
    static final Resource WORKER_TASK = task(1024, 1);

    private final Configuration conf;
    private final YarnClient yarn;
    private final ApplicationId id;
    private final UserGroupInformation user;
    private final ApplicationMasterProtocol master;
    private final Map<ContainerId, Container> held = new LinkedHashMap<>();
    private final List<ContainerStatus> completed = new ArrayList<>();
    private final List<PreemptionMessage> preemptions = new ArrayList<>();
    private TrainingProtocolClient training;
    private int responseId;
    private long sequence;
    private boolean hasServers = true;
    private OptionalDouble noise = OptionalDouble.empty();

    private ScriptedMaster(Configuration conf, YarnClient yarn, ApplicationId id, UserGroupInformation user)
            throws Exception {
        this.conf = conf;
        this.yarn = yarn;
        this.id = id;
        this.user = user;
        this.master = user.doAs((PrivilegedExceptionAction<ApplicationMasterProtocol>)
                () -> ClientRMProxy.createRMProxy(conf, ApplicationMasterProtocol.class));
        master.registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("localhost", 0, ""));
    }

    /** Submits an application of type {@code type} to {@code queue} and registers its ApplicationMaster with YARN. */
    static ScriptedMaster start(TrainingCluster cluster, String type, String queue) throws Exception {
        YarnClient yarn = cluster.client();
        ApplicationSubmissionContext context = yarn.createApplication().getApplicationSubmissionContext();
        ApplicationId id = context.getApplicationId();
        context.setApplicationName("scripted");
        context.setApplicationType(type);
        context.setQueue(queue);
        context.setUnmanagedAM(true);
        context.setResource(task(64, 0));
        context.setAMContainerSpec(org.apache.hadoop.yarn.util.Records.newRecord(
                org.apache.hadoop.yarn.api.records.ContainerLaunchContext.class));
        yarn.submitApplication(context);
        Await.until(
                "the scripted application is accepted",
                () -> yarn.getApplicationReport(id).getYarnApplicationState() == YarnApplicationState.ACCEPTED
                        && yarn.getAMRMToken(id) != null);
        Token<AMRMTokenIdentifier> token = yarn.getAMRMToken(id);
        token.setService(ClientRMProxy.getAMRMTokenService(cluster.conf()));
        UserGroupInformation user = UserGroupInformation.createRemoteUser(
                UserGroupInformation.getCurrentUser().getShortUserName());
        user.addToken(token);
        return new ScriptedMaster(cluster.conf(), yarn, id, user);
    }

    ApplicationId id() {
        return id;
    }

    UserGroupInformation user() {
        return user;
    }

    Collection<Container> held() {
        return held.values();
    }

    List<ContainerStatus> completed() {
        return completed;
    }

    /** The preemption messages that YARN has sent so far. */
    List<PreemptionMessage> preemptions() {
        return preemptions;
    }

    /** Registers with the scheduler, for 1 to {@code maxPs} parameter servers and 1 to {@code maxWorkers} workers. */
    RegisterJobResponseProto registerJob(int maxPs, int maxWorkers) throws Exception {
        return training().registerJob(job(maxPs, maxWorkers).build());
    }

    /** Registers a job without parameter servers, with 1 to {@code maxWorkers} workers. */
    RegisterJobResponseProto registerAllReduceJob(int maxWorkers) throws Exception {
        hasServers = false;
        RegisterJobRequestProto.Builder job = job(1, maxWorkers);
        return training().registerJob(job.removeRoles(0).build());
    }

    /**
     * Registers a job without parameter servers that adapts its batch of 128 to up to 2,048 samples, with 1 to {@code maxWorkers}
     * workers.
     *
     * @param gradientVariance relative to the squared norm of its gradients
     */
    RegisterJobResponseProto registerAdaptiveJob(int maxWorkers, double gradientVariance) throws Exception {
        hasServers = false;
        noise = OptionalDouble.of(gradientVariance);
        RegisterJobRequestProto.Builder job = job(1, maxWorkers);
        return training()
                .registerJob(job.removeRoles(0)
                        .setGlobalBatch(128)
                        .setBatchLimits(BatchLimitsProto.newBuilder()
                                .setInitial(128)
                                .setMax(2048)
                                .setMinAtomic(8)
                                .setMaxAtomic(128))
                        .build());
    }

    /** A registration that a test may change before it is sent. */
    RegisterJobRequestProto.Builder job(int maxPs, int maxWorkers) {
        return RegisterJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setName("scripted")
                .setMode(TrainingModeProto.SYNCHRONOUS)
                .addRoles(role(RoleProto.PARAMETER_SERVER, maxPs, PS_TASK, PS))
                .addRoles(role(RoleProto.WORKER, maxWorkers, WORKER_TASK, WORKER))
                .setGlobalBatch(64)
                .setStepsPerEpoch(100);
    }

    /** An empty report for a test to fill. */
    ReportRequestProto.Builder report() {
        return ReportRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setSequence(++sequence);
    }

    ReportResponseProto send(ReportRequestProto.Builder report) throws Exception {
        return training().report(report.build());
    }

    /** A speed sample of the job on {@code ps} + {@code workers}. */
    static SpeedSampleProto speed(int ps, int workers, double stepsPerSecond) {
        return SpeedSampleProto.newBuilder()
                .setAllocation(
                        AllocationProto.newBuilder().setParameterServers(ps).setWorkers(workers))
                .setStepsPerSecond(stepsPerSecond)
                .setSeconds(5)
                .build();
    }

    TrainingProtocolClient training() throws Exception {
        if (training == null) {
            training = user.doAs(
                    (PrivilegedExceptionAction<TrainingProtocolClient>) () -> TrainingProtocolClient.create(conf));
        }
        return training;
    }

    /** Makes one allocate call with {@code asks} and without releases. */
    AllocateResponse allocate(List<ResourceRequest> asks) throws Exception {
        return allocate(asks, List.of(), List.of());
    }

    AllocateResponse allocate(
            List<ResourceRequest> asks, List<ContainerId> releases, List<SchedulingRequest> scheduling)
            throws Exception {
        AllocateRequest request = AllocateRequest.newInstance(responseId, 0.1f, asks, releases, null);
        if (!scheduling.isEmpty()) {
            request.setSchedulingRequests(scheduling);
        }
        AllocateResponse response = master.allocate(request);
        responseId = response.getResponseId();
        response.getAllocatedContainers().forEach(container -> held.put(container.getId(), container));
        response.getCompletedContainersStatuses().forEach(status -> held.remove(status.getContainerId()));
        completed.addAll(response.getCompletedContainersStatuses());
        releases.forEach(held::remove);
        if (response.getPreemptionMessage() != null) {
            preemptions.add(response.getPreemptionMessage());
        }
        return response;
    }

    /** Requests for {@code count} containers of {@code priority} on each node of the directive, whatever number it gives. */
    static List<ResourceRequest> pinned(DirectiveProto directive, Priority priority, Resource task, int count) {
        List<ResourceRequest> asks = new ArrayList<>();
        asks.add(ResourceRequest.newInstance(
                priority, ResourceRequest.ANY, task, count * directive.getTargetCount(), false));
        asks.add(ResourceRequest.newInstance(
                priority, "/default-rack", task, count * directive.getTargetCount(), false));
        for (NodeAllocationProto node : directive.getTargetList()) {
            asks.add(ResourceRequest.newInstance(priority, node.getResourceName(), task, count, true));
        }
        return asks;
    }

    /** Requests for exactly the containers of the directive that the application does not hold yet. */
    List<ResourceRequest> asksFor(DirectiveProto directive) {
        List<ResourceRequest> asks = new ArrayList<>();
        for (Priority priority : hasServers ? List.of(PS, WORKER) : List.of(WORKER)) {
            Resource task = priority.equals(PS) ? PS_TASK : WORKER_TASK;
            int total = 0;
            for (NodeAllocationProto node : directive.getTargetList()) {
                AllocationProto wanted = node.getAllocation();
                int count = (priority.equals(PS) ? wanted.getParameterServers() : wanted.getWorkers())
                        - (int) held.values().stream()
                                .filter(c -> c.getPriority().equals(priority)
                                        && c.getNodeId().toString().equals(node.getNode()))
                                .count();
                asks.add(ResourceRequest.newInstance(priority, node.getResourceName(), task, Math.max(0, count), true));
                total += Math.max(0, count);
            }
            asks.add(ResourceRequest.newInstance(priority, "/default-rack", task, total, false));
            asks.add(ResourceRequest.newInstance(priority, ResourceRequest.ANY, task, total, false));
        }
        return asks;
    }

    /**
     * Does what a correct ApplicationMaster does: reports the speed of the tasks that it holds, releases the
     * containers that its directive does not name, and asks for those that it names.
     *
     * @return the directive that it followed, or the default instance while there is none
     */
    DirectiveProto follow() throws Exception {
        ReportRequestProto.Builder report =
                report().setCurrentStep(100 * sequence).addAllMembers(members());
        if (noise.isPresent()) {
            report.addAllStepTimes(stepTimes())
                    .setGradientNoise(
                            GradientNoiseProto.newBuilder().setSquaredNorm(1).setVariance(noise.getAsDouble()));
        } else {
            report.addAllSpeeds(scalingSpeeds());
        }
        DirectiveProto directive = send(report).getDirective();
        allocate(asksFor(directive), surplus(directive), List.of());
        return directive;
    }

    /**
     * The speed of the tasks that it holds, in a job that every worker makes faster: 1 / (1/w + 0.005 w/p + 0.01), and without
     * servers 1 / (1/w + 0.02).
     */
    private List<SpeedSampleProto> scalingSpeeds() {
        long workers = holding(WORKER);
        long servers = holding(PS);
        if (workers == 0 || (hasServers && servers == 0)) {
            return List.of();
        }
        double communication = hasServers ? 0.005 * workers / servers + 0.01 : 0.02;
        return List.of(speed((int) servers, (int) workers, 1 / (1.0 / workers + communication)));
    }

    /** A step with 128 samples takes 1 s on one worker, and 1 s more on several. */
    private List<StepTimeProto> stepTimes() {
        List<StepTimeProto> times = new ArrayList<>();
        int workers = (int) holding(WORKER);
        for (int atomic : workers == 0 ? new int[0] : new int[] {16, 64, 128}) {
            double computing = 0.1 + 0.9 / 128 * atomic;
            times.add(StepTimeProto.newBuilder()
                    .setNodes(holdingByNode(WORKER).size())
                    .setWorkers(workers)
                    .setAtomicBatch(atomic)
                    .setAccumulatedStepSeconds(computing)
                    .setStepSeconds(workers > 1 ? computing + 1 : computing)
                    .build());
        }
        return times;
    }

    private List<NodeAllocationProto> members() {
        Map<String, AllocationProto.Builder> byNode = new LinkedHashMap<>();
        for (Container container : held.values()) {
            AllocationProto.Builder there = byNode.computeIfAbsent(
                    container.getNodeId().toString(),
                    node -> AllocationProto.newBuilder().setParameterServers(0).setWorkers(0));
            if (container.getPriority().equals(PS)) {
                there.setParameterServers(there.getParameterServers() + 1);
            } else {
                there.setWorkers(there.getWorkers() + 1);
            }
        }
        return byNode.entrySet().stream()
                .map(entry -> NodeAllocationProto.newBuilder()
                        .setNode(entry.getKey())
                        .setAllocation(entry.getValue())
                        .build())
                .toList();
    }

    /** The held containers that are not in the directive. */
    private List<ContainerId> surplus(DirectiveProto directive) {
        Map<String, Integer> room = new LinkedHashMap<>();
        for (NodeAllocationProto node : directive.getTargetList()) {
            room.put(PS + node.getNode(), node.getAllocation().getParameterServers());
            room.put(WORKER + node.getNode(), node.getAllocation().getWorkers());
        }
        List<ContainerId> surplus = new ArrayList<>();
        for (Container container : held.values()) {
            if (room.merge(container.getPriority() + container.getNodeId().toString(), -1, Integer::sum) < 0) {
                surplus.add(container.getId());
            }
        }
        return surplus;
    }

    /** The number of containers held at {@code priority}. */
    long holding(Priority priority) {
        return held.values().stream()
                .filter(container -> container.getPriority().equals(priority))
                .count();
    }

    Map<String, Long> holdingByNode(Priority priority) {
        return held.values().stream()
                .filter(container -> container.getPriority().equals(priority))
                .collect(Collectors.groupingBy(c -> c.getNodeId().toString(), Collectors.counting()));
    }

    @Override
    public void close() throws Exception {
        if (training != null) {
            training.close();
        }
        try {
            master.finishApplicationMaster(
                    FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", ""));
        } catch (IOException | org.apache.hadoop.yarn.exceptions.YarnException e) {
            yarn.killApplication(id); // the test may have ended it
        }
        RPC.stopProxy(master);
    }

    static Resource task(int memoryMb, int gpus) {
        return Resource.newInstance(memoryMb, 1, gpus == 0 ? Map.of() : Map.of("yarn.io/gpu", (long) gpus));
    }

    private static RoleSpecProto role(RoleProto role, int max, Resource task, Priority priority) {
        return RoleSpecProto.newBuilder()
                .setRole(role)
                .setMin(1)
                .setMax(max)
                .setYarnPriority(priority.getPriority())
                .addResources(amount("memory-mb", task.getMemorySize()))
                .addResources(amount("vcores", task.getVirtualCores()))
                .addResources(amount("yarn.io/gpu", task.getResourceValue("yarn.io/gpu")))
                .build();
    }

    private static ResourceAmountProto amount(String name, long value) {
        return ResourceAmountProto.newBuilder().setName(name).setAmount(value).build();
    }
}
