package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.ExplorationSizes;
import io.optimus.model.policy.division.Participant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rank-weighted marginal goodput: GPUs go where they speed jobs up most. A job counts more the less work it has left,
 * because the other jobs wait for it.
 *
 * <ol>
 *   <li>{@link Guarantees} come first: jobs that may not shrink keep their size, no job starves, jobs of unknown speed are
 *       measured, and jobs of larger priority run.
 *   <li>Each job has a few {@link SizeValues sizes} to choose among. Without parameter servers it has at most 4 times the
 *       workers that it ran on so far.
 *   <li>A size is {@link SizeValues#value worth} S = f(size)/f(equal part of the cluster). If the job would have to be resized,
 *       it is worth less by the part of the job's time that the resize costs.
 *   <li>A job has a {@link Weights weight} w by its rank in remaining work, or by its service so far if most jobs have no
 *       estimate.
 *   <li>The sizes are chosen that maximise Σ w · S^p under the capacity, p = 0.8. The solution is exact if all jobs are short
 *       of the same resource and the cluster is not too large, else greedy by worth per share of the dominant resource.
 *   <li>A job that keeps its size may try another one, within what it has and what is left.
 * </ol>
 *
 * <p>A job does not explore first. It starts on the size that its expected speed makes best ({@link
 * io.optimus.model.speed.ExpectedSpeed}), and running there tells whether that was right. Once its size is stable, it tries
 * another size if that is expected to save more time than trying it costs ({@link
 * io.optimus.model.exploration.ExpectedImprovement}). Otherwise a job that scales better than is typical would stay small.
 *
 * <p>Example: one node of 4 GPUs, A with 1,000 s of one GPU left and B with 100 s, both 1, 1.8 and 3 times as fast on 1, 2
 * and 4 GPUs. An equal part is 2 GPUs, so that S = 0.56, 1, 1.67. A weighs 1, B 1.94. Two for each are worth 1 + 1.94 =
 * 2.94, all for B 1.94 · 1.67^0.8 = 2.92: A is not stopped. Were they 1, 1.9 and 3.5 times as fast, all for B would be
 * worth 1.94 · 1.84^0.8 = 3.16, and A would wait.
 *
 * <p>{@link #withPolluxObjective()} is the control: it differs in the objective alone.
 *
 * <p>The placer should keep unchanged jobs where they are and give whole nodes to jobs of several nodes. Immutable.
 */
public final class MarginalGoodputPolicy implements AllocationPolicy {
    private final String name;
    private final Weighing weighing;

    /** Computes how much jobs count in a round. */
    interface Weighing {
        /**
         * The weights of jobs.
         *
         * @param work remaining work of each job, in shares of the cluster times seconds
         * @param trust how far that is trusted, from 0 to 1
         * @param serviceSeconds service of each job so far, GPUs times seconds
         */
        Weights of(double[] work, double[] trust, double[] serviceSeconds);
    }

    /** Weighs by rank in remaining work. */
    public MarginalGoodputPolicy() {
        this("marginal-goodput", Weights::of);
    }

    private MarginalGoodputPolicy(String name, Weighing weighing) {
        this.name = name;
        this.weighing = weighing;
    }

    /**
     * The same policy with Pollux's objective (section 4.2.1): the power mean of speed-ups with p = −1, in which all jobs
     * count the same. It is largest where Σ 1/(S + 0.001) is least. Sizes, ramp and solver are those of this policy.
     */
    public static MarginalGoodputPolicy withPolluxObjective() {
        return new MarginalGoodputPolicy("pollux-exact", (work, trust, serviceSeconds) -> Weights.equal(work.length));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean exploresFirst() {
        return false;
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byAge(cluster, jobs);
        new Guarantees(division).give();
        chooseSizes(division, weighed(division, new NodeRoom(cluster)));
        new ExplorationSizes(division, false, MarginalGoodputPolicy::mayTry).give();
        return division.decision();
    }

    /** The participants with a known speed, the oldest first. */
    private List<WeighedJob> weighed(Division division, NodeRoom nodeRoom) {
        List<Participant> known = division.participants().stream()
                .filter(participant -> participant.job().speed().isPresent())
                .toList();
        List<SizeValues> values = known.stream()
                .map(participant -> new SizeValues(division, participant, nodeRoom))
                .toList();
        double[] work = values.stream().mapToDouble(SizeValues::remainingWork).toArray();
        double[] trust = known.stream()
                .map(Participant::job)
                .mapToDouble(
                        job -> job.remainingSteps().isPresent() ? job.belief().remainingTrust() : 0)
                .toArray();
        double[] service = known.stream()
                .mapToDouble(participant -> participant.job().gpuSeconds())
                .toArray();
        Weights weights = weighing.of(work, trust, service);
        return IntStream.range(0, work.length)
                .mapToObj(i -> new WeighedJob(
                        known.get(i), values.get(i), weights.ofJobs().get(i), weights.exponent()))
                .toList();
    }

    private static void chooseSizes(Division division, List<WeighedJob> jobs) {
        int[] chosen = Knapsack.choose(
                division.left(), jobs.stream().map(WeighedJob::options).toList());
        for (int i = 0; i < chosen.length; i++) {
            jobs.get(i).take(chosen[i], division);
        }
        Bids bids = new Bids(jobs, division.left());
        jobs.forEach(job -> job.explain(bids, division));
    }

    /** A job that would not leave its size may try another; a size that is tried is not left before it was measured. */
    private static boolean mayTry(Participant participant, Allocation size) {
        Allocation runsOn = participant.runsOn();
        boolean stays = participant.given().equals(runsOn);
        boolean tries = size.equals(runsOn) || !participant.job().trainsOn().equals(runsOn);
        return stays || tries;
    }
}
