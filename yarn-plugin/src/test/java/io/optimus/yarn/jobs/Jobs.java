package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.BatchLimitsProto;
import io.optimus.protocol.proto.TrainingProtos.GradientNoiseProto;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StepTimeProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import io.optimus.yarn.configuration.OptimusConfiguration.JobLimits;
import io.optimus.yarn.validation.DemandLimits;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Jobs for tests, with their registrations and reports. */
public final class Jobs {
    public static final JobLimits MEMORY = new JobLimits(64, 16, 8, 100, 25);
    public static final DemandLimits LIMITS = limits(Resources.of(8192, 8, 4));

    private Jobs() {}

    /** Returns limits with this largest container and without rounding. */
    public static DemandLimits limits(Resources largest) {
        return new DemandLimits() {
            @Override
            public Resources largestTask(String queue) {
                return largest;
            }

            @Override
            public Resources normalised(String queue, Resources task) {
                return task;
            }
        };
    }

    /** An empty registry of a scheduler that all jobs are older than; an hour passes with each look at its clock. */
    public static JobRegistry registry(GpuSpeeds gpus) {
        AtomicLong millis = new AtomicLong();
        return new JobRegistry(() -> MEMORY, gpus, Long.MAX_VALUE, () -> millis.addAndGet(TimeUnit.HOURS.toMillis(1)));
    }

    public static ApplicationAttemptId attempt(int application, int attempt) {
        return ApplicationAttemptId.newInstance(ApplicationId.newInstance(1000, application), attempt);
    }

    /** A synchronous job of 1 to 4 parameter servers and 1 to 8 workers with a GPU each. */
    public static RegisterJobRequestProto.Builder registration() {
        return RegisterJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setName("resnet")
                .setMode(TrainingModeProto.SYNCHRONOUS)
                .addRoles(role(RoleProto.PARAMETER_SERVER, 1, 4, 10, 0))
                .addRoles(role(RoleProto.WORKER, 1, 8, 11, 1))
                .setGlobalBatch(128)
                .setStepsPerEpoch(100)
                .setStop(StopRuleProto.newBuilder().setMaxEpochs(10));
    }

    /** A job of 1 to 8 workers with a GPU each that trains by all-reduce. */
    public static RegisterJobRequestProto.Builder allReduce() {
        return registration().clearRoles().addRoles(role(RoleProto.WORKER, 1, 8, 11, 1));
    }

    /** An all-reduce job that adapts its batch from 128 to {@code largest}, in parts of 8 to 128 samples. */
    public static RegisterJobRequestProto.Builder adaptive(int largest) {
        return allReduce()
                .setBatchLimits(BatchLimitsProto.newBuilder()
                        .setInitial(128)
                        .setMax(largest)
                        .setMinAtomic(8)
                        .setMaxAtomic(128));
    }

    public static StepTimeProto.Builder steps(int nodes, int workers, int atomic, double accumulated, double seconds) {
        return StepTimeProto.newBuilder()
                .setNodes(nodes)
                .setWorkers(workers)
                .setAtomicBatch(atomic)
                .setAccumulatedStepSeconds(accumulated)
                .setStepSeconds(seconds);
    }

    public static GradientNoiseProto.Builder noise(double squaredNorm, double variance) {
        return GradientNoiseProto.newBuilder().setSquaredNorm(squaredNorm).setVariance(variance);
    }

    public static RoleSpecProto.Builder role(RoleProto role, int min, int max, int priority, long gpus) {
        return RoleSpecProto.newBuilder()
                .setRole(role)
                .setMin(min)
                .setMax(max)
                .setYarnPriority(priority)
                .addResources(amount("memory-mb", 1024))
                .addResources(amount("vcores", 1))
                .addResources(amount("yarn.io/gpu", gpus));
    }

    public static ResourceAmountProto.Builder amount(String name, long amount) {
        return ResourceAmountProto.newBuilder().setName(name).setAmount(amount);
    }

    public static ReportRequestProto.Builder report(long sequence) {
        return ReportRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setSequence(sequence);
    }

    public static LossPointProto.Builder loss(long step, double loss) {
        return LossPointProto.newBuilder().setStep(step).setLoss(loss);
    }

    public static SpeedSampleProto.Builder speed(int servers, int workers, double stepsPerSecond) {
        return SpeedSampleProto.newBuilder()
                .setAllocation(allocation(servers, workers))
                .setStepsPerSecond(stepsPerSecond)
                .setSeconds(10);
    }

    public static AllocationProto.Builder allocation(int servers, int workers) {
        return AllocationProto.newBuilder().setParameterServers(servers).setWorkers(workers);
    }

    /** A history whose samples name {@code node}. */
    public static HistoryProto.Builder history(String node) {
        return HistoryProto.newBuilder()
                .addSpeeds(speed(0, 1, 5).setNodes(1).setWorkerNode(node))
                .addStepTimes(steps(1, 1, 8, 0.1, 0.1).setWorkerNode(node));
    }

    public static Allocation size(int servers, int workers) {
        return new Allocation(servers, workers);
    }
}
