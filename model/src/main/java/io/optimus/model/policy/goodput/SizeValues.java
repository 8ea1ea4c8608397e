package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.InterruptedComputationException;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.cluster.NodeRoom.Hosting;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.GrowthSteps;
import io.optimus.model.policy.division.Participant;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The sizes that one job of known speed may have, and their worth:
 *
 * <pre>
 * S(size) = f(size) / f(fair) · (1 where it is the present size, else restart factor · T/(T + cost))
 * T = min(rest, max(300, 10 · cost, rest/4)), rest the seconds to the end of the job on that size
 * </pre>
 *
 * <p>Here f is the speed on the fewest nodes, or on its present nodes for the present size. The size {@code fair} is an equal
 * part of the cluster in workers, with as many parameter servers. T is how long a size lasts: until the job ends or until other
 * jobs come and go; it is longer the more a change costs. If the rest is not predicted, T is max(300, 10 · cost). Without
 * parameter servers, sizes are far apart and rest/4 does not count. During T, a running job stands still for the cost of a
 * resize. A stopped job pays whenever it goes on, and counts by the {@link JobSnapshot#restartFactor restart factor} alone. A
 * job that never ran loses nothing by its start.
 *
 * <p>Example: an old job with parameter servers and an hour left changes its size if that makes it more than 930/900 = 1.033
 * times as fast, if a resize takes 30 s; 1.001 times, if it takes 1 s. With a minute left, it must become 1.5 and 1.02 times as
 * fast.
 */
final class SizeValues {
    /**
     * A job may try this many times the most workers that it ran on, because fits reach little further. Pollux has 2; 4 was
     * measured to save 5 % of completion time under little load. Jobs with parameter servers have an expected speed on any
     * size from the start, and need no ramp.
     */
    static final int RAMP = 4;

    /** How long a size lasts before other jobs come or go. Results differ by at most 1.5 % from 150 to 600 on measured workloads. */
    private static final double LASTING_SECONDS = 300;

    /**
     * A size also lasts this many times the cost of a resize; 300 s are 10 times the 30 s of those workloads. If it did not, a
     * resize that costs minutes would never pay off, and a job that began small would stay small.
     */
    private static final double LASTING_RESIZES = 10;

    /**
     * A size lasts this part of the remaining time of a job with parameter servers, because measured workloads resize a job
     * about three times in its life. Such a job grows by single tasks, each worth a few per cent; within 300 s none would
     * repay a checkpoint.
     */
    private static final double LASTING_PART = 0.25;

    /** The factor of a job that is too young to have trained, above 0 so that the job can begin. */
    private static final double LEAST_FACTOR = 1e-3;

    /** Pollux adds this to a speed-up, so that a waiting job is a finite loss. */
    private static final double LEAST_SPEEDUP = 1e-3;

    private final JobSnapshot job;
    private final SpeedFunction speed;
    private final Allocation held;
    private final int heldNodes;
    private final Division division;
    private final Participant participant;
    private final Hosting hosting;
    private final Allocation most;
    private final boolean boundByRamp;
    private final boolean boundByRoom;
    private final double fairSpeed;
    private final double restartFactor;
    /** The part of the remaining time that a size lasts at least. */
    private final double lastingPart;

    /**
     * One of the sizes that a job may have.
     *
     * @param tasks of each role
     * @param stepsPerSecond on the nodes that they would be on, 0 or more
     */
    record Size(Allocation tasks, double stepsPerSecond) {}

    /** {@code participant} has a known speed. */
    SizeValues(Division division, Participant participant, NodeRoom nodeRoom) {
        this.division = division;
        this.participant = participant;
        this.job = participant.job();
        this.speed = job.speed().orElseThrow();
        this.held = participant.runsOn();
        this.heldNodes = participant.workerNodes();
        boolean servers = job.demand().hasParameterServers();
        this.hosting = nodeRoom.of(job.resources(new Allocation(servers ? 1 : 0, 1)));
        Allocation hosted = new Allocation(
                Integer.MAX_VALUE, nodeRoom.of(job.demand().workers().task()).inAll());
        Allocation usable = job.maximum().min(hosted).max(job.minimum());
        this.most = servers ? usable : usable.min(ramp());
        this.boundByRamp = !usable.equals(most);
        this.boundByRoom = !usable.equals(job.maximum());
        double fair = speed(fair(job, hosting.fair(division.participants().size())));
        this.fairSpeed = fair > 0 ? fair : speed(job.minimum());
        this.restartFactor = job.restartFactor();
        this.lastingPart = servers ? LASTING_PART : 0;
    }

    /** The most workers that the job may try, without parameter servers. */
    private Allocation ramp() {
        return new Allocation(0, (int)
                Math.min(Integer.MAX_VALUE, (long) RAMP * largestTried().workers()));
    }

    private static Allocation fair(JobSnapshot job, int replicas) {
        return new Allocation(
                within(job.demand().parameterServers(), replicas),
                within(job.demand().workers(), replicas));
    }

    private static int within(RoleDemand demand, int count) {
        return Math.max(demand.min(), Math.min(demand.max(), count));
    }

    /**
     * The sizes to choose among. The size that the job runs on is one of them if the job may have it. Without parameter servers
     * the smallest comes first; with them, those of the chain come in order, and then the present size if it is not among them.
     */
    List<Size> sizes() {
        return job.demand().hasParameterServers() ? chain() : workerCounts();
    }

    /**
     * Workers alone: the minimum, powers of two within a node, then whole nodes, which can be packed without splitting
     * nodes between distributed jobs. Example: nodes of 4, minimum 1, at most 20: 1, 2, 4, 8, 12, 16, 20.
     */
    private List<Size> workerCounts() {
        TreeSet<Integer> counts = new TreeSet<>();
        int node = Math.max(1, Math.min(hosting.onOneNode(), most.workers()));
        for (int count = 1; count < node; count *= 2) {
            counts.add(count);
        }
        for (long count = node; count <= most.workers(); count += node) {
            InterruptedComputationException.check();
            counts.add((int) count);
        }
        counts.add(job.minimum().workers());
        counts.add(job.maximum().workers());
        counts.add(held.workers());
        return counts.subSet(job.minimum().workers(), true, most.workers(), true).stream()
                .map(count -> size(new Allocation(0, count)))
                .toList();
    }

    /**
     * With parameter servers: a chain from the minimum, each time by the {@linkplain GrowthSteps growth step} that gains
     * most speed for the share of the cluster that it takes, until none gains. So a table of p·w sizes becomes at most p +
     * w of them. Example: where a worker takes a GPU of 8 and a server 1 of 64 cores, (1,1) goes on to (2,1) if that
     * server gains an eighth of what a worker would.
     */
    private List<Size> chain() {
        List<Size> chain = new ArrayList<>();
        Size size = size(job.minimum());
        chain.add(size);
        for (Allocation step = next(size); !step.isNone(); step = next(size)) {
            InterruptedComputationException.check();
            size = size(size.tasks().plus(step));
            chain.add(size);
        }
        boolean mayStay = job.minimum().isWithin(held) && held.isWithin(most);
        if (mayStay && chain.stream().noneMatch(each -> each.tasks().equals(held))) {
            chain.add(size(held));
        }
        return chain;
    }

    private Allocation next(Size from) {
        double shareNow = division.dominantShare(participant, from.tasks());
        return GrowthSteps.best(most.beyond(from.tasks()), Integer.MAX_VALUE, false, step -> {
            Allocation tasks = from.tasks().plus(step);
            double gain = speed(tasks) - from.stepsPerSecond();
            return gain > 0 ? gain / (division.dominantShare(participant, tasks) - shareNow) : 0;
        });
    }

    /** Whether only the ramp keeps the job from larger sizes, because it never ran on one near them. */
    boolean isBoundByRamp() {
        return boundByRamp;
    }

    /** Whether {@code size} has as many workers as the nodes host within the limits, and the job could use more. */
    boolean isAllThatHasRoom(Size size) {
        return boundByRoom && most.isWithin(size.tasks());
    }

    /** The most of each role that it ran on, at least its minimum. */
    Allocation largestTried() {
        return job.history().largest().max(job.minimum());
    }

    /** Steps per second on {@code size}; 0 if the speed function gives no finite number. */
    double speed(Allocation size) {
        int nodes = size.equals(held) && heldNodes > 0 ? heldNodes : hosting.fewestNodes(size.workers());
        double stepsPerSecond = speed.stepsPerSecond(size, Math.min(nodes, size.tasks()));
        return stepsPerSecond > 0 && stepsPerSecond < Double.POSITIVE_INFINITY ? stepsPerSecond : 0;
    }

    /** The size of {@code tasks}, with its speed. */
    Size size(Allocation tasks) {
        return new Size(tasks, tasks.isNone() ? 0 : speed(tasks));
    }

    /** The speed on {@code size} over that on an equal part of the cluster, 0 or more. */
    double timesFair(Size size) {
        return fairSpeed > 0 ? size.stepsPerSecond() / fairSpeed : 0;
    }

    /**
     * The value S^p, 0 for no tasks; for p below 0, −(S + 0.001)^p, so that no tasks are a finite loss.
     *
     * @param exponent p, other than 0
     */
    double value(Size size, double exponent) {
        double speedup = size.tasks().isNone() ? 0 : timesFair(size) * leftByChange(size);
        return exponent > 0 ? Math.pow(speedup, exponent) : -Math.pow(speedup + LEAST_SPEEDUP, exponent);
    }

    /** The part of a size's speed that its resize leaves, above 0 and at most 1. */
    private double leftByChange(Size size) {
        boolean neverRan = job.history().largest().isNone();
        if (size.tasks().equals(held) || neverRan) {
            return 1;
        }
        return Math.max(LEAST_FACTOR, held.isNone() ? restartFactor : restartFactor * leftByPause(size));
    }

    private double leftByPause(Size size) {
        double usualSeconds =
                Math.max(LASTING_SECONDS, LASTING_RESIZES * job.state().resizeCostSeconds());
        double lastingSeconds = usualSeconds;
        double stepsPerSecond = size.stepsPerSecond();
        if (job.remainingSteps().isPresent() && stepsPerSecond > 0) {
            double rest = job.remainingSteps().getAsDouble() / stepsPerSecond;
            double predicted = Math.min(rest, Math.max(usualSeconds, lastingPart * rest));
            double trust = job.belief().remainingTrust();
            lastingSeconds = (1 - trust) * usualSeconds + trust * predicted;
        }
        return lastingSeconds == 0
                ? 0
                : lastingSeconds / (lastingSeconds + job.state().resizeCostSeconds());
    }

    /** The remaining work in shares of the cluster times seconds; 0 if it is not known. */
    double remainingWork() {
        if (job.remainingSteps().isEmpty()) {
            return 0;
        }
        double stepsPerSecond = speed(job.minimum());
        double seconds = stepsPerSecond > 0 ? job.remainingSteps().getAsDouble() / stepsPerSecond : Double.MAX_VALUE;
        return Math.min(Double.MAX_VALUE, seconds * division.dominantShare(participant, job.minimum()));
    }
}
