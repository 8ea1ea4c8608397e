package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.OptimusPolicy;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public final class UserLimitsTest {
    private static final SynchronousSpeed SCALES = new SynchronousSpeed(1, 10, 0, 0, 0, 0);

    private final AllocationPolicy policy = new OptimusPolicy();
    private final ClusterSnapshot cluster = Clusters.ofGpus(1, 8);
    private final JobSnapshot ann =
            Jobs.small("ann1").speed(SCALES).remaining(10_000).snapshot();
    private final JobSnapshot bob =
            Jobs.small("bob1").speed(SCALES).remaining(100).snapshot();
    private final Map<String, String> users = Map.of("ann1", "ann", "bob1", "bob");

    @Test
    public void decidesAsThePolicyDoesIfNoUserExceedsTheLimit() {
        AllocationDecision decision =
                new UserLimits(policy, users, Map.of("ann", gpus(8)), Map.of()).allocate(cluster, List.of(ann, bob));

        assertThat(decision).isEqualTo(policy.allocate(cluster, List.of(ann, bob)));
    }

    @Test
    public void keepsAUserWithinTheLimitAndGivesOthersTheRest() {
        assertThat(workers(policy.allocate(cluster, List.of(ann, bob)), "ann1")).isGreaterThan(4);

        AllocationDecision decision =
                new UserLimits(policy, users, Map.of("ann", gpus(4)), Map.of()).allocate(cluster, List.of(ann, bob));

        assertThat(workers(decision, "ann1")).isEqualTo(4);
        assertThat(workers(decision, "bob1")).isEqualTo(4);
        assertThat(decision.job("ann1").reason().sentence()).endsWith("; the jobs of user ann may take 4 GPUs in all");
        assertThat(decision.job("bob1").reason().sentence()).doesNotContain("may take");
    }

    @Test
    public void givesNoRoomTwiceWhereTheQueueMayTakeMoreThanNodesHave() {
        ClusterSnapshot wide = Clusters.withBudgetOfGpus(cluster, 16);

        AllocationDecision decision =
                new UserLimits(policy, users, Map.of("ann", gpus(4)), Map.of()).allocate(wide, List.of(ann, bob));

        assertThat(workers(decision, "ann1")).isEqualTo(4);
        assertThat(workers(decision, "bob1")).isEqualTo(4);
    }

    @Test
    public void namesTheWholeLimitWhereOtherJobsHaveAPartOfIt() {
        AllocationDecision decision = new UserLimits(
                        policy, users, Map.of("ann", gpus(4)), Map.of("ann", Resources.of(0, 0, 3)))
                .allocate(cluster, List.of(ann, bob));

        assertThat(workers(decision, "ann1")).isEqualTo(1);
        assertThat(decision.job("ann1").reason().sentence()).endsWith("; the jobs of user ann may take 4 GPUs in all");
    }

    @Test
    public void letsAUserWithALimitOfZeroWait() {
        AllocationDecision decision = new UserLimits(policy, users, Map.of("ann", Resources.NONE), Map.of())
                .allocate(cluster, List.of(ann, bob));

        assertThat(decision.job("ann1").allocation()).isEqualTo(Allocation.NONE);
        assertThat(workers(decision, "bob1")).isEqualTo(8);
    }

    @Test
    public void endsIfEveryUserIsLimited() {
        AllocationDecision decision = new UserLimits(policy, users, Map.of("ann", gpus(1), "bob", gpus(2)), Map.of())
                .allocate(cluster, List.of(ann, bob));

        assertThat(workers(decision, "ann1")).isEqualTo(1);
        assertThat(workers(decision, "bob1")).isEqualTo(2);
    }

    private static Resources gpus(int count) {
        return Resources.of(1 << 20, 1 << 10, count);
    }

    private static int workers(AllocationDecision decision, String job) {
        return decision.job(job).allocation().workers();
    }
}
