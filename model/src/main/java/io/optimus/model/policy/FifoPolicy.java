package io.optimus.model.policy;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import io.optimus.model.policy.division.RequestedSizes;
import java.util.Comparator;
import java.util.List;

/**
 * First come, first served: every job gets the size that its owner asked for, whole, and keeps it to its end.
 *
 * <p>Running jobs come first, then larger priority, then submit time, then id. A job without room holds up those behind it,
 * so that no job is overtaken and none starves. A job that would not have room if it were alone holds up no other. The
 * policy leaves room unused; it is the baseline at the lower end of a table. Speeds and remaining work do not matter, and
 * no job is ever resized.
 *
 * <p>Example: 4 GPUs, A runs on 2, then B asks for 3 and C for 1: B waits for A's end, and C for B's start.
 */
public final class FifoPolicy implements AllocationPolicy {
    private static final Comparator<Participant> BY_TURN = Comparator.comparing(
                    (Participant participant) -> !participant.runs())
            .thenComparing(Participant::job, Precedence.BY_RIGHT);

    @Override
    public String name() {
        return "fifo";
    }

    @Override
    public boolean resizes() {
        return false;
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byRight(cluster, jobs);
        new RequestedSizes(division).giveInOrder(BY_TURN);
        return division.decision();
    }
}
