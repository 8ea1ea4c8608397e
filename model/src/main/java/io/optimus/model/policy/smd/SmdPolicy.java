package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.UtilityReason;
import io.optimus.model.exploration.Exploration;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.ExplorationSizes;
import io.optimus.model.policy.division.Participant;
import io.optimus.model.selection.DensityGreedy;
import io.optimus.model.selection.Selection;
import io.optimus.model.selection.SelectionProblem;
import io.optimus.model.selection.SelectionSolver;
import io.optimus.model.selection.SubsetEnumeration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the jobs that are worth most together, each on the size that would end it soonest (SMD, INFOCOM 2021).
 *
 * <ol>
 *   <li>Jobs that may not shrink keep what they hold.
 *   <li>Inner problem, job by job: the size between minimum and maximum, within an equal share of the cluster, that ends
 *       the job soonest; the size that it runs on, if a resize would not repay its cost.
 *   <li>Outer problem: of these, choose the jobs whose {@linkplain Utility utilities} sum up to most and whose sizes fit
 *       under every resource: a 0/1 multi-dimensional knapsack, {@linkplain SubsetEnumeration solved with a guarantee} for up
 *       to {@value #FEW} jobs and {@linkplain DensityGreedy greedily} for more.
 *   <li>Of what the chosen jobs leave, the others get their minimum, those worth most a share first.
 *   <li>Jobs that shall explore a size get it, of what is then left.
 * </ol>
 *
 * <p>Only the outline is the authors' (utilities, sum of ratios inside a multi-dimensional knapsack). How the two problems
 * are solved, the defaults of the utility, and the last two steps are ours: the paper's text was not at hand. So is the
 * equal share: there, every owner limits what his job may take; without a limit, sizes that are hardly faster take what
 * others need. So is the speed: the job's own fitted function stands where the paper has a model of the network's layers.
 *
 * <p>Example: 8 GPUs; A has 6 of them at least and is worth 0.9 so, B and C have 4 at least and are worth 0.6 each: B and C
 * are chosen, A waits for what they leave.
 */
public final class SmdPolicy implements AllocationPolicy {
    /** Up to so many jobs there are at most 220 subsets to complete, in some 70 ms. */
    private static final int FEW = 12;
    /** Subsets of three miss the optimum of ten jobs under three resources by 0.05 % on average. */
    private static final int SUBSET = 3;

    private final FastestSize search;

    /** Sizes are enumerated. */
    public SmdPolicy() {
        this(new SizeEnumeration());
    }

    /** Sizes are searched so. */
    public SmdPolicy(FastestSize search) {
        this.search = search;
    }

    @Override
    public String name() {
        return "smd";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = Division.byRight(cluster, jobs);
        division.keepWhatMayNotShrink();
        division.completeMinimums();
        List<BestSize> wishes = new BestSizes(division, search)
                .all().stream()
                        .sorted(Comparator.comparingDouble((BestSize wish) -> density(division, wish))
                                .reversed())
                        .toList();
        chosen(division, wishes).forEach(wish -> division.raise(wish.participant(), wish.size()));
        wishes.forEach(wish -> division.giveMinimum(wish.participant()));
        wishes.forEach(SmdPolicy::explain);
        // Who has no wish has no room for his minimum even alone: he is told so.
        division.participants().stream().filter(Participant::waits).forEach(division::giveMinimum);
        new ExplorationSizes(division, true, SmdPolicy::canAfford).give();
        return division.decision();
    }

    private static boolean canAfford(Participant participant, Allocation size) {
        return participant.given().isWithin(size)
                && Exploration.isAffordable(participant.job().speed().orElseThrow(), size, participant.given());
    }

    private static double density(Division division, BestSize wish) {
        double shares = Arrays.stream(division.shares(wish.participant().job().resources(wish.more())))
                .sum();
        return shares > 0 ? wish.value() / shares : Double.POSITIVE_INFINITY;
    }

    private static List<BestSize> chosen(Division division, List<BestSize> wishes) {
        long[][] weights = wishes.stream()
                .map(wish -> division.amounts(wish.participant().job().resources(wish.more())))
                .toArray(long[][]::new);
        SelectionSolver solver = wishes.size() <= FEW ? new SubsetEnumeration(SUBSET) : new DensityGreedy();
        Selection selection = solver.solve(new SelectionProblem(
                wishes.stream().mapToDouble(BestSize::value).toArray(), weights, division.left()));
        return IntStream.range(0, wishes.size())
                .filter(selection::contains)
                .mapToObj(wishes::get)
                .toList();
    }

    private static void explain(BestSize wish) {
        Participant participant = wish.participant();
        if (!participant.waits()) {
            participant.explain(new UtilityReason(participant.change(), wish.size(), wish.seconds(), wish.utility()));
        }
    }
}
