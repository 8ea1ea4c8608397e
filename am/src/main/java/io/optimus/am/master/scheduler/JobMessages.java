package io.optimus.am.master.scheduler;

import io.optimus.am.job.JobSpec;
import io.optimus.am.job.RoleSpec;
import io.optimus.am.master.journal.PlacedSpeed;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.master.yarn.YarnContainers;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.protocol.proto.TrainingProtos.TaskRateProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Translates between the job's own values and the scheduler's messages. */
public final class JobMessages {
    private JobMessages() {}

    static Directive directive(DirectiveProto proto) {
        SortedMap<TargetNode, Allocation> target = new TreeMap<>();
        for (NodeAllocationProto node : proto.getTargetList()) {
            String host = node.getNode().substring(0, node.getNode().lastIndexOf(':'));
            TargetNode place = new TargetNode(node.getNode(), node.hasResourceName() ? node.getResourceName() : host);
            target.merge(place, allocation(node.getAllocation()), Allocation::plus);
        }
        Directive directive = new Directive(
                proto.getPlan(),
                target,
                proto.getReason(),
                proto.getExploring(),
                proto.hasGraceMillis() ? OptionalLong.of(proto.getGraceMillis()) : OptionalLong.empty(),
                proto.hasRemainingSeconds() ? OptionalDouble.of(proto.getRemainingSeconds()) : OptionalDouble.empty(),
                proto.hasRemainingTime() ? Optional.of(proto.getRemainingTime()) : Optional.empty(),
                Allocation.NONE);
        return directive.planning(proto.hasPlanned() ? allocation(proto.getPlanned()) : directive.total());
    }

    static Allocation allocation(AllocationProto proto) {
        return new Allocation(proto.getParameterServers(), proto.getWorkers());
    }

    static AllocationProto allocation(Allocation allocation) {
        return AllocationProto.newBuilder()
                .setParameterServers(allocation.parameterServers())
                .setWorkers(allocation.workers())
                .build();
    }

    public static RoleProto role(Role role) {
        return switch (role) {
            case WORKER -> RoleProto.WORKER;
            case PARAMETER_SERVER -> RoleProto.PARAMETER_SERVER;
        };
    }

    public static TrainingModeProto mode(TrainingMode mode) {
        return switch (mode) {
            case SYNCHRONOUS -> TrainingModeProto.SYNCHRONOUS;
            case ASYNCHRONOUS -> TrainingModeProto.ASYNCHRONOUS;
        };
    }

    public static RoleSpecProto role(JobSpec spec, Role role) {
        RoleSpec wanted = spec.role(role);
        RoleSpecProto.Builder proto = RoleSpecProto.newBuilder()
                .setRole(role(role))
                .setMin(wanted.min())
                .setMax(wanted.max())
                .setYarnPriority(YarnContainers.priority(role));
        wanted.task()
                .amounts()
                .forEach((name, amount) -> proto.addResources(
                        ResourceAmountProto.newBuilder().setName(name).setAmount(amount)));
        return proto.build();
    }

    public static StopRuleProto stop(StopRule rule) {
        StopRuleProto.Builder proto = StopRuleProto.newBuilder();
        addRule(proto, rule);
        return proto.build();
    }

    private static void addRule(StopRuleProto.Builder proto, StopRule rule) {
        if (rule instanceof StopRule.LossPlateau plateau) {
            proto.setPlateauDecrease(plateau.relativeDecrease()).setPlateauEpochs(plateau.epochs());
        } else if (rule instanceof StopRule.TargetLoss target) {
            proto.setTargetLoss(target.loss());
        } else if (rule instanceof StopRule.MaxEpochs max) {
            proto.setMaxEpochs(max.epochs());
        } else if (rule instanceof StopRule.FirstOf first) {
            first.rules().forEach(each -> addRule(proto, each));
        }
    }

    /** Points of a curve, oldest first; the first one at {@code bend} or beyond it begins another curve. */
    public static List<LossPointProto> losses(List<LossPoint> points, OptionalLong bend) {
        List<LossPointProto> protos = new ArrayList<>(points.size());
        boolean bent = bend.isEmpty();
        for (LossPoint point : points) {
            LossPointProto.Builder proto =
                    LossPointProto.newBuilder().setStep(point.step()).setLoss(point.loss());
            if (!bent && point.step() >= bend.getAsLong()) {
                proto.setBend(true);
                bent = true;
            }
            protos.add(proto.build());
        }
        return protos;
    }

    static SpeedSampleProto speed(PlacedSpeed speed) {
        SpeedSample sample = speed.sample();
        SpeedSampleProto.Builder proto = SpeedSampleProto.newBuilder()
                .setAllocation(allocation(sample.allocation()))
                .setStepsPerSecond(sample.stepsPerSecond())
                .setSeconds(sample.seconds());
        speed.workerNode().ifPresent(node -> proto.setNodes(sample.nodes()).setWorkerNode(node));
        return proto.build();
    }

    static ResizeProto resize(ResizeRecord resize) {
        return ResizeProto.newBuilder()
                .setFrom(allocation(resize.from()))
                .setTo(allocation(resize.to()))
                .setPauseMillis(resize.pauseMillis())
                .setPlan(resize.plan())
                .build();
    }

    static TaskRateProto rate(TaskView task) {
        return TaskRateProto.newBuilder()
                .setTask(task.id().toString())
                .setRole(role(task.id().role()))
                .setNode(task.node())
                .setStepsPerSecond(task.stepsPerSecond())
                .build();
    }

    public static SortedMap<String, Allocation> membersByNode(Collection<TaskView> tasks) {
        SortedMap<String, Allocation> byNode = new TreeMap<>();
        tasks.stream()
                .filter(TaskView::member)
                .forEach(task ->
                        byNode.merge(task.node(), Allocation.NONE.plus(task.id().role(), 1), Allocation::plus));
        return byNode;
    }

    /** Members by node, in order of the nodes. */
    static List<NodeAllocationProto> members(Collection<TaskView> tasks) {
        return membersByNode(tasks).entrySet().stream()
                .map(entry -> NodeAllocationProto.newBuilder()
                        .setNode(entry.getKey())
                        .setAllocation(allocation(entry.getValue()))
                        .build())
                .toList();
    }
}
