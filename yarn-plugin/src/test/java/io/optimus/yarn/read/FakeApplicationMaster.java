package io.optimus.yarn.read;

import io.optimus.protocol.TrainingProtocolClient;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** An ApplicationMaster that a test controls and that may ask for any containers. */
public final class FakeApplicationMaster {
    private final Supplier<ResourceManager> yarn;
    private final ApplicationAttemptId attempt;
    private final UserGroupInformation identity;
    private final List<Container> granted = new ArrayList<>();
    private int responseId;

    FakeApplicationMaster(LocalResourceManager yarn, ApplicationAttemptId attempt) throws Exception {
        this(yarn::resourceManager, attempt);
    }

    /**
     * The master of {@code attempt}, which has been launched.
     *
     * @param yarn the active ResourceManager
     */
    public FakeApplicationMaster(Supplier<ResourceManager> yarn, ApplicationAttemptId attempt) throws Exception {
        this.yarn = yarn;
        this.attempt = attempt;
        Token<AMRMTokenIdentifier> token =
                yarn.get().getRMContext().getAMRMTokenSecretManager().createAndGetAMRMToken(attempt);
        identity = UserGroupInformation.createRemoteUser(attempt.toString());
        identity.addTokenIdentifier(token.decodeIdentifier());
        identity.addToken(token);
    }

    /** Connects to the training service as this attempt. */
    public TrainingProtocolClient trainingClient() throws Exception {
        Configuration conf = yarn.get().getConfig();
        return identity.doAs(
                (PrivilegedExceptionAction<TrainingProtocolClient>) () -> TrainingProtocolClient.create(conf));
    }

    public ApplicationId id() {
        return attempt.getApplicationId();
    }

    public ApplicationAttemptId attempt() {
        return attempt;
    }

    /** Registers with YARN, also again after a failover. */
    public RegisterApplicationMasterResponse register() throws Exception {
        responseId = 0;
        RegisterApplicationMasterResponse response = as(manager -> manager.getApplicationMasterService()
                .registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("localhost", 0, "")));
        response.getContainersFromPreviousAttempts().stream()
                .filter(container -> !granted.contains(container))
                .forEach(granted::add);
        return response;
    }

    /** Tells YARN that the application has succeeded; true once YARN has stored that. */
    public boolean unregister() throws Exception {
        return as(manager -> manager.getApplicationMasterService()
                .finishApplicationMaster(
                        FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", ""))
                .getIsUnregistered());
    }

    /** Makes one allocate call. */
    public AllocateResponse allocate(AllocateRequest.AllocateRequestBuilder request) throws Exception {
        AllocateResponse response = as(manager -> manager.getApplicationMasterService()
                .allocate(request.responseId(responseId).progress(0).build()));
        responseId = response.getResponseId();
        granted.addAll(response.getAllocatedContainers());
        return response;
    }

    /** Makes an allocate call without new requests. */
    public AllocateResponse heartbeat() throws Exception {
        return allocate(AllocateRequest.newBuilder());
    }

    /** Asks for {@code count} containers pinned to {@code node}, as the ApplicationMaster client library does. */
    public void askPinned(int priority, Resource task, NodeId node, int count) throws Exception {
        allocate(AllocateRequest.newBuilder()
                .askList(List.of(
                        ask(priority, task, node.toString(), count, true),
                        ask(priority, task, "/default-rack", count, false),
                        ask(priority, task, ResourceRequest.ANY, count, false))));
    }

    /** Asks for {@code count} containers on any nodes. */
    public void askAnywhere(int priority, Resource task, int count) throws Exception {
        allocate(AllocateRequest.newBuilder().askList(List.of(ask(priority, task, ResourceRequest.ANY, count, true))));
    }

    /** Asks with scheduling requests. */
    public void askScheduling(SchedulingRequest... requests) throws Exception {
        allocate(AllocateRequest.newBuilder().schedulingRequests(List.of(requests)));
    }

    public void release(List<ContainerId> containers) throws Exception {
        allocate(AllocateRequest.newBuilder().releaseList(containers));
    }

    public static ResourceRequest ask(int priority, Resource task, String name, int count, boolean relax) {
        return ResourceRequest.newInstance(Priority.newInstance(priority), name, task, count, relax);
    }

    /** Returns all containers that it was ever given, or took over from an attempt before. */
    public List<Container> granted() {
        return List.copyOf(granted);
    }

    /** The number of containers that it holds, without its own. */
    public int held() {
        return (int) scheduled().getLiveContainers().stream()
                .filter(container -> !container.isAMContainer())
                .count();
    }

    /** The number of containers that it holds on {@code node}, without its own. */
    public long held(NodeId node) {
        return scheduled().getLiveContainers().stream()
                .filter(container -> !container.isAMContainer())
                .filter(container -> container.getAllocatedNode().equals(node))
                .count();
    }

    public long granted(NodeId node) {
        return granted.stream().filter(c -> c.getNodeId().equals(node)).count();
    }

    public FiCaSchedulerApp scheduled() {
        return ((CapacityScheduler) yarn.get().getResourceScheduler()).getApplicationAttempt(attempt);
    }

    /** Returns the number of containers that YARN has pending for it. */
    public int pending() {
        return scheduled().getAppSchedulingInfo().getAllResourceRequests().stream()
                .filter(request -> request.getResourceName().equals(ResourceRequest.ANY))
                .mapToInt(ResourceRequest::getNumContainers)
                .sum();
    }

    private interface Call<T> {
        T on(ResourceManager manager) throws Exception;
    }

    private <T> T as(Call<T> call) throws Exception {
        try {
            return identity.doAs((PrivilegedExceptionAction<T>) () -> call.on(yarn.get()));
        } catch (UndeclaredThrowableException e) {
            if (e.getCause() instanceof YarnException refusal) {
                throw refusal;
            }
            throw e;
        }
    }
}
