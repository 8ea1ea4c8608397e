package io.optimus.yarn.soak;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The messages of one job to the scheduler. */
final class TrainingMessages {
    static final int VERSION = TrainingProtocol.VERSION;

    private static final int LOSSES_KEPT = 64;

    private final Script.Training script;
    private final Deque<LossPointProto> losses = new ArrayDeque<>();
    private long sequence;

    TrainingMessages(Script.Training script) {
        this.script = script;
    }

    void newAttempt() {
        sequence = 0;
    }

    RegisterJobRequestProto registration(Progress progress, Placement held, long plan) {
        RegisterJobRequestProto.Builder job = RegisterJobRequestProto.newBuilder()
                .setVersion(VERSION)
                .setName("soak")
                .setMode(TrainingModeProto.SYNCHRONOUS)
                .setGlobalBatch(128)
                .setStepsPerEpoch(script.stepsPerEpoch())
                .setStop(StopRuleProto.newBuilder()
                        .setMaxEpochs((int) Math.ceil((double) script.steps() / script.stepsPerEpoch())))
                .setPreemptible(script.manners().mayShrink())
                .setHistory(HistoryProto.newBuilder().addAllLosses(losses).addAllSpeeds(progress.speeds()))
                .addAllHeld(nodes(held))
                .setMembership(progress.membership())
                .setCurrentStep(progress.wholeSteps())
                .setPlan(plan);
        if (script.max().parameterServers() > 0) {
            job.addRoles(role(
                    RoleProto.PARAMETER_SERVER,
                    script.min().parameterServers(),
                    script.max().parameterServers(),
                    TrainingWork.SERVERS,
                    List.of(amount("memory-mb", 2048), amount("vcores", 1))));
        }
        return job.addRoles(role(
                        RoleProto.WORKER,
                        script.min().workers(),
                        script.max().workers(),
                        TrainingWork.WORKERS,
                        List.of(amount("memory-mb", 4096), amount("vcores", 2), amount("yarn.io/gpu", 1))))
                .build();
    }

    private static RoleSpecProto role(
            RoleProto role, int min, int max, int priority, List<ResourceAmountProto> resources) {
        return RoleSpecProto.newBuilder()
                .setRole(role)
                .setMin(min)
                .setMax(max)
                .setYarnPriority(priority)
                .addAllResources(resources)
                .build();
    }

    private static ResourceAmountProto amount(String name, long amount) {
        return ResourceAmountProto.newBuilder().setName(name).setAmount(amount).build();
    }

    ReportRequestProto report(Progress progress, OptionalLong plan, long nowMillis) {
        ReportRequestProto.Builder report = ReportRequestProto.newBuilder()
                .setVersion(VERSION)
                .setSequence(++sequence)
                .setCurrentStep(progress.wholeSteps())
                .setEpoch(progress.epochs())
                .setMembership(progress.membership())
                .addAllMembers(nodes(progress.members()))
                .addAllResizes(progress.takeResizes());
        plan.ifPresent(report::setPlan);
        progress.takeSpeed().ifPresent(report::addSpeeds);
        if (losses.isEmpty() ? progress.wholeSteps() > 0 : losses.getLast().getStep() < progress.wholeSteps()) {
            LossPointProto loss = LossPointProto.newBuilder()
                    .setStep(progress.wholeSteps())
                    .setLoss(progress.measuredLoss())
                    .build();
            report.addLosses(loss);
            losses.add(loss);
            if (losses.size() > LOSSES_KEPT) {
                losses.remove();
            }
        }
        return report.build();
    }

    private static List<NodeAllocationProto> nodes(Placement placement) {
        List<NodeAllocationProto> nodes = new ArrayList<>();
        placement
                .byNode()
                .forEach((node, tasks) -> nodes.add(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setAllocation(allocation(tasks))
                        .build()));
        return nodes;
    }

    static AllocationProto allocation(Allocation size) {
        return AllocationProto.newBuilder()
                .setParameterServers(size.parameterServers())
                .setWorkers(size.workers())
                .build();
    }

    /** The placement that a directive asks for. */
    static Placement target(DirectiveProto directive) {
        Map<String, Allocation> target = new TreeMap<>();
        directive
                .getTargetList()
                .forEach(node -> target.put(
                        node.getNode(),
                        new Allocation(
                                node.getAllocation().getParameterServers(),
                                node.getAllocation().getWorkers())));
        return Placement.of(target);
    }
}
