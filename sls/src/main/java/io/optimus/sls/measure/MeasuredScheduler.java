package io.optimus.sls.measure;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.scheduler.SchedulerMetrics;
import org.apache.hadoop.yarn.sls.scheduler.SchedulerWrapper;
import org.apache.hadoop.yarn.sls.scheduler.Tracker;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that measures itself around {@code super.allocate} and {@code super.handle}, which is the same point in stock
 * and ours.
 *
 * <p>Simulators cast the scheduler to {@link SchedulerWrapper}. What they use of it belongs to SLS's metrics, which are off.
 */
public interface MeasuredScheduler extends SchedulerWrapper {
    /** What was measured so far. */
    SchedulerRecord measured();

    @Override
    default @Nullable SchedulerMetrics getSchedulerMetrics() {
        return null;
    }

    @Override
    default Tracker getTracker() {
        return new Tracker();
    }

    @Override
    default String getRealQueueName(String queue) {
        return queue;
    }

    @Override
    default void propagatedHandle(SchedulerEvent event) {
        throw withoutMetrics();
    }

    @Override
    default Allocation allocatePropagated(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        throw withoutMetrics();
    }

    @Override
    default void setSLSRunner(SLSRunner runner) {}

    @Override
    default SLSRunner getSLSRunner() {
        throw withoutMetrics();
    }

    private static UnsupportedOperationException withoutMetrics() {
        return new UnsupportedOperationException("only SLS's metrics call this, and they are off");
    }
}
