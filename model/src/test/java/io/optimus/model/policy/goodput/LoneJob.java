package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.exploration.ExpectedImprovement;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** A job that is alone on a cluster: it begins with a typical speed and is measured on every size that the policy gives it. */
final class LoneJob {
    private static final double ROUND_SECONDS = 60;

    private final SpeedForm form;
    private final SpeedFunction truth;
    private final Allocation most;
    private final double pauseSeconds;
    private final ExpectedImprovement improvement;
    private final ClusterSnapshot cluster;
    private final TreeMap<Allocation, Double> measured = new TreeMap<>();
    private Allocation held = Allocation.NONE;
    private boolean trying;
    private int moves;
    private int tried;
    private int lastTrial;

    /** Creates a job of sizes up to {@code most}, whose resizes take {@code pauseSeconds}. */
    LoneJob(SpeedForm form, SpeedFunction truth, Allocation most, double pauseSeconds) {
        this.form = form;
        this.truth = truth;
        this.most = most;
        this.pauseSeconds = pauseSeconds;
        this.improvement = new ExpectedImprovement(new SizeRange(new Allocation(1, 1), most));
        this.cluster = Clusters.ofGpus(1, most.workers());
    }

    /** Runs the job to its end, which is this many hours away on its first size. */
    LoneJob run(double hours) {
        OptionalDouble remaining = OptionalDouble.empty();
        for (int round = 0; round == 0 || remaining.getAsDouble() > 0; round++) {
            Decided decided = new MarginalGoodputPolicy()
                    .allocate(cluster, List.of(snapshot(round * ROUND_SECONDS, remaining)))
                    .job("a");
            moveTo(decided, round);
            double stepsPerSecond = truth.stepsPerSecond(held);
            measured.put(held, stepsPerSecond);
            double before = remaining.orElse(stepsPerSecond * hours * 3600);
            remaining = OptionalDouble.of(before - stepsPerSecond * ROUND_SECONDS);
        }
        return this;
    }

    private JobSnapshot snapshot(double ageSeconds, OptionalDouble remaining) {
        ExpectedSpeed expected = new ExpectedSpeed(form, MeasuredSizes.of(measured));
        Running running =
                new Running(held, Optional.of(held).filter(size -> trying), ageSeconds, pauseSeconds, ROUND_SECONDS);
        Jobs job = Jobs.resnet("a")
                .servers(Jobs.SERVER, 1, most.parameterServers())
                .workers(Jobs.WORKER, 1, most.workers())
                .speed(expected.function())
                .remaining(remaining)
                .exploration(improvement.next(expected, Set.of(), remaining, running, size -> true))
                .resizeCost(pauseSeconds)
                .history(new JobHistory(ageSeconds, 0, moves, held));
        return held.isNone()
                ? job.snapshot()
                : job.on(Clusters.on(0, held.parameterServers(), held.workers()))
                        .snapshot();
    }

    private void moveTo(Decided decided, int round) {
        trying = decided.exploring();
        if (!decided.allocation().equals(held)) {
            moves++;
            tried += trying ? 1 : 0;
            lastTrial = trying ? round : lastTrial;
        }
        held = decided.allocation();
    }

    /** Returns its last speed as a part of the speed on its best size. */
    double partOfFastest() {
        double fastest = 0;
        for (int p = 1; p <= most.parameterServers(); p++) {
            for (int w = 1; w <= most.workers(); w++) {
                fastest = Math.max(fastest, truth.stepsPerSecond(new Allocation(p, w)));
            }
        }
        return truth.stepsPerSecond(held) / fastest;
    }

    /** Returns the number of sizes that it ran on only to try them. */
    int tried() {
        return tried;
    }

    /** Returns the round in which it began its last trial. */
    int lastTrial() {
        return lastTrial;
    }

    @Override
    public String toString() {
        return truth + " on " + held + ", of " + measured.keySet();
    }
}
