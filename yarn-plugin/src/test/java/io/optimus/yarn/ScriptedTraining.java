package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** A master of an all-reduce job that follows its directives at once, as the ApplicationMaster of the product does. */
public final class ScriptedTraining implements AutoCloseable {
    /** YARN's priority of its requests. */
    public static final int WORKERS = 11;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final FakeApplicationMaster master;
    private final Resource task;
    private final TrainingProtocolClient client;
    private final List<Container> held = new ArrayList<>();
    private final Map<ContainerId, Long> grantedNanos = new HashMap<>();
    private String reason = "";
    private long sequence;

    public ScriptedTraining(FakeApplicationMaster master, Resource task, RegisterJobRequestProto registration)
            throws Exception {
        this.master = master;
        this.task = task;
        this.client = master.trainingClient();
        client.registerJob(registration);
    }

    /** The containers that it holds. */
    public int size() {
        return held.size();
    }

    /** Why it has its size, as the scheduler says. */
    public String reason() {
        return reason;
    }

    public FakeApplicationMaster master() {
        return master;
    }

    /** Reports, follows the directive, and takes what YARN grants. */
    public void step() throws Exception {
        ReportRequestProto.Builder report = Jobs.report(++sequence).setCurrentStep(sequence);
        byNode().forEach((node, count) -> report.addMembers(
                NodeAllocationProto.newBuilder().setNode(node).setAllocation(Jobs.allocation(0, count))));
        if (!held.isEmpty()) {
            report.addSpeeds(Jobs.speed(0, held.size(), held.size()));
        }
        ReportResponseProto response;
        try {
            response = client.report(report.build());
        } catch (TrainingRefusedException e) {
            assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.TOO_OFTEN);
            return;
        }
        Map<String, Integer> target = new TreeMap<>();
        if (response.hasDirective()) {
            DirectiveProto directive = response.getDirective();
            reason = directive.getReason();
            directive
                    .getTargetList()
                    .forEach(node ->
                            target.put(node.getNode(), node.getAllocation().getWorkers()));
        }
        follow(target);
    }

    private void follow(Map<String, Integer> target) throws Exception {
        Map<String, Integer> missing = new TreeMap<>(target);
        List<ContainerId> surplus = new ArrayList<>();
        for (Container container : List.copyOf(held)) {
            String node = container.getNodeId().toString();
            int left = missing.getOrDefault(node, 0);
            if (left > 0) {
                missing.put(node, left - 1);
            } else if (!awaitsDirective(container)) {
                surplus.add(container.getId());
                held.remove(container);
            }
        }
        List<ResourceRequest> asks = new ArrayList<>();
        int all = 0;
        for (Map.Entry<String, Integer> node : missing.entrySet()) {
            asks.add(FakeApplicationMaster.ask(WORKERS, task, node.getKey(), node.getValue(), true));
            all += node.getValue();
        }
        asks.add(FakeApplicationMaster.ask(WORKERS, task, "/default-rack", all, false));
        asks.add(FakeApplicationMaster.ask(WORKERS, task, ResourceRequest.ANY, all, false));
        AllocateResponse response =
                master.allocate(AllocateRequest.newBuilder().askList(asks).releaseList(surplus));
        for (Container granted : response.getAllocatedContainers()) {
            held.add(granted);
            grantedNanos.put(granted.getId(), System.nanoTime());
        }
        response.getCompletedContainersStatuses()
                .forEach(ended -> held.removeIf(container -> container.getId().equals(ended.getContainerId())));
    }

    /** Whether YARN granted it so lately on a node of its own choice that the plan may not have it yet. */
    private boolean awaitsDirective(Container container) {
        return System.nanoTime() - grantedNanos.getOrDefault(container.getId(), 0L) < PATIENCE_NANOS
                && container.getAllocationRequestId() == TrainingProtocol.GUARANTEED_REQUEST_ID;
    }

    private Map<String, Integer> byNode() {
        Map<String, Integer> byNode = new TreeMap<>();
        held.forEach(container -> byNode.merge(container.getNodeId().toString(), 1, Integer::sum));
        return byNode;
    }

    /** The containers that it holds on {@code node}. */
    public long on(NodeId node) {
        return held.stream()
                .filter(container -> container.getNodeId().equals(node))
                .count();
    }

    /** The size that it holds. */
    public Allocation allocation() {
        return new Allocation(0, held.size());
    }

    @Override
    public void close() throws Exception {
        client.close();
    }
}
