package io.optimus.yarn.enforce;

import io.optimus.yarn.read.LocalResourceManager.HeartbeatCounter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;

/** A CapacityScheduler with ceilings only, which counts the heartbeats and visits that it has handled. */
public final class CeilingScheduler extends CapacityScheduler implements HeartbeatCounter {
    public final GrantCeilings ceilings = new GrantCeilings(this);
    private final AtomicLong heartbeats = new AtomicLong();
    private final AtomicLong visits = new AtomicLong();

    @Override
    public long heartbeats() {
        return heartbeats.get();
    }

    /** Visits that it has handled. */
    long visits() {
        return visits.get();
    }

    @Override
    public Allocation allocate(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        GrantCeilings.Trimmed left =
                ceilings.trim(attempt, new GrantCeilings.Asks(asks, schedulingRequests, updates), releases);
        Allocation allocation = super.allocate(
                attempt,
                left.asks().resources(),
                left.asks().scheduling(),
                releases,
                blacklistAdditions,
                blacklistRemovals,
                left.asks().updates());
        ceilings.visit(left.requested());
        return allocation;
    }

    @Override
    public void handle(SchedulerEvent event) {
        super.handle(event);
        if (event instanceof NodeUpdateSchedulerEvent update) {
            ceilings.afterNodeUpdate(update);
            (NodeVisits.isOne(update) ? visits : heartbeats).incrementAndGet();
        }
    }
}
