package io.optimus.sls.applications;

import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResourceAmountProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;

/** What a simulated all-reduce job says to the scheduler, and hears from it. */
final class TrainingMessages {
    private static final double STEPS_PER_EPOCH = 500;
    /** Some hours of training: no simulated job ends while it is measured. */
    private static final int EPOCHS = 200;

    private static final int GLOBAL_BATCH = 256;

    private TrainingMessages() {}

    static RegisterJobRequestProto registration(String name, Resource task, int priority, int mostWorkers) {
        RoleSpecProto.Builder workers = RoleSpecProto.newBuilder()
                .setRole(RoleProto.WORKER)
                .setMin(1)
                .setMax(mostWorkers)
                .setYarnPriority(priority);
        for (ResourceInformation amount : task.getResources()) {
            workers.addResources(
                    ResourceAmountProto.newBuilder().setName(amount.getName()).setAmount(amount.getValue()));
        }
        return RegisterJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setName(name)
                .setMode(TrainingModeProto.SYNCHRONOUS)
                .addRoles(workers)
                .setGlobalBatch(GLOBAL_BATCH)
                .setStepsPerEpoch(STEPS_PER_EPOCH)
                .setStop(StopRuleProto.newBuilder().setMaxEpochs(EPOCHS))
                .build();
    }

    /**
     * A report of a job.
     *
     * @param seconds for which it has trained on the tasks that it holds; 0 if they just changed
     */
    static ReportRequestProto report(
            long sequence, long plan, SortedMap<String, Integer> held, TrainingProgress progress, double seconds) {
        ReportRequestProto.Builder report = ReportRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setSequence(sequence)
                .setCurrentStep(progress.step())
                .setEpoch(progress.step() / STEPS_PER_EPOCH)
                .setPlan(plan);
        int workers = 0;
        for (var node : held.entrySet()) {
            report.addMembers(
                    NodeAllocationProto.newBuilder().setNode(node.getKey()).setAllocation(workers(node.getValue())));
            workers += node.getValue();
        }
        if (workers > 0 && progress.step() > 0) {
            report.addLosses(
                    LossPointProto.newBuilder().setStep(progress.step()).setLoss(progress.loss()));
        }
        if (workers > 0 && seconds > 0) {
            report.addSpeeds(SpeedSampleProto.newBuilder()
                    .setAllocation(workers(workers))
                    .setStepsPerSecond(progress.stepsPerSecond(workers))
                    .setSeconds(seconds)
                    .setNodes(held.size())
                    .setWorkerNode(held.firstKey()));
        }
        return report.build();
    }

    private static AllocationProto workers(int count) {
        return AllocationProto.newBuilder()
                .setParameterServers(0)
                .setWorkers(count)
                .build();
    }

    /** The workers that a directive wants, by node. */
    static SortedMap<String, Integer> target(DirectiveProto directive) {
        SortedMap<String, Integer> target = new TreeMap<>();
        directive
                .getTargetList()
                .forEach(node -> target.put(node.getNode(), node.getAllocation().getWorkers()));
        return target;
    }
}
