package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.protocol.TrainingProtocol;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** A master of a training job that follows its directives, as the ApplicationMaster of the product does. */
final class ScriptedTraining implements AutoCloseable {
    /** YARN's priorities of its requests. */
    static final int SERVERS = 10;

    static final int WORKERS = 11;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final FakeApplicationMaster master;
    private final Map<Role, RoleSpecProto> roles = new EnumMap<>(Role.class);
    private final TrainingProtocolClient client;
    private final List<Container> held = new ArrayList<>();
    private final Map<ContainerId, Long> grantedNanos = new HashMap<>();
    private final Deque<SortedMap<String, Allocation>> targets = new ArrayDeque<>();
    private int delay;
    private String reason = "";
    private long sequence;

    ScriptedTraining(FakeApplicationMaster master, RegisterJobRequestProto registration) throws Exception {
        this.master = master;
        registration
                .getRolesList()
                .forEach(role ->
                        roles.put(role.getRole() == RoleProto.WORKER ? Role.WORKER : Role.PARAMETER_SERVER, role));
        this.client = master.trainingClient();
        client.registerJob(registration);
    }

    /** Lets it follow each directive only so many steps after it came. */
    ScriptedTraining delayed(int steps) {
        delay = steps;
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
        return targets.isEmpty() ? new TreeMap<>() : targets.getLast();
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
        if (size.workers() > 0 && (size.parameterServers() > 0 || !roles.containsKey(Role.PARAMETER_SERVER))) {
            report.addSpeeds(Jobs.speed(size.parameterServers(), size.workers(), size.workers()));
        }
        ReportResponseProto response;
        try {
            response = client.report(report.build());
        } catch (TrainingRefusedException e) {
            assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.TOO_OFTEN);
            return;
        }
        targets.add(response.hasDirective() ? target(response.getDirective()) : new TreeMap<>());
        if (targets.size() > delay + 1) {
            targets.remove();
        }
        follow(targets.size() > delay ? targets.getFirst() : byNode());
    }

    private SortedMap<String, Allocation> target(DirectiveProto directive) {
        reason = directive.getReason();
        SortedMap<String, Allocation> target = new TreeMap<>();
        directive
                .getTargetList()
                .forEach(node -> target.put(
                        node.getNode(),
                        new Allocation(
                                node.getAllocation().getParameterServers(),
                                node.getAllocation().getWorkers())));
        return target;
    }

    private void follow(Map<String, Allocation> target) throws Exception {
        Map<String, Allocation> missing = new TreeMap<>(target);
        List<ContainerId> surplus = new ArrayList<>();
        for (Container container : List.copyOf(held)) {
            String node = container.getNodeId().toString();
            Role role = role(container);
            Allocation left = missing.getOrDefault(node, Allocation.NONE);
            if (left.count(role) > 0) {
                missing.put(node, left.plus(role, -1));
            } else if (!awaitsDirective(container)) {
                surplus.add(container.getId());
                held.remove(container);
            }
        }
        List<ResourceRequest> asks = new ArrayList<>();
        roles.forEach((role, spec) -> {
            int all = 0;
            for (Map.Entry<String, Allocation> node : missing.entrySet()) {
                int count = node.getValue().count(role);
                asks.add(FakeApplicationMaster.ask(spec.getYarnPriority(), task(spec), node.getKey(), count, true));
                all += count;
            }
            asks.add(FakeApplicationMaster.ask(spec.getYarnPriority(), task(spec), "/default-rack", all, false));
            asks.add(FakeApplicationMaster.ask(spec.getYarnPriority(), task(spec), ResourceRequest.ANY, all, false));
        });
        AllocateResponse response =
                master.allocate(AllocateRequest.newBuilder().askList(asks).releaseList(surplus));
        for (Container granted : response.getAllocatedContainers()) {
            held.add(granted);
            grantedNanos.put(granted.getId(), System.nanoTime());
        }
        response.getCompletedContainersStatuses()
                .forEach(ended -> held.removeIf(container -> container.getId().equals(ended.getContainerId())));
    }

    private static Resource task(RoleSpecProto spec) {
        Resource task = Resource.newInstance(0, 0);
        for (ResourceAmountProto amount : spec.getResourcesList()) {
            task.setResourceValue(amount.getName(), amount.getAmount());
        }
        return task;
    }

    /** Whether YARN granted it so lately on a node of its own choice that the plan may not have it yet. */
    private boolean awaitsDirective(Container container) {
        return System.nanoTime() - grantedNanos.getOrDefault(container.getId(), 0L) < PATIENCE_NANOS
                && container.getAllocationRequestId() == TrainingProtocol.GUARANTEED_REQUEST_ID;
    }

    private static Role role(Container container) {
        return container.getPriority().getPriority() == SERVERS ? Role.PARAMETER_SERVER : Role.WORKER;
    }

    /** What it holds, by node. */
    SortedMap<String, Allocation> byNode() {
        SortedMap<String, Allocation> byNode = new TreeMap<>();
        held.forEach(container -> byNode.merge(
                container.getNodeId().toString(), Allocation.NONE.plus(role(container), 1), Allocation::plus));
        return byNode;
    }

    @Override
    public void close() throws Exception {
        client.close();
    }
}
