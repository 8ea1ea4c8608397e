package io.optimus.am.master.scheduler;

import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.journal.TrainingHistory.PlacedSpeed;
import io.optimus.am.master.journal.TrainingHistory.PlacedSteps;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.master.yarn.YarnContainers;
import io.optimus.am.registration.RegistrationMessage;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.BatchLimitsProto;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.GradientNoiseProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StepTimeProto;
import io.optimus.protocol.proto.TrainingProtos.TaskRateProto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Translates between the job's own values and the messages of the training protocol. */
final class JobMessages {
    private JobMessages() {}

    static Directive directive(DirectiveProto proto) {
        SortedMap<TargetNode, Allocation> target = new TreeMap<>();
        for (NodeAllocationProto node : proto.getTargetList()) {
            String host = node.getNode().substring(0, node.getNode().lastIndexOf(':'));
            TargetNode key = new TargetNode(node.getNode(), node.hasResourceName() ? node.getResourceName() : host);
            target.merge(key, allocation(node.getAllocation()), Allocation::plus);
        }
        Allocation total = target.values().stream().reduce(Allocation.NONE, Allocation::plus);
        return new Directive(
                proto.getPlan(),
                target,
                proto.hasPlanned() ? allocation(proto.getPlanned()) : total,
                proto.getReason(),
                proto.getExploring(),
                proto.hasGraceMillis() ? OptionalLong.of(proto.getGraceMillis()) : OptionalLong.empty(),
                new Directive.Remaining(
                        proto.hasRemainingSeconds()
                                ? OptionalDouble.of(proto.getRemainingSeconds())
                                : OptionalDouble.empty(),
                        proto.hasRemainingTime() ? Optional.of(proto.getRemainingTime()) : Optional.empty()));
    }

    /**
     * The part of a registration that rarely changes, once an owner's program, if there is one, is known.
     *
     * @param task resources of one task of a role
     */
    static RegisterJobRequestProto.Builder job(
            JobSpec spec, Optional<ProgramSettings> program, Function<Role, Resources> task) {
        return RegistrationMessage.of(spec, program, task, YarnContainers::priority);
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

    static RoleProto role(Role role) {
        return switch (role) {
            case WORKER -> RoleProto.WORKER;
            case PARAMETER_SERVER -> RoleProto.PARAMETER_SERVER;
        };
    }

    /** Points of the loss curve, oldest first. The first one at {@code bend} or later begins another curve. */
    static List<LossPointProto> losses(List<LossPoint> points, OptionalLong bend) {
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

    static StepTimeProto stepTimes(PlacedSteps steps) {
        ThroughputObservation times = steps.times();
        StepTimeProto.Builder proto = StepTimeProto.newBuilder()
                .setNodes(times.nodes())
                .setWorkers(times.replicas())
                .setAtomicBatch(times.atomicBatch())
                .setAccumulatedStepSeconds(times.accumulatedStepSeconds())
                .setStepSeconds(times.stepSeconds());
        steps.workerNode().ifPresent(proto::setWorkerNode);
        return proto.build();
    }

    /** The batches that the job may train with on its most workers. */
    static BatchLimitsProto limits(JobSpec spec, BatchLimits limits) {
        BatchLimits most = spec.batch().onWorkers(limits, spec.worker().max());
        return BatchLimitsProto.newBuilder()
                .setInitial(most.initialBatch())
                .setMax(most.maxBatch())
                .setMinAtomic(most.minAtomicBatch())
                .setMaxAtomic(most.maxAtomicBatch())
                .build();
    }

    static GradientNoiseProto noise(GradientNoise noise) {
        return GradientNoiseProto.newBuilder()
                .setSquaredNorm(noise.squaredNorm())
                .setVariance(noise.variance())
                .build();
    }

    static ResizeProto resize(ResizeRecord resize) {
        return ResizeProto.newBuilder()
                .setFrom(allocation(resize.from()))
                .setTo(allocation(resize.to()))
                .setPauseMillis(resize.pauseMillis())
                .setPlan(resize.reason().plan())
                .build();
    }

    static TaskRateProto rate(TaskView task) {
        return TaskRateProto.newBuilder()
                .setTask(task.id().toString())
                .setRole(role(task.id().role()))
                .setNode(task.container().node())
                .setStepsPerSecond(task.stepsPerSecond())
                .build();
    }

    /** Members by node, ordered by node. */
    static List<NodeAllocationProto> members(Collection<TaskView> tasks) {
        return TaskView.membersByNode(tasks).entrySet().stream()
                .map(entry -> NodeAllocationProto.newBuilder()
                        .setNode(entry.getKey())
                        .setAllocation(allocation(entry.getValue()))
                        .build())
                .toList();
    }
}
