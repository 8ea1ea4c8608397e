package io.optimus.sls.applications;

import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.sls.appmaster.AMSimulator;
import org.apache.hadoop.yarn.sls.nodemanager.NMSimulator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * An application of which SLS simulates the ApplicationMaster: submitted by a call to the ResourceManager, registered as soon
 * as its own container runs, with one {@code allocate} call each heartbeat.
 */
public abstract class SimulatedApplication extends AMSimulator {
    /** How long a container runs that only its ApplicationMaster ends. */
    static final long FOR_GOOD_MILLIS = Long.MAX_VALUE / 4;

    private @Nullable UserGroupInformation identity;

    SimulatedApplication() {}

    /** One task of a training job, on all sides. */
    public static Resource trainingTask() {
        Resource task = Resource.newInstance(4096, 2);
        task.setResourceValue("yarn.io/gpu", 1);
        return task;
    }

    /** One heartbeat; called as long as the ApplicationMaster's container runs. */
    abstract void heartbeat() throws Exception;

    /** Whether the application has ended. */
    boolean ended() {
        return false;
    }

    /** The attempt, as the ResourceManager's services know their caller. */
    final UserGroupInformation identity() throws Exception {
        UserGroupInformation known = identity;
        if (known == null) {
            RMApp submitted =
                    Objects.requireNonNull(rm.getRMContext().getRMApps().get(appId));
            Token<AMRMTokenIdentifier> token =
                    submitted.getRMAppAttempt(appAttemptId).getAMRMToken();
            known = UserGroupInformation.createRemoteUser(appAttemptId.toString());
            known.addTokenIdentifier(token.decodeIdentifier());
            known.addToken(token);
            identity = known;
        }
        return known;
    }

    /** Makes one allocate call. */
    final AllocateResponse allocate(List<ResourceRequest> asks, List<ContainerId> releases) throws Exception {
        AllocateRequest request = createAllocateRequest(asks, releases);
        return identity().doAs((PrivilegedExceptionAction<AllocateResponse>)
                () -> rm.getApplicationMasterService().allocate(request));
    }

    /** Lets a granted container run on its node. */
    final void launch(Container container, long millis) {
        // Without the application: only SLS's own list of applications, which nobody reads, would grow.
        node(container.getNodeId()).addNewContainer(container, millis, null);
    }

    final NMSimulator node(NodeId id) {
        return Objects.requireNonNull(se.getNmMap().get(id));
    }

    /** An ask for {@code count} containers on any node. */
    final ResourceRequest anywhere(Resource task, int priority, int count) {
        return ResourceRequest.newBuilder()
                .capability(Resources.clone(task))
                .resourceName(ResourceRequest.ANY)
                .priority(Priority.newInstance(priority))
                .numContainers(count)
                .relaxLocality(true)
                .build();
    }

    @Override
    protected final void processResponseQueue() {}

    @Override
    protected final void sendContainerRequest() throws Exception {
        heartbeat();
    }

    @Override
    protected final void checkStop() {
        if (ended()) {
            setEndTime(System.currentTimeMillis());
        }
    }

    @Override
    public final void initReservation(ReservationId reservation, long deadline, long now) {}
}
