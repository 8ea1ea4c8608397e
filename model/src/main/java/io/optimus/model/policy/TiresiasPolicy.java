package io.optimus.model.policy;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.TurnReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.RequestedSizes;
import java.util.Comparator;
import java.util.List;

/**
 * Least attained service, in two queues (Gu et al., Tiresias, NSDI 2019, section 3.3; as Pollux compared with it): the size
 * that the owner asked for, whole or not at all.
 *
 * <p>A job that has held its GPUs for {@value #THRESHOLD_GPU_SECONDS} GPU-seconds falls behind all that have not. Within a
 * queue, the job that was submitted first comes first; larger priorities come before both queues. A job without room waits,
 * even one that runs, and those behind it take what it leaves. Speeds and remaining work do not matter.
 *
 * <p>Example: 4 GPUs; A has run on all of them for 4 hours, which makes 57,600 GPU-seconds, when B asks for 1: B starts, and
 * A waits for its end.
 */
public final class TiresiasPolicy implements AllocationPolicy {
    /** 16 hours of one GPU, as in Pollux's comparison. */
    private static final double THRESHOLD_GPU_SECONDS = 57_600;

    /** The order in which jobs are served. */
    public static final Comparator<JobSnapshot> BY_TURN = Comparator.comparingInt(JobSnapshot::priority)
            .reversed()
            .thenComparing(job -> job.gpuSeconds() >= THRESHOLD_GPU_SECONDS)
            .thenComparing(Precedence.BY_AGE);

    @Override
    public String name() {
        return "tiresias";
    }

    @Override
    public boolean resizes() {
        return false;
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byRight(cluster, jobs);
        new RequestedSizes(division)
                .giveWhereItFits(
                        BY_TURN,
                        (job, before) ->
                                new TurnReason.AttainedService(job.gpuSeconds(), THRESHOLD_GPU_SECONDS, before));
        return division.decision();
    }
}
