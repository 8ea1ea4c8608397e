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
 * Sia (Jayaram Subramanya et al., SOSP 2023): one configuration for each job, so that
 *
 * <pre>Σ over jobs that get one of (speed-up · restart factor)^p + 1.1 · jobs that get none,  p = −0.5</pre>
 *
 * <p>is least. Speed-ups are over the job's minimum; the restart factor counts where a running job changes. Sia uses
 * a solver of integer programs. With one type of GPU the problem is a multiple-choice knapsack, which {@link Knapsack}
 * solves exactly by dynamic programming, in milliseconds for the clusters that Sia was measured on.
 *
 * <p>Beyond that formula the policy follows a recollection of the paper: jobs start on their minimum and at most double in a
 * round; a job of unknown speed runs on its minimum.
 *
 * <p>Example: 4 GPUs, A and B 1, 1.8 and 3 times as fast on 1, 2 and 4. Two each cost 2 · 1.8^−0.5 = 1.49; all for one
 * cost 3^−0.5 + 1.1 = 1.68.
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
        List<Participant> open =
                division.participants().stream().filter(Participant::waits).toList();
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
