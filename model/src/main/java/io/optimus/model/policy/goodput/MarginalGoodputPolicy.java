package io.optimus.model.policy.goodput;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.AllocationPolicy;
import java.util.List;

/**
 * Rank-weighted marginal goodput: GPUs go where they speed jobs up most, and a job counts the more the less work it has
 * left, because everybody else waits for it.
 *
 * <ol>
 *   <li>Before all weighing, {@link Guarantees}: what may not shrink stays, no job starves, unknown jobs are measured, larger
 *       priorities run.
 *   <li>Each job has a few {@link Sizes} to choose among; of workers alone, at most 4 times the most that it ran on.
 *   <li>A size is {@link Worth} S = f(size)/f(equal part of the cluster), less where the job would have to be resized: by what
 *       that costs it of the time that the size lasts.
 *   <li>A job has a {@link Weights weight} w by its rank in remaining work; where most jobs are without an estimate, by its service so far.
 *   <li>Chosen is what maximises Σ w · S^p under the capacity, p = 0.8: exactly where all jobs are short of the same resource
 *       and the cluster is not too large, else greedily by worth per share of the dominant resource.
 *   <li>A job that stays where it is may try another size within what it has and what is left, if it shall.
 * </ol>
 *
 * <p>A job does not explore first: it begins on as much as it is worth by what is to be expected ({@link
 * io.optimus.model.speed.ExpectedSpeed}), and running there tells whether that was right. Only where it has come to stay, and
 * another size may turn out to save more time than trying it costs ({@link io.optimus.model.exploration.ExpectedImprovement}), it
 * tries that one: else one that scales better than is typical would stay small for good.
 *
 * <p>Example: one node of 4 GPUs, A with 1,000 s of one GPU left and B with 100 s, both 1, 1.8 and 3 times as fast on 1, 2
 * and 4 GPUs. An equal part is 2 GPUs, so that S = 0.56, 1, 1.67. A weighs 1, B 1.94. Two for each are worth 1 + 1.94 =
 * 2.94, all for B 1.94 · 1.67^0.8 = 2.92: A is not stopped. Were they 1, 1.9 and 3.5 times as fast, all for B would be
 * worth 1.94 · 1.84^0.8 = 3.16, and A would wait.
 *
 * <p>{@link #withPolluxObjective()} is the control: all else the same, what of a difference comes from the objective alone.
 *
 * <p>Places are for a placer that keeps what is unchanged and gives whole nodes to jobs of several nodes. Immutable.
 */
public final class MarginalGoodputPolicy implements AllocationPolicy {
    private final String name;
    private final Weighing weighing;

    /** How much jobs count in a round. */
    interface Weighing {
        /**
         * The weights of jobs.
         *
         * @param work what remains of each, in shares of the cluster times seconds
         * @param trust how far that is believed, from 0 to 1
         * @param serviceSeconds what each had so far, GPUs times seconds
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
     * With Pollux's objective (section 4.2.1) instead: the power mean of speed-ups with p = −1, in which all jobs count the
     * same, is largest where Σ 1/(S + 0.001) is least. Sizes, ramp and solver are those of this policy.
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
        Auction auction = new Auction(cluster, jobs);
        auction.giveGuarantees();
        auction.weigh(weighing);
        auction.chooseSizes();
        auction.learn();
        return auction.decision();
    }
}
