package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.policy.RoleDemand;
import io.optimus.model.policy.speedup.Hosting;
import io.optimus.model.policy.speedup.Hostings;
import io.optimus.model.policy.speedup.Restart;
import io.optimus.model.speed.SpeedFunction;
import java.util.List;

/**
 * What sizes are worth to one job whose speed is known:
 *
 * <pre>S(size) = f(size) / f(fair) · (1 where it is the present size, else restart factor / 1.1 if the job runs)</pre>
 *
 * <p>with f on the fewest nodes, for the present size on the nodes that it is on, and fair an equal part of the cluster in
 * workers, as many parameter servers with them.
 */
final class Worth {
    /**
     * How many times the largest size that a job ran on it may try: fits reach little further. Pollux has 2; measured, 4 is
     * worth 5 % of completion time under little load.
     */
    static final int RAMP = 4;

    /** A change has to win this factor, so that noise of the fits does not move jobs. */
    private static final double HYSTERESIS = 1.1;

    /** Of a job that is too young to have trained at all: something, so that it can begin. */
    private static final double LEAST_FACTOR = 1e-3;

    /** Pollux adds it, so that a waiting job is a finite loss. */
    private static final double LEAST_SPEEDUP = 1e-3;

    private final JobSnapshot job;
    private final SpeedFunction speed;
    private final Allocation held;
    private final int heldNodes;
    private final Hosting hosting;
    private final boolean boundByRamp;
    private final double fairSpeed;
    private final double changeFactor;
    private final List<Allocation> sizes;

    /**
     * Of a job with a known speed.
     *
     * @param held what it runs on, none where it does not run
     * @param heldNodes how many nodes that is on
     * @param jobs how many share the cluster
     */
    Worth(JobSnapshot job, Allocation held, int heldNodes, Hostings hostings, int jobs, Room room) {
        this.job = job;
        this.speed = job.speed().orElseThrow();
        this.held = held;
        this.heldNodes = heldNodes;
        boolean servers = job.parameterServers().max() > 0;
        this.hosting = hostings.of(job.resources(new Allocation(servers ? 1 : 0, 1)));
        Allocation hosted = new Allocation(
                Integer.MAX_VALUE, hostings.of(job.workers().task()).inAll());
        Allocation usable = job.maximum().min(hosted).max(job.minimum());
        Allocation most = usable.min(ramp());
        this.boundByRamp = !usable.equals(most);
        double fair = speed(fair(job, hosting.fair(jobs)));
        this.fairSpeed = fair > 0 ? fair : speed(job.minimum());
        double factor = Math.max(LEAST_FACTOR, Restart.factor(job));
        this.changeFactor = held.isNone() ? factor : factor / HYSTERESIS;
        Sizes all = new Sizes(job, most);
        this.sizes =
                servers ? all.chain(this::speed, size -> room.share(job, size), held) : all.ofWorkers(hosting, held);
    }

    private Allocation ramp() {
        return new Allocation(
                times(largestTried().parameterServers()), times(largestTried().workers()));
    }

    private static int times(int tried) {
        return (int) Math.min(Integer.MAX_VALUE, (long) RAMP * tried);
    }

    private static Allocation fair(JobSnapshot job, int replicas) {
        return new Allocation(within(job.parameterServers(), replicas), within(job.workers(), replicas));
    }

    private static int within(RoleDemand demand, int count) {
        return Math.max(demand.min(), Math.min(demand.max(), count));
    }

    /** The sizes to choose among, the smallest first. */
    List<Allocation> sizes() {
        return sizes;
    }

    /** Whether more is not tried only because the job never ran on a size near it. */
    boolean isBoundByRamp() {
        return boundByRamp;
    }

    /** The most of each role that it ran on, at least its minimum. */
    Allocation largestTried() {
        return job.history().largest().max(job.minimum());
    }

    /** Steps per second, 0 where that is no number. */
    double speed(Allocation size) {
        int nodes = size.equals(held) && heldNodes > 0 ? heldNodes : hosting.fewestNodes(size.workers());
        double stepsPerSecond = speed.stepsPerSecond(size, Math.min(nodes, size.tasks()));
        return stepsPerSecond > 0 && stepsPerSecond < Double.POSITIVE_INFINITY ? stepsPerSecond : 0;
    }

    /** Speed over that on an equal part of the cluster, 0 or more. */
    double timesFair(Allocation size) {
        return fairSpeed > 0 ? speed(size) / fairSpeed : 0;
    }

    /**
     * S^p, 0 for no tasks; for p below 0, where no tasks would be an infinite loss, −(S + 0.001)^p.
     *
     * @param exponent p, other than 0
     */
    double of(Allocation size, double exponent) {
        double speedup = size.isNone() ? 0 : timesFair(size) * (size.equals(held) ? 1 : changeFactor);
        return exponent > 0 ? Math.pow(speedup, exponent) : -Math.pow(speedup + LEAST_SPEEDUP, exponent);
    }

    /** What remains to be done, in shares of the cluster times seconds; NaN where it is not known. */
    double remainingWork(Room room) {
        if (job.remainingSteps().isEmpty()) {
            return Double.NaN;
        }
        double stepsPerSecond = speed(job.minimum());
        double seconds = stepsPerSecond > 0 ? job.remainingSteps().getAsDouble() / stepsPerSecond : Double.MAX_VALUE;
        return Math.min(Double.MAX_VALUE, seconds * room.share(job, job.minimum()));
    }
}
