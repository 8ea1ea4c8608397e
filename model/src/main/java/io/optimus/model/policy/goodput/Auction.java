package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.AllocationReason.Explores;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.knapsack.OptionSet;
import io.optimus.model.policy.speedup.Hostings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One round of the policy; its steps in their order, used once. */
final class Auction {
    private final Room room;
    private final Hostings hostings;
    private final List<Claimant> claimants;
    /** Of the claimants with a known speed, the oldest first. */
    private final List<Bid> bids = new ArrayList<>();

    Auction(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        this.room = new Room(cluster, jobs);
        this.hostings = new Hostings(cluster);
        Set<String> nodes = cluster.nodes().stream().map(NodeSnapshot::id).collect(Collectors.toSet());
        this.claimants = jobs.stream()
                .sorted(Precedence.BY_AGE)
                .map(job -> new Claimant(job, room.footprint(job), nodes))
                .toList();
    }

    void giveGuarantees() {
        new Guarantees(room, claimants).give();
    }

    /** Among the jobs whose speed is known. */
    void weigh(MarginalGoodputPolicy.Weighing weighing) {
        List<Claimant> bidders = claimants.stream()
                .filter(claimant -> claimant.job().speed().isPresent())
                .toList();
        Worth[] worths = new Worth[bidders.size()];
        double[] work = new double[worths.length];
        double[] trust = new double[worths.length];
        double[] service = new double[worths.length];
        for (int i = 0; i < worths.length; i++) {
            Claimant bidder = bidders.get(i);
            JobSnapshot job = bidder.job();
            worths[i] = new Worth(bidder, hostings, claimants.size());
            work[i] = worths[i].remainingWork();
            trust[i] = job.remainingSteps().isPresent() ? job.belief().remainingTrust() : 0;
            service[i] = job.gpuSeconds();
        }
        Weights weights = weighing.of(work, trust, service);
        for (int i = 0; i < worths.length; i++) {
            bids.add(new Bid(bidders.get(i), worths[i], weights.standings().get(i), weights.exponent()));
        }
    }

    void chooseSizes() {
        List<OptionSet> menus = bids.stream().map(Bid::menu).toList();
        int[] chosen = Knapsack.choose(room.left(), menus);
        for (int i = 0; i < chosen.length; i++) {
            bids.get(i).settle(chosen[i], room);
        }
    }

    /** What it won is its own to learn in; what it does not use stays free for its return. */
    void learn() {
        for (Claimant claimant : claimants) {
            JobSnapshot job = claimant.job();
            if (claimant.given().isNone()) {
                continue;
            }
            if (job.speed().isEmpty()) {
                Allocation size = within(job, claimant.held());
                runInstead(claimant, size, claimant.resized(size));
            } else {
                job.belief()
                        .exploration()
                        .map(size -> within(job, size))
                        .filter(size -> mayTry(claimant, size))
                        .ifPresent(size -> runInstead(claimant, size, new Explores(size)));
            }
        }
    }

    /** Only what it would not leave is left to try another; what is tried is not left before it was measured, nor the way there. */
    private static boolean mayTry(Claimant claimant, Allocation size) {
        boolean stays = claimant.given().equals(claimant.held());
        boolean tries =
                size.equals(claimant.held()) || !claimant.job().trainsOn().equals(claimant.held());
        return (stays || tries)
                && (claimant.job().mayShrink() || claimant.held().isWithin(size));
    }

    private void runInstead(Claimant claimant, Allocation size, AllocationReason why) {
        Allocation won = claimant.given();
        boolean same = size.equals(won) && !(why instanceof Explores);
        if (!same && room.take(claimant, size.beyond(won)).isEmpty()) {
            claimant.give(size, why);
        }
    }

    private static Allocation within(JobSnapshot job, Allocation size) {
        return size.max(job.minimum()).min(job.maximum());
    }

    AllocationDecision decision() {
        return AllocationDecision.of(claimants.stream()
                .collect(Collectors.toMap(claimant -> claimant.job().id(), Claimant::decided)));
    }
}
