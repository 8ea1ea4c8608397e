package io.optimus.model.policy.division;

import io.optimus.model.job.JobSnapshot;
import java.util.Arrays;

/**
 * Speed of one job over its speed on a reference size, by nodes and replicas; linear in the replicas if its speed is not known.
 * Results are cached. Not safe for several threads.
 */
public final class Speedups {
    private static final double UNKNOWN = -1;

    private final JobSnapshot job;
    private final Replicas replicas;
    private final int most;
    private final int mostNodes;
    private final double reference;
    private final double[] known;

    /**
     * Speed-ups of {@code job}.
     *
     * @param most largest number of replicas that is asked for, 0 or more
     * @param mostNodes largest number of nodes that is asked for
     * @param reference replicas of the reference size, 1 or more
     * @param referenceNodes the number of nodes that those are on
     */
    public Speedups(JobSnapshot job, Replicas replicas, int most, int mostNodes, int reference, int referenceNodes) {
        this.job = job;
        this.replicas = replicas;
        this.most = most;
        this.mostNodes = mostNodes;
        this.known = new double[Math.multiplyExact(most + 1, mostNodes + 1)];
        Arrays.fill(known, UNKNOWN);
        double speed = speed(referenceNodes, reference);
        // If the job does not step on the reference size, its smallest size is the reference.
        this.reference = speed > 0 ? speed : speed(1, replicas.min());
    }

    /**
     * The speed-up of {@code count} replicas on {@code nodes}: 0 or more; 0 for no replicas.
     *
     * @param nodes from 1 to {@code count} if there are replicas
     */
    public double of(int nodes, int count) {
        if (count == 0) {
            return 0;
        }
        int cell = nodes * (most + 1) + count;
        if (count > most || nodes > mostNodes) {
            throw new IllegalArgumentException("Speed-ups are known up to " + most + " replicas on " + mostNodes
                    + " nodes, asked for " + count + " on " + nodes);
        }
        if (known[cell] == UNKNOWN) {
            known[cell] = reference > 0 ? speed(nodes, count) / reference : 0;
        }
        return known[cell];
    }

    private double speed(int nodes, int count) {
        if (job.speed().isEmpty()) {
            return count;
        }
        double speed = job.speed().get().stepsPerSecond(replicas.allocation(count), nodes);
        return speed > 0 && speed < Double.POSITIVE_INFINITY ? speed : 0;
    }
}
