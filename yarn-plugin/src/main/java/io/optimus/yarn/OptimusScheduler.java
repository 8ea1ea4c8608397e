package io.optimus.yarn;

import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.PageLinks;
import io.optimus.yarn.enforce.GrantCeilings;
import io.optimus.yarn.read.SchedulerChanges;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerDynamicEditException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.QueueEntitlement;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.jspecify.annotations.Nullable;

/**
 * A CapacityScheduler that also grows and shrinks training jobs in rounds (Optimus, EuroSys 2018).
 *
 * <p>Set {@code yarn.resourcemanager.scheduler.class} to this class. CapacityScheduler alone schedules ordinary
 * applications; training costs them a hash look-up. This class only delegates to {@link TrainingScheduler}.
 *
 * <p>The ResourceManager makes a new scheduler at every failover and may send it events before starting it. Until the
 * scheduler is initialised, it is a plain CapacityScheduler.
 */
public class OptimusScheduler extends CapacityScheduler {
    /** Set when the object is initialised, since that may be a copy of the constructed one: test spies are copies. */
    private volatile @Nullable TrainingScheduler training;

    /** Called by YARN. */
    public OptimusScheduler() {}

    /**
     * Reads the settings, then initialises CapacityScheduler.
     *
     * @throws InvalidSettingsException if settings are invalid; the message names all problems
     */
    @Override
    public void serviceInit(Configuration configuration) throws Exception {
        OptimusConfiguration settings = OptimusConfiguration.read(configuration);
        if (settings.service().pageLinks()) {
            PageLinks.addTo(configuration);
        }
        training = new TrainingScheduler(this, settings);
        super.serviceInit(configuration);
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        TrainingScheduler initialised = training;
        if (initialised != null) {
            initialised.start(getConfig());
        }
    }

    @Override
    public void serviceStop() throws Exception {
        try {
            training().ifPresent(TrainingScheduler::stop);
        } finally {
            super.serviceStop();
            training().ifPresent(TrainingScheduler::forget);
        }
    }

    @Override
    public void handle(SchedulerEvent event) {
        super.handle(event);
        training().ifPresent(side -> side.events().happened(event));
    }

    @Override
    public Allocation allocate(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            @Nullable List<SchedulingRequest> schedulingRequests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        GrantCeilings.Asks all = new GrantCeilings.Asks(asks, schedulingRequests, updates);
        GrantCeilings.Trimmed left = training()
                .map(side -> side.trim(attempt, all, releases))
                .orElseGet(() -> GrantCeilings.Trimmed.nothing(all));
        Allocation allocation = super.allocate(
                attempt,
                left.asks().resources(),
                left.asks().scheduling(),
                releases,
                blacklistAdditions,
                blacklistRemovals,
                left.asks().updates());
        if (!left.requested().isEmpty()) {
            training().ifPresent(side -> side.visit(left.requested()));
        }
        if (!all.isEmpty() || isAny(blacklistAdditions) || isAny(blacklistRemovals)) {
            training().ifPresent(side -> side.events().requested(attempt.getApplicationId()));
        }
        return allocation;
    }

    /** YARN itself passes null where it requests nothing. */
    private static boolean isAny(@Nullable List<String> names) {
        return names != null && !names.isEmpty();
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public boolean tryCommit(Resource cluster, ResourceCommitRequest request, boolean updatePending) {
        boolean committed = super.tryCommit(cluster, request, updatePending);
        training().ifPresent(side -> side.events().granted(request));
        return committed;
    }

    @Override
    public boolean attemptAllocationOnNode(
            SchedulerApplicationAttempt attempt, SchedulingRequest request, SchedulerNode node) {
        boolean governed = training()
                .filter(side -> side.governs(attempt.getApplicationId()))
                .isPresent();
        return !governed && super.attemptAllocationOnNode(attempt, request, node);
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        super.completedContainerInternal(container, status, event);
        training().ifPresent(side -> side.events().released(container));
    }

    /**
     * Refreshes the settings and the queues, all or nothing.
     *
     * @throws IOException if settings are invalid; the message names all problems, and nothing has changed
     */
    @Override
    public void reinitialize(Configuration configuration, RMContext context, boolean validate) throws IOException {
        TrainingScheduler initialised = training;
        if (initialised == null || validate) {
            super.reinitialize(configuration, context, validate);
        } else {
            initialised.refresh(configuration, () -> super.reinitialize(configuration, context, false));
        }
    }

    @Override
    public String moveApplication(ApplicationId application, String queue) throws YarnException {
        String moved = super.moveApplication(application, queue);
        training().map(TrainingScheduler::events).ifPresent(SchedulerEvents::queuesChanged);
        return moved;
    }

    @Override
    public void addQueue(Queue queue) throws SchedulerDynamicEditException, IOException {
        super.addQueue(queue);
        training().map(TrainingScheduler::events).ifPresent(SchedulerEvents::queuesChanged);
    }

    @Override
    public void removeQueue(String queue) throws SchedulerDynamicEditException {
        super.removeQueue(queue);
        training().map(TrainingScheduler::events).ifPresent(SchedulerEvents::queuesChanged);
    }

    @Override
    public void setEntitlement(String queue, QueueEntitlement entitlement) throws YarnException {
        super.setEntitlement(queue, entitlement);
        training().map(TrainingScheduler::events).ifPresent(SchedulerEvents::queuesChanged);
    }

    /** The state that REST shows; empty before the scheduler is initialised. */
    public Optional<SchedulerOverview> overview() {
        return training().map(TrainingScheduler::overview);
    }

    /** What changed in the scheduler since the last snapshot; in mode {@code off}, no snapshot takes it. */
    Optional<SchedulerChanges> changes() {
        return training().map(TrainingScheduler::events).map(SchedulerEvents::changes);
    }

    private Optional<TrainingScheduler> training() {
        return Optional.ofNullable(training);
    }
}
