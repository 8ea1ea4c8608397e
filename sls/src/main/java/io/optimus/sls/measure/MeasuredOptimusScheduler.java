package io.optimus.sls.measure;

import io.optimus.yarn.OptimusScheduler;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.jspecify.annotations.Nullable;

/** OptimusScheduler, measured. */
public final class MeasuredOptimusScheduler extends OptimusScheduler implements MeasuredScheduler {
    private final SchedulerRecord record = new SchedulerRecord();

    /** Called by YARN. */
    public MeasuredOptimusScheduler() {}

    @Override
    public Allocation allocate(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            @Nullable List<SchedulingRequest> schedulingRequests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        return record.allocate(
                getApplicationAttempt(attempt),
                () -> super.allocate(
                        attempt, asks, schedulingRequests, releases, blacklistAdditions, blacklistRemovals, updates));
    }

    @Override
    public void handle(SchedulerEvent event) {
        record.handles(event);
        super.handle(event);
    }

    @Override
    public SchedulerRecord measured() {
        return record;
    }
}
