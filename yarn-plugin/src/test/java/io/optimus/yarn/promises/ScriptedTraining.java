package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.job.Placement;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.TaskContainers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.MonotonicClock;

/** A master of a training job that follows its directives, as the ApplicationMaster of the product does. */
final class ScriptedTraining implements AutoCloseable {
    /** YARN's priorities of its requests. */
    static final int SERVERS = 10;

    static final int WORKERS = 11;

    private final FakeApplicationMaster master;
    private final TrainingProtocolClient client;
    private final TaskContainers containers;
    private final boolean hasServers;
    private final MonotonicClock clock = new MonotonicClock();
    private final Deque<Told> told = new ArrayDeque<>();
    private SortedMap<String, Allocation> target = new TreeMap<>();
    private Optional<SortedMap<String, Allocation>> followed = Optional.empty();
    private long delayMillis;
    private String reason = "";
    private long sequence;

    /** A target, and when it came. */
    private record Told(SortedMap<String, Allocation> target, long millis) {}

    ScriptedTraining(FakeApplicationMaster master, RegisterJobRequestProto registration) throws Exception {
        this.master = master;
        Map<Role, TaskContainers.Task> tasks = new EnumMap<>(Role.class);
        registration
                .getRolesList()
                .forEach(role -> tasks.put(
                        role.getRole() == RoleProto.WORKER ? Role.WORKER : Role.PARAMETER_SERVER,
                        new TaskContainers.Task(role.getYarnPriority(), task(role))));
        this.containers = new TaskContainers(tasks);
        containers.add(master.granted());
        this.hasServers = tasks.containsKey(Role.PARAMETER_SERVER);
        this.client = master.trainingClient();
        client.registerJob(registration);
    }

    /** Lets it follow each directive only so long after it came. */
    ScriptedTraining delayed(long millis) {
        delayMillis = millis;
        return this;
    }

    /** The workers that it holds. */
    int size() {
        return allocation().workers();
    }

    /** The size that it holds. */
    Allocation allocation() {
        return byNode().values().stream().reduce(Allocation.NONE, Allocation::plus);
    }

    /** Why it has its size, as the scheduler says. */
    String reason() {
        return reason;
    }

    /** The last target, by node. */
    SortedMap<String, Allocation> target() {
        return target;
    }

    FakeApplicationMaster master() {
        return master;
    }

    /** Reports, follows the directive, and takes what YARN grants. */
    void step() throws Exception {
        ReportRequestProto.Builder report = Jobs.report(++sequence).setCurrentStep(sequence);
        byNode().forEach((node, tasks) -> report.addMembers(NodeAllocationProto.newBuilder()
                .setNode(node)
                .setAllocation(Jobs.allocation(tasks.parameterServers(), tasks.workers()))));
        Allocation size = allocation();
        if (size.workers() > 0 && (size.parameterServers() > 0 || !hasServers)) {
            report.addSpeeds(Jobs.speed(size.parameterServers(), size.workers(), size.workers()));
        }
        ReportResponseProto response;
        try {
            response = client.report(report.build());
        } catch (TrainingRefusedException e) {
            assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.TOO_OFTEN);
            return;
        }
        long now = clock.getTime();
        target = response.hasDirective() ? target(response.getDirective()) : new TreeMap<>();
        told.add(new Told(target, now));
        while (!told.isEmpty() && now - told.getFirst().millis() >= delayMillis) {
            followed = Optional.of(told.remove().target());
        }
        follow(followed.orElseGet(this::byNode));
    }

    private SortedMap<String, Allocation> target(DirectiveProto directive) {
        reason = directive.getReason();
        SortedMap<String, Allocation> byNode = new TreeMap<>();
        directive
                .getTargetList()
                .forEach(node -> byNode.put(
                        node.getNode(),
                        new Allocation(
                                node.getAllocation().getParameterServers(),
                                node.getAllocation().getWorkers())));
        return byNode;
    }

    private void follow(Map<String, Allocation> byNode) throws Exception {
        Placement target = Placement.of(byNode);
        List<ContainerId> surplus =
                containers.surplus(target).stream().map(Container::getId).toList();
        AllocateResponse response = master.allocate(containers.towards(target).releaseList(surplus));
        containers.remove(surplus);
        containers.add(response.getAllocatedContainers());
        containers.remove(response.getCompletedContainersStatuses().stream()
                .map(ContainerStatus::getContainerId)
                .toList());
    }

    private static Resource task(RoleSpecProto spec) {
        Resource task = Resource.newInstance(0, 0);
        for (ResourceAmountProto amount : spec.getResourcesList()) {
            task.setResourceValue(amount.getName(), amount.getAmount());
        }
        return task;
    }

    /** What it holds, by node. */
    SortedMap<String, Allocation> byNode() {
        return containers.placement().byNode();
    }

    @Override
    public void close() throws Exception {
        client.close();
    }
}
