package io.optimus.yarn.enforce;

import io.optimus.protocol.TrainingProtocol;
import io.optimus.yarn.read.Amounts;
import io.optimus.yarn.read.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * The requests that the scheduler itself makes for a training application, for containers within the guarantee of its
 * queue. YARN chooses their nodes. They are pending like those of any application: YARN prefers queues below their guarantee,
 * reserves nodes and preempts for them.
 *
 * <p>They have an allocation request id of their own ({@link TrainingProtocol#GUARANTEED_REQUEST_ID}), which tells the
 * ApplicationMaster that such a container is not a mistake.
 */
final class GuaranteedRequests {
    private GuaranteedRequests() {}

    static boolean isOne(SchedulerRequestKey key) {
        return key.getAllocationRequestId() == TrainingProtocol.GUARANTEED_REQUEST_ID;
    }

    /**
     * Returns the requests that bring what is pending to what {@code ceiling} leaves; empty if that is pending already.
     *
     * @param headroom headroom of the application, from which all its other requests are subtracted
     * @param context the ResourceManager's applications
     */
    static List<ResourceRequest> changed(FiCaSchedulerApp app, Ceiling ceiling, Headroom headroom, RMContext context) {
        Map<SchedulerRequestKey, Integer> wanted = new TreeMap<>();
        Map<SchedulerRequestKey, Integer> pending = new TreeMap<>();
        app.getSchedulerKeys().stream()
                .filter(GuaranteedRequests::isOne)
                .forEach(key -> pending.put(key, app.getOutstandingAsksCount(key)));
        pending.keySet().forEach(key -> wanted.put(key, 0));
        ceiling.byPriority().forEach((priority, role) -> {
            if (role.leavesNodesToYarn()) {
                wanted.put(keyOf(priority), Math.max(0, role.total() - headroom.counted(priority)));
            }
        });
        List<ResourceRequest> changed = new ArrayList<>();
        wanted.forEach((key, count) -> {
            Ceiling.RoleCeiling role =
                    ceiling.byPriority().get(key.getPriority().getPriority());
            boolean sameCount = pending.getOrDefault(key, 0).equals(count);
            if (!sameCount || (count > 0 && role != null && !isOfSize(app, key, role))) {
                changed.add(withCount(
                        role == null ? lastOf(app, key) : request(key, role, Partition.of(app, context)), count));
            }
        });
        return changed;
    }

    /** Returns the requests that withdraw all that is pending. */
    static List<ResourceRequest> withdrawn(FiCaSchedulerApp app) {
        return app.getSchedulerKeys().stream()
                .filter(GuaranteedRequests::isOne)
                .filter(key -> app.getOutstandingAsksCount(key) > 0)
                .map(key -> withCount(lastOf(app, key), 0))
                .toList();
    }

    private static ResourceRequest withCount(ResourceRequest request, int count) {
        request.setNumContainers(count);
        return request;
    }

    /** Whether what is pending is for tasks of the present size: their memory can grow. */
    private static boolean isOfSize(FiCaSchedulerApp app, SchedulerRequestKey key, Ceiling.RoleCeiling role) {
        return lastOf(app, key).getCapability().equals(Amounts.toYarn(role.task()));
    }

    private static SchedulerRequestKey keyOf(int priority) {
        return SchedulerRequestKey.create(ResourceRequest.newBuilder()
                .priority(Priority.newInstance(priority))
                .resourceName(ResourceRequest.ANY)
                .allocationRequestId(TrainingProtocol.GUARANTEED_REQUEST_ID)
                .build());
    }

    private static ResourceRequest request(SchedulerRequestKey key, Ceiling.RoleCeiling role, String partition) {
        return ResourceRequest.newBuilder()
                .priority(key.getPriority())
                .resourceName(ResourceRequest.ANY)
                .capability(Amounts.toYarn(role.task()))
                .relaxLocality(true)
                .nodeLabelExpression(partition)
                .allocationRequestId(key.getAllocationRequestId())
                .build();
    }

    /** A copy of the pending request at {@code key}. */
    private static ResourceRequest lastOf(FiCaSchedulerApp app, SchedulerRequestKey key) {
        return ResourceRequest.clone(
                app.getAppPlacementAllocator(key).getResourceRequests().get(ResourceRequest.ANY));
    }
}
