package io.optimus.model.policy;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.TurnReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.numerics.Medians;
import io.optimus.model.policy.division.CompletionTime;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import io.optimus.model.policy.division.RequestedSizes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * Shortest remaining time first: the job that is nearest to its end gets the size that its owner asked for, whole, and may
 * displace others.
 *
 * <pre>seconds = Q / f(requested)  +  resize cost, unless it runs already</pre>
 *
 * <p>with Q the remaining steps and f the speed function, as far as they are known. The policy is as good as the predictions,
 * and an oracle if it is given the truth. The cost of a start counts, so that no job is stopped for one that would end hardly
 * sooner. Larger priorities come first, however far from their ends; ties go to running jobs, then to submit time and id. A job
 * without room waits, and those behind it take what it leaves. A job with a known speed whose end is not predicted is assumed
 * to need the median time of the others, each on its minimum. A job of unknown speed is assumed to need the median of all.
 *
 * <p>Example: 2 GPUs, A runs on both and has 100 s to go. B comes with 60 s on 1 GPU: it starts after A, if a start costs
 * 50 s; at once, in A's place, if it costs 30 s.
 */
public final class SrtfPolicy implements AllocationPolicy {
    @Override
    public String name() {
        return "srtf";
    }

    @Override
    public boolean resizes() {
        return false;
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byRight(cluster, jobs);
        RequestedSizes sizes = new RequestedSizes(division);
        Map<String, Double> seconds = secondsToEnd(division.participants(), sizes);
        Comparator<JobSnapshot> byTurn = Comparator.comparingInt(JobSnapshot::priority)
                .reversed()
                .thenComparingDouble(job -> seconds.getOrDefault(job.id(), Double.POSITIVE_INFINITY))
                .thenComparing(Precedence.BY_RIGHT);
        sizes.giveWhereItFits(
                byTurn,
                (job, before) ->
                        new TurnReason.NearestEnd(seconds.getOrDefault(job.id(), Double.POSITIVE_INFINITY), before));
        return division.decision();
    }

    private static Map<String, Double> secondsToEnd(List<Participant> participants, RequestedSizes sizes) {
        Function<JobSnapshot, CompletionTime> remaining =
                CompletionTime.of(participants.stream().map(Participant::job).toList());
        Function<JobSnapshot, OptionalDouble> known = job -> job.speed().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(remaining.apply(job).seconds(sizes.of(job)));
        double median = median(participants.stream()
                .map(participant -> known.apply(participant.job()))
                .flatMapToDouble(OptionalDouble::stream));
        Map<String, Double> seconds = new HashMap<>();
        for (Participant participant : participants) {
            JobSnapshot job = participant.job();
            double start = participant.runs() ? 0 : job.state().resizeCostSeconds();
            seconds.put(job.id(), known.apply(job).orElse(median) + start);
        }
        return seconds;
    }

    /** The median of finite times; 0 if none is known. */
    private static double median(DoubleStream seconds) {
        return Medians.upper(seconds.filter(Double::isFinite).toArray(), 0);
    }
}
