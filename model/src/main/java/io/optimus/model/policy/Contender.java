package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.policy.AllocationReason.Growth;
import io.optimus.model.policy.AllocationReason.GrowthEnd;
import io.optimus.model.speed.SpeedFunction;
import org.jspecify.annotations.Nullable;

/** One job while a round divides: what it has so far, what it would take next, what that would gain it. */
final class Contender {
    /** Estimates of jobs with few points are poor: their gain counts a little less (Optimus, section 4.1). */
    private static final double YOUNG = 0.95;
    /** Share of a task that asks for nothing: keeps the gain finite. */
    private static final double LEAST_SHARE = 1e-9;

    final JobSnapshot job;
    final long[] serverTask;
    final long[] workerTask;
    final int serverShape;
    final int workerShape;
    private final double serverShare;
    private final double workerShare;

    int servers;
    int workers;
    /** What it has before anybody grows: its minimum, or what it may not give up. */
    Allocation sure = Allocation.NONE;

    boolean waits;
    /** A role without room stays so: what is left only becomes less. */
    boolean serversClosed;

    boolean workersClosed;
    double remainingSteps = Double.NaN;
    double assumedSeconds = Double.NaN;

    int nextServers;
    int nextWorkers;
    double nextGain;
    double nextSaved;

    AllocationReason.@Nullable Lack lack;

    @Nullable
    Role lackOf;

    @Nullable
    Growth last;

    @Nullable
    AllocationReason reason;

    Contender(
            JobSnapshot job,
            long[] serverTask,
            long[] workerTask,
            int serverShape,
            int workerShape,
            double serverShare,
            double workerShare) {
        this.job = job;
        this.serverTask = serverTask;
        this.workerTask = workerTask;
        this.serverShape = serverShape;
        this.workerShape = workerShape;
        this.serverShare = Math.max(serverShare, LEAST_SHARE);
        this.workerShare = Math.max(workerShare, LEAST_SHARE);
    }

    Allocation allocation() {
        return new Allocation(servers, workers);
    }

    double share() {
        return nextServers * serverShare + nextWorkers * workerShare;
    }

    /** Whether the worker or the ps decides what the next step takes. */
    Role nextRole() {
        return nextWorkers > 0 ? Role.WORKER : Role.PARAMETER_SERVER;
    }

    /**
     * Chooses the next step: the single task with the larger gain a share, or, where none gains, one of both roles
     * together (+1 alone can be worth nothing where both are worth much).
     */
    void chooseNext() {
        nextGain = 0;
        double now = seconds(servers, workers);
        boolean moreServers = !serversClosed && servers < job.parameterServers().max();
        boolean moreWorkers = !workersClosed && workers < job.workers().max();
        if (moreWorkers) {
            offer(0, 1, now);
        }
        if (moreServers) {
            offer(1, 0, now);
        }
        if (nextGain == 0 && moreServers && moreWorkers) {
            offer(1, 1, now);
        }
    }

    private void offer(int moreServers, int moreWorkers, double now) {
        double saved = now - seconds(servers + moreServers, workers + moreWorkers);
        double gain = saved / (moreServers * serverShare + moreWorkers * workerShare) * (job.young() ? YOUNG : 1);
        // Also refuses NaN, of a speed that is not one.
        if (gain > nextGain && Double.isFinite(gain)) {
            nextServers = moreServers;
            nextWorkers = moreWorkers;
            nextGain = gain;
            nextSaved = saved;
        }
    }

    private double seconds(int p, int w) {
        SpeedFunction speed = job.speed().orElseThrow();
        double stepsPerSecond = speed.stepsPerSecond(new Allocation(p, w));
        return stepsPerSecond > 0 ? remainingSteps / stepsPerSecond : Double.POSITIVE_INFINITY;
    }

    /** Why it grows no further. */
    GrowthEnd end() {
        GrowthEnd end;
        if (allocation().equals(job.maximum())) {
            end = new GrowthEnd.AtMaximum();
        } else if (lack != null && lackOf != null) {
            end = new GrowthEnd.NoRoom(lackOf, lack);
        } else {
            end = new GrowthEnd.NoGain();
        }
        return Double.isNaN(assumedSeconds) ? end : new GrowthEnd.Assumed(assumedSeconds, end);
    }
}
