package io.optimus.model.policy.sia;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.cluster.NodeRoom.Hosting;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.knapsack.Knapsack.Options;
import io.optimus.model.policy.division.Participant;
import io.optimus.model.policy.division.Replicas;
import io.optimus.model.policy.division.Speedups;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The configurations of one job and their values (Sia, sections 3.3 and 3.4): powers of two within a node, then whole nodes, at
 * most twice the replicas that the job ran on. A job of unknown speed has only its minimum, and one that may not shrink only
 * configurations that are larger than what it was given. Example: a job that ran on 3
 * replicas, with minimum 1, on nodes of 4: 1, 2 and 4 replicas.
 */
final class Configurations {
    private static final int RAMP = 2;

    /** p of the objective: the more negative, the fairer. */
    private static final double FAIRNESS = -0.5;

    /** The cost of a job that gets nothing, in that of the same job on its minimum: a little more. */
    private static final double WITHOUT = 1.1;

    /** The least restart factor that counts: a job that has only been resized so far would cost infinitely much otherwise. */
    private static final double LEAST_RESTART_FACTOR = 0.01;

    private final Participant participant;
    private final Replicas replicas;
    private final Hosting hosting;
    private final Allocation held;
    private final Allocation given;
    private final double restartFactor;
    private final Speedups speedups;
    private final List<Integer> counts;

    /** {@code nodeRoom} tells how many of the job's replicas the nodes host. */
    Configurations(Participant participant, NodeRoom nodeRoom) {
        JobSnapshot job = participant.job();
        this.participant = participant;
        this.replicas = new Replicas(job);
        this.hosting = nodeRoom.of(replicas.shape());
        this.held = participant.runsOn();
        this.given = participant.given();
        this.restartFactor = held.isNone() ? 1 : Math.max(LEAST_RESTART_FACTOR, job.restartFactor());
        int most = most(job);
        this.counts = counts(job.speed().isEmpty() ? Math.min(most, replicas.min()) : most);
        this.speedups = new Speedups(
                job, replicas, most, hosting.fewestNodes(most), replicas.min(), hosting.fewestNodes(replicas.min()));
    }

    private int most(JobSnapshot job) {
        long tried = Math.max(job.history().largest().workers(), held.workers());
        long ramp = Math.max(replicas.min(), RAMP * tried);
        return (int) Math.min(Math.min(ramp, replicas.max()), Math.max(hosting.inAll(), held.workers()));
    }

    private List<Integer> counts(int most) {
        TreeSet<Integer> all = new TreeSet<>();
        int node = Math.max(1, Math.min(hosting.onOneNode(), most));
        for (int count = 1; count < node; count *= 2) {
            all.add(count);
        }
        for (int count = node; count <= most - node; count += node) {
            all.add(count);
        }
        all.add(most / node * node);
        all.add(replicas.min());
        all.add(held.workers());
        int least = Math.max(replicas.min(), given.workers() + 1);
        all.removeIf(count -> count < least || count > most);
        return new ArrayList<>(all);
    }

    Options options() {
        double[] values = new double[counts.size()];
        long[][] amounts = new long[values.length][];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(i);
            amounts[i] = participant.amounts(allocation(i).beyond(given));
        }
        return new Options(values, amounts, counts.indexOf(held.workers()));
    }

    Allocation allocation(int index) {
        return replicas.allocation(counts.get(index)).max(given);
    }

    /** The speed of one configuration over that on the minimum. */
    double speedup(int index) {
        return speedupOf(allocation(index).workers());
    }

    private double speedupOf(int count) {
        return speedups.of(hosting.fewestNodes(count), count);
    }

    /** The gain of the objective from a configuration instead of what the job was given. */
    private double value(int index) {
        double factor = counts.get(index) == held.workers() ? 1 : restartFactor;
        return gain(speedup(index) * factor) - gain(speedupOf(given.workers()));
    }

    /** The gain of the objective from a speed-up instead of nothing. */
    private double gain(double speedup) {
        return speedup > 0 ? WITHOUT * Math.pow(restartFactor, FAIRNESS) - Math.pow(speedup, FAIRNESS) : 0;
    }
}
