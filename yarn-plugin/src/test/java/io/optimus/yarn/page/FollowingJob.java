package io.optimus.yarn.page;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.job.Placement;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.TaskRateProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.read.TaskContainers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;

/** A job that trains on a curve that falls towards 1, reports as it goes, and follows the plan. */
public final class FollowingJob implements AutoCloseable {
    private static final double SECONDS = 0.2;
    /** So that a curve is complete within a test. */
    private static final double FASTER = 60;

    private final FakeApplicationMaster master;
    private final TrainingProtocolClient client;
    private final TaskContainers containers = new TaskContainers(Map.of(
            Role.PARAMETER_SERVER,
            new TaskContainers.Task(10, LocalResourceManager.resource(1024, 1, 0)),
            Role.WORKER,
            new TaskContainers.Task(11, LocalResourceManager.resource(1024, 1, 1))));
    private Placement before = Placement.NONE;
    private long sequence;
    private double steps;
    private double seconds;
    private long plan;
    private boolean finished;
    private long lastStep = Long.MAX_VALUE;

    FollowingJob(FakeApplicationMaster master, RegisterJobRequestProto registration) throws Exception {
        this.master = master;
        this.client = master.trainingClient();
        client.registerJob(registration);
    }

    public ApplicationId id() {
        return master.id();
    }

    synchronized long step() {
        return (long) steps;
    }

    /** For how long it trains by its own clock, which a busy machine slows down. */
    public synchronized double seconds() {
        return seconds;
    }

    /** How fast it trains on one parameter server and one worker, or more. */
    public static double stepsPerSecond(Allocation size) {
        return FASTER / (0.1 + 0.8 / size.workers() + 0.1 * size.workers() / size.parameterServers());
    }

    /** Lets it end by itself after so many steps. */
    public synchronized void endAt(long step) {
        lastStep = step;
    }

    /** The job has trained to its end: it says so and releases its tasks. */
    public synchronized void finish() throws Exception {
        client.finishJob(FinishJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setFinalStep((long) steps)
                .setFinalLoss(1)
                .setConverged(true)
                .build());
        finished = true;
        follow(Placement.NONE);
    }

    /** The same, and its application ends. */
    public synchronized void end() throws Exception {
        finish();
        Await.until(id() + " has ended", () -> {
            try {
                return master.unregister();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Trains for a moment, reports, and does what the directive says. */
    synchronized void advance() throws Exception {
        if (finished) {
            return;
        }
        if (steps >= lastStep) {
            finish();
            return;
        }
        seconds += SECONDS;
        Placement held = containers.placement();
        Allocation size = held.allocation();
        boolean trains = size.workers() > 0 && size.parameterServers() > 0;
        ReportRequestProto.Builder report = Jobs.report(++sequence);
        held.byNode()
                .forEach((node, tasks) -> report.addMembers(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setAllocation(Jobs.allocation(tasks.parameterServers(), tasks.workers()))));
        if (trains) {
            double speed = stepsPerSecond(size);
            steps += speed * SECONDS;
            report.addSpeeds(Jobs.speed(size.parameterServers(), size.workers(), speed));
            report.addLosses(Jobs.loss((long) steps, 1 + 5 / (1 + steps / 100) + 0.02 * Math.sin(steps)));
            // A worker that has just joined has not done a step yet.
            int joined = before.allocation().workers();
            for (int worker = 0; worker < size.workers(); worker++) {
                report.addTasks(TaskRateProto.newBuilder()
                        .setTask("worker:" + worker)
                        .setRole(RoleProto.WORKER)
                        .setNode(held.byNode().firstKey())
                        .setStepsPerSecond(worker < joined ? speed : 0));
            }
        }
        if (!size.equals(before.allocation()) && trains) {
            report.addResizes(ResizeProto.newBuilder()
                    .setFrom(Jobs.allocation(
                            before.allocation().parameterServers(),
                            before.allocation().workers()))
                    .setTo(Jobs.allocation(size.parameterServers(), size.workers()))
                    .setPauseMillis(1)
                    .setPlan(plan));
            before = held;
        }
        report.setCurrentStep((long) steps).setEpoch(steps / 100);
        report.setPlan(plan);
        ReportResponseProto response = client.report(report.build());
        if (response.hasDirective()) {
            plan = response.getDirective().getPlan();
            Map<String, Allocation> target = new TreeMap<>();
            response.getDirective()
                    .getTargetList()
                    .forEach(node -> target.put(
                            node.getNode(),
                            new Allocation(
                                    node.getAllocation().getParameterServers(),
                                    node.getAllocation().getWorkers())));
            follow(Placement.of(target));
        }
    }

    private void follow(Placement target) throws Exception {
        List<ContainerId> surplus =
                containers.surplus(target).stream().map(Container::getId).toList();
        AllocateResponse response = master.allocate(containers.towards(target).releaseList(surplus));
        containers.remove(surplus);
        containers.add(response.getAllocatedContainers());
        containers.remove(response.getCompletedContainersStatuses().stream()
                .map(ContainerStatus::getContainerId)
                .toList());
    }

    @Override
    public void close() throws Exception {
        client.close();
    }
}
