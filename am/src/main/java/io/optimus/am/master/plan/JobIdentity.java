package io.optimus.am.master.plan;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.scheduler.JobMessages;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import java.util.function.LongSupplier;

/**
 * What does not change while an ApplicationMaster runs.
 *
 * @param applicationId YARN's
 * @param attempt from 1
 * @param user who submitted
 * @param spec what was submitted
 * @param startedMillis when the job was submitted, Unix time
 * @param clock Unix time in milliseconds
 */
public record JobIdentity(
        String applicationId, int attempt, String user, JobSpec spec, long startedMillis, LongSupplier clock) {

    /** Fewest tasks that the job runs with. */
    public Allocation minimum() {
        return new Allocation(spec.parameterServer().min(), spec.worker().min());
    }

    /** Steps of an epoch; 1 until a worker has loaded the data and the true number is reported. */
    public double stepsPerEpoch(CoordinatorStatus status) {
        return status.stepsPerEpoch() > 0 ? status.stepsPerEpoch() : 1;
    }

    /** What the scheduler is told of the job, without what changes. */
    public RegisterJobRequestProto.Builder registration() {
        RegisterJobRequestProto.Builder request = RegisterJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setName(spec.name())
                .setMode(JobMessages.mode(spec.mode()))
                .setGlobalBatch(spec.globalBatch())
                .setStop(JobMessages.stop(spec.stop()))
                .setPriority(spec.priority())
                .setPreemptible(spec.preemptible())
                .setMinRunSeconds(spec.minRunSeconds())
                .addAllGpuTypes(spec.gpuTypes())
                .setPaced(spec.paced());
        for (Role role : Role.values()) {
            request.addRoles(JobMessages.role(spec, role));
        }
        return request;
    }
}
