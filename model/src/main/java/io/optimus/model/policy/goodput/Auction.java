package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.knapsack.Menu;
import io.optimus.model.policy.AllocationDecision;
import io.optimus.model.policy.AllocationReason.Explores;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.policy.Precedence;
import io.optimus.model.policy.speedup.Hostings;
import io.optimus.model.speed.Exploration;
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
            trust[i] = job.remainingSteps().isPresent() ? job.remainingTrust() : 0;
            service[i] = job.gpuSeconds();
        }
        Weights weights = weighing.of(work, trust, service);
        for (int i = 0; i < worths.length; i++) {
            bids.add(new Bid(bidders.get(i), worths[i], weights.standings().get(i), weights.exponent()));
        }
    }

    void chooseSizes() {
        List<Menu> menus = bids.stream().map(Bid::menu).toList();
        int[] chosen = Knapsack.choose(room.left(), menus);
        for (int i = 0; i < chosen.length; i++) {
            bids.get(i).settle(chosen[i], room);
        }
    }

    /** What it won is its own to explore in; what it does not use stays free for its return. */
    void explore() {
        for (Claimant claimant : claimants) {
            JobSnapshot job = claimant.job();
            if (claimant.given().isNone()) {
                continue;
            }
            if (job.exploration().isPresent()) {
                tryInstead(claimant, within(job, job.exploration().get()), true);
            } else if (job.speed().isEmpty()) {
                tryInstead(claimant, within(job, claimant.held()), false);
            }
        }
    }

    private void tryInstead(Claimant claimant, Allocation size, boolean exploring) {
        JobSnapshot job = claimant.job();
        Allocation won = claimant.given();
        boolean gives = !job.mayShrink() && !claimant.held().isWithin(size);
        boolean tooSlow =
                job.speed().isPresent() && !Exploration.isAffordable(job.speed().get(), size, won);
        if (gives || tooSlow || (size.equals(won) && !exploring)) {
            return;
        }
        if (room.take(claimant, size.beyond(won)).isEmpty()) {
            claimant.give(size, exploring ? new Explores(size) : claimant.resized(size));
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
