package io.optimus.model.policy.sia;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.ConfigurationReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Chooses at most one configuration for each job, as Sia does (Jayaram Subramanya et al., SOSP 2023). It minimises
 *
 * <pre>Σ over jobs that get one of (speed-up · restart factor)^p + 1.1 · jobs that get none,  p = −0.5</pre>
 *
 * <p>This objective is the paper's (section 3.4), with its restart factor and its constants. The sizes that a job may choose
 * among follow the paper, too (section 3.3, see {@link Configurations}), as does the rule that a job begins on its minimum
 * and at most doubles. The sizes and this rule were written down from memory of the paper and not compared with its text.
 *
 * <p>The following is ours. Speed-ups are relative to the job's minimum. A job of unknown speed runs on its minimum. A job that may not shrink
 * keeps what it holds, and gets a larger configuration where that is worth it. The
 * restart factor is computed as for all policies ({@link JobSnapshot#restartFactor}), and it counts if a running job changes
 * its size or is stopped: it has to start again, too, so it is never stopped where its minimum has room that nobody else
 * takes. Sia solves an integer program, which also chooses GPU types; here a job's type is chosen before. The problem is
 * then a multiple-choice knapsack. {@link Knapsack} solves it exactly if one resource is short and the cluster is not too
 * large, and greedily otherwise.
 *
 * <p>Example: 4 GPUs, A and B 1, 1.8 and 3 times as fast on 1, 2 and 4. Two for each cost 2 · 1.8^−0.5 = 1.49; all for one cost
 * 3^−0.5 + 1.1 = 1.68.
 */
public final class SiaPolicy implements AllocationPolicy {
    @Override
    public String name() {
        return "sia";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byAge(cluster, jobs);
        division.keepWhatMayNotShrink();
        division.completeMinimums();
        for (Participant kept : division.participants()) {
            kept.explain(new ConfigurationReason(kept.change(), OptionalDouble.empty()));
        }
        NodeRoom nodeRoom = new NodeRoom(cluster);
        List<Participant> open = division.participants();
        List<Configurations> configurations =
                open.stream().map(job -> new Configurations(job, nodeRoom)).toList();
        int[] chosen = Knapsack.choose(
                division.left(),
                configurations.stream().map(Configurations::options).toList());
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] != Knapsack.NONE) {
                Participant participant = open.get(i);
                division.set(participant, configurations.get(i).allocation(chosen[i]));
                participant.explain(new ConfigurationReason(
                        participant.change(),
                        OptionalDouble.of(configurations.get(i).speedup(chosen[i]))));
            }
        }
        return division.decision();
    }
}
