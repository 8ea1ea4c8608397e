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
import io.optimus.model.policy.smd.BestSizes.Item;
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
 * Chooses the jobs with the largest total utility, each on the size that would end it soonest (SMD, INFOCOM 2021).
 *
 * <ol>
 *   <li>Jobs that may not shrink keep what they hold.
 *   <li>Inner problem, job by job: the size between minimum and maximum, within an equal share of the cluster, that ends the
 *       job soonest, by a {@linkplain SumOfRatios sum-of-ratios search}; the size that it runs on, if a resize would not be
 *       worth its cost.
 *   <li>Outer problem: of these, choose the jobs with the largest sum of {@linkplain Utility utilities} whose sizes fit under
 *       every resource: a 0/1 multi-dimensional knapsack, {@linkplain SubsetEnumeration solved with a guarantee} for up to
 *       {@value #FEW} jobs and {@linkplain DensityGreedy greedily} for more.
 *   <li>The other jobs get their minimum from what is left, the most valuable per share first.
 *   <li>Jobs that are to explore a size get it from what is then left.
 * </ol>
 *
 * <p>Only the outline is the authors' (utilities, sum of ratios inside a multi-dimensional knapsack). How the two problems
 * are solved, the defaults of the utility, and the last two steps are ours, because the paper's text was not at hand. The
 * equal share is ours, too: in the paper, every owner limits what a job may take; without a limit, sizes that are hardly
 * faster take what others need. The speed is the job's own fitted function; the paper has a model of the network's layers.
 *
 * <p>Example: 8 GPUs; A needs at least 6 of them and is then worth 0.9; B and C need at least 4 and are then worth 0.6 each. B
 * and C are chosen, and A waits.
 */
public final class SmdPolicy implements AllocationPolicy {
    /** Up to this number of jobs there are at most 220 subsets to complete, which takes some 70 ms. */
    private static final int FEW = 12;
    /** Subsets of three miss the optimum of ten jobs under three resources by 0.05 % on average. */
    private static final int SUBSET = 3;

    /** A step takes at most 5 % longer than the shortest; fits are no more accurate. Up to 20 servers every number is tried. */
    private static final double EPSILON = 0.05;

    private final FastestSize search;

    public SmdPolicy() {
        this(new SumOfRatios(EPSILON));
    }

    SmdPolicy(FastestSize search) {
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
        List<Item> items = new BestSizes(division, search)
                .items().stream()
                        .sorted(Comparator.comparingDouble((Item item) -> density(division, item))
                                .reversed())
                        .toList();
        chosen(division, items).forEach(item -> division.raise(item.participant(), item.size()));
        items.forEach(item -> division.giveMinimum(item.participant()));
        items.forEach(SmdPolicy::explain);
        // A job without an item has no room for its minimum even alone; this explains it.
        division.participants().stream().filter(Participant::waits).forEach(division::giveMinimum);
        new ExplorationSizes(division, true, SmdPolicy::canAfford).give();
        return division.decision();
    }

    private static boolean canAfford(Participant participant, Allocation size) {
        return participant.given().isWithin(size)
                && Exploration.isAffordable(participant.job().speed().orElseThrow(), size, participant.given());
    }

    private static double density(Division division, Item item) {
        double shares = Arrays.stream(division.shares(item.participant().job().resources(item.more())))
                .sum();
        return shares > 0 ? item.value() / shares : Double.POSITIVE_INFINITY;
    }

    private static List<Item> chosen(Division division, List<Item> items) {
        double[] values = items.stream().mapToDouble(Item::value).toArray();
        long[][] weights = items.stream()
                .map(item -> item.participant().amounts(item.more()))
                .toArray(long[][]::new);
        SelectionSolver solver = items.size() <= FEW ? new SubsetEnumeration(SUBSET) : new DensityGreedy();
        Selection selection = solver.solve(new SelectionProblem(values, weights, division.left()));
        return IntStream.range(0, items.size())
                .filter(selection::contains)
                .mapToObj(items::get)
                .toList();
    }

    private static void explain(Item item) {
        Participant participant = item.participant();
        if (!participant.waits()) {
            participant.explain(new UtilityReason(participant.change(), item.size(), item.seconds(), item.utility()));
        }
    }
}
