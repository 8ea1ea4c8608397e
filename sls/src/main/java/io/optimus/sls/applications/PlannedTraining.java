package io.optimus.sls.applications;

import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * A training job on OptimusScheduler: it registers with the training service by its AMRM token, reports at the interval that
 * the service names, and follows its directives as the product's ApplicationMaster does, but at once.
 */
public final class PlannedTraining extends SimulatedApplication implements Training {
    private static final int PRIORITY = 11;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final int index;
    private final int mostWorkers;
    private final TrainingProgress progress;
    private final HeldTasks held = new HeldTasks();
    private final PinnedAsks asks = new PinnedAsks(trainingTask(), PRIORITY, this::rack);
    private @Nullable TrainingProtocolClient client;
    private Optional<DirectiveProto> directive = Optional.empty();
    private long reportIntervalNanos;
    private long reportedNanos;
    private long changedNanos;
    private long sequence;
    private volatile int tasksHeld;
    private volatile boolean started;
    private volatile long planFollowed;
    private final AtomicInteger plansFollowed = new AtomicInteger();

    /**
     * A job.
     *
     * @param index decides its loss curve and its speed
     * @param mostWorkers the most workers that it may have
     */
    public PlannedTraining(int index, int mostWorkers) {
        this.index = index;
        this.mostWorkers = mostWorkers;
        this.progress = new TrainingProgress(index);
    }

    @Override
    void heartbeat() throws Exception {
        if (client == null) {
            client = identity().doAs((PrivilegedExceptionAction<TrainingProtocolClient>)
                    () -> TrainingProtocolClient.create(rm.getConfig()));
            register(client);
        } else if (System.nanoTime() - reportedNanos >= reportIntervalNanos) {
            report(client);
        }
        follow();
    }

    private void register(TrainingProtocolClient service) throws Exception {
        RegisterJobResponseProto response = service.registerJob(
                TrainingMessages.registration("simulated-" + index, trainingTask(), PRIORITY, mostWorkers));
        reportIntervalNanos = TimeUnit.MILLISECONDS.toNanos(response.getReportIntervalMillis());
        reportedNanos = System.nanoTime();
        if (response.hasDirective()) {
            directive = Optional.of(response.getDirective());
        }
    }

    private void report(TrainingProtocolClient service) throws Exception {
        long now = System.nanoTime();
        progress.train(held.size(), (now - reportedNanos) / NANOS_PER_SECOND);
        double sinceChange = changedNanos > reportedNanos ? 0 : (now - reportedNanos) / NANOS_PER_SECOND;
        reportedNanos = now;
        ReportResponseProto response =
                service.report(TrainingMessages.report(++sequence, planFollowed, held.byNode(), progress, sinceChange));
        if (response.getRegisterAgain()) {
            register(service);
        } else if (response.hasDirective()) {
            directive = Optional.of(response.getDirective());
        }
    }

    private void follow() throws Exception {
        long plan = directive.map(DirectiveProto::getPlan).orElse(0L);
        HeldTasks.Change change =
                directive.map(TrainingMessages::target).map(held::towards).orElseGet(() -> held.towards(held.byNode()));
        List<ResourceRequest> requests = asks.of(plan, change.missing());
        AllocateResponse response = allocate(requests, change.surplus());
        change.surplus().forEach(held::remove);
        boolean changed = !change.surplus().isEmpty();
        for (Container granted : response.getAllocatedContainers()) {
            launch(granted, FOR_GOOD_MILLIS);
            held.add(granted);
            asks.granted(granted.getNodeId().toString());
            changed = true;
        }
        for (ContainerStatus ended : response.getCompletedContainersStatuses()) {
            changed |= held.remove(ended.getContainerId());
        }
        if (changed) {
            changedNanos = System.nanoTime();
        }
        note(plan);
    }

    private void note(long plan) {
        tasksHeld = held.size();
        if (held.size() > 0) {
            started = true;
        }
        if (plan != planFollowed) {
            planFollowed = plan;
            plansFollowed.incrementAndGet();
        }
    }

    private String rack(String node) {
        return "/" + node(NodeId.fromString(node)).getNode().getRackName();
    }

    @Override
    public int tasksHeld() {
        return tasksHeld;
    }

    @Override
    public boolean started() {
        return started;
    }

    @Override
    public long planFollowed() {
        return planFollowed;
    }

    @Override
    public int plansFollowed() {
        return plansFollowed.get();
    }
}
