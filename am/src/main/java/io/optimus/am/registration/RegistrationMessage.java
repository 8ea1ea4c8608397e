package io.optimus.am.registration;

import io.optimus.am.engine.LearningRateSchedule;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.RoleSpec;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** What a job registers with the scheduler, as its job file says it. */
public final class RegistrationMessage {
    private RegistrationMessage() {}

    /**
     * The part of a registration that rarely changes, once an owner's program, if there is one, is known.
     *
     * @param task resources of one task of a role
     * @param priority YARN priority of the requests for a role, above 0
     */
    public static RegisterJobRequestProto.Builder of(
            JobSpec spec,
            Optional<ProgramSettings> program,
            Function<Role, Resources> task,
            ToIntFunction<Role> priority) {
        RegisterJobRequestProto.Builder request = RegisterJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setName(spec.name())
                .setMode(mode(spec.mode()))
                .setGlobalBatch(program.map(ProgramSettings::batch).orElse(spec.globalBatch()))
                .setStop(stop(program.map(decided -> decided.stop(spec.stop())).orElse(spec.stop())))
                .setPriority(spec.priority())
                .setPreemptible(spec.preemptible())
                .setMinRunSeconds(spec.minRunSeconds())
                .addAllGpuTypes(spec.gpuTypes())
                .addAllBends(bends(spec, program))
                .setPaced(spec.paced());
        for (Role role : Role.values()) {
            if (spec.role(role).max() > 0) {
                request.addRoles(role(spec.role(role), task.apply(role), role, priority.applyAsInt(role)));
            }
        }
        return request;
    }

    /** The epochs at which the learning rate falls, as far as they are known in advance. */
    public static List<Double> bends(JobSpec spec, Optional<ProgramSettings> program) {
        return program.map(decided -> decided.bends().epochs())
                .or(() -> spec.schedule().map(LearningRateSchedule::bends))
                .orElse(List.of());
    }

    private static RoleProto role(Role role) {
        return switch (role) {
            case WORKER -> RoleProto.WORKER;
            case PARAMETER_SERVER -> RoleProto.PARAMETER_SERVER;
        };
    }

    private static TrainingModeProto mode(TrainingMode mode) {
        return switch (mode) {
            case SYNCHRONOUS -> TrainingModeProto.SYNCHRONOUS;
            case ASYNCHRONOUS -> TrainingModeProto.ASYNCHRONOUS;
        };
    }

    private static RoleSpecProto role(RoleSpec wanted, Resources task, Role role, int priority) {
        RoleSpecProto.Builder proto = RoleSpecProto.newBuilder()
                .setRole(role(role))
                .setMin(wanted.min())
                .setMax(wanted.max())
                .setYarnPriority(priority);
        task.amounts()
                .forEach((name, amount) -> proto.addResources(
                        ResourceAmountProto.newBuilder().setName(name).setAmount(amount)));
        return proto.build();
    }

    private static StopRuleProto stop(StopRule rule) {
        StopRuleProto.Builder proto = StopRuleProto.newBuilder();
        rule.singles()
                .forEach(single -> single.match(
                        plateau -> proto.setPlateauDecrease(plateau.relativeDecrease())
                                .setPlateauEpochs(plateau.epochs()),
                        target -> proto.setTargetLoss(target.loss()),
                        maximum -> proto));
        rule.maxEpochs().ifPresent(proto::setMaxEpochs);
        return proto.build();
    }
}
