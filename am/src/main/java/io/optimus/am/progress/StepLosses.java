package io.optimus.am.progress;

import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.throughput.GradientNoise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The losses of a job's steps, each counted exactly once: as loss points, as means of epochs, for the stop rule, and as
 * progress in steps of the initial batch. Loss points count in these steps too; with a fixed batch they are the steps.
 *
 * <p>A step belongs to the epoch that its first sample lies in. While a synchronous step may be taken back, since only some
 * servers have applied it, its loss is {@code open}: it counts when a later step is reported or the step is settled.
 */
public final class StepLosses {
    /** Checkpoints to keep the losses for. One whose shards arrive later than that is discarded. */
    private static final int KEPT_STATES = 64;

    private final StepSamples samples;
    private final boolean lastMayBeUndone;
    private final long reportNanos;
    private final long keepEverySteps;
    private final Function<List<Double>, Optional<StopRule.Stop>> stop;
    private final Consumer<LossPoint> points;

    private List<Double> epochLosses = new ArrayList<>();
    private double epochSum;
    private long epochSteps;
    private double progress;
    /** The steps before this one are in the progress. */
    private long counted;

    private long next;
    private long certainBefore;
    private OptionalDouble open = OptionalDouble.empty();
    private final TreeMap<Long, State> kept = new TreeMap<>();
    private long keepBefore = -1;

    private double pointSum;
    private long pointSteps;
    private long pointNanos = Long.MIN_VALUE;
    private OptionalDouble recent = OptionalDouble.empty();
    private Optional<StopRule.Stop> reason = Optional.empty();
    /** The step before which the losses gave the reason. */
    private OptionalLong decidedBefore = OptionalLong.empty();

    private OptionalLong diverged = OptionalLong.empty();

    /**
     * The losses before one step, as a checkpoint keeps them.
     *
     * @param step the next step
     * @param epochLosses mean losses of the epochs that have ended
     * @param epochSum sum of the losses of the current epoch
     * @param epochSteps number of steps in that sum
     * @param trained what the steps before have trained on; null in checkpoints of builds that did not change the batch, whose
     *     steps all had the initial one
     * @param decidedBefore the step before which these losses were found to end training; null while they were not
     */
    public record State(
            long step,
            List<Double> epochLosses,
            double epochSum,
            long epochSteps,
            @Nullable Trained trained,
            @Nullable Long decidedBefore) {
        /** The state before the first step. */
        public static final State START = new State(0, List.of(), 0, 0, null, null);

        public State {
            epochLosses = List.copyOf(epochLosses);
        }

        /** The steps of the initial batch that the steps before are worth. */
        public double progress() {
            return trained == null ? step : trained.progress();
        }
    }

    /**
     * What some steps have trained on.
     *
     * @param position the number of their samples
     * @param batch the samples of the next one, as far as it was decided
     * @param progress the steps of the initial batch that they are worth
     * @param noise the gradient's noise; null if it was not measured
     */
    public record Trained(long position, int batch, double progress, @Nullable GradientNoise noise) {}

    /**
     * Begins at step 0.
     *
     * @param samples the samples of each step
     * @param keepEverySteps steps between two checkpoints
     * @param reportMillis time between two loss points; 0: one for each step
     * @param mayBeUndone whether the last step reported may be taken back
     * @param stop decides from the mean losses of the epochs that have ended
     * @param points takes loss points
     */
    public StepLosses(
            StepSamples samples,
            long keepEverySteps,
            long reportMillis,
            boolean mayBeUndone,
            Function<List<Double>, Optional<StopRule.Stop>> stop,
            Consumer<LossPoint> points) {
        this.samples = samples;
        this.keepEverySteps = keepEverySteps;
        this.reportNanos = reportMillis * 1_000_000;
        this.lastMayBeUndone = mayBeUndone;
        this.stop = stop;
        this.points = points;
    }

    /** Takes the losses of consecutive steps. Those that are known already are ignored. */
    public void add(long first, double[] losses, long nowNanos) {
        for (int i = (int) Math.max(0, next - first); i < losses.length; i++) {
            if (open.isPresent()) {
                count(next - 1, open.getAsDouble(), nowNanos);
            }
            open = OptionalDouble.of(losses[i]);
            next = first + i + 1;
            if (!lastMayBeUndone || next <= certainBefore) {
                countOpen(nowNanos);
            }
        }
    }

    /** The steps before {@code step} count for good, and the others do not. */
    public void settledAt(long step, long nowNanos) {
        certainBefore = step;
        if (next > step) {
            open = OptionalDouble.empty();
            next = step;
        }
        countOpen(nowNanos);
    }

    /** Goes back to the losses of a checkpoint. */
    public void restore(State state) {
        epochLosses = new ArrayList<>(state.epochLosses);
        epochSum = state.epochSum;
        epochSteps = state.epochSteps;
        progress = state.progress();
        next = state.step;
        counted = state.step;
        Trained trained = state.trained;
        if (trained == null) {
            samples.restore(next, Math.multiplyExact(next, (long) samples.initialBatch()), samples.initialBatch());
        } else {
            samples.restore(next, trained.position(), trained.batch());
            if (trained.noise() != null) {
                samples.measured(trained.noise());
            }
        }
        certainBefore = state.step;
        open = OptionalDouble.empty();
        kept.clear();
        pointSum = 0;
        pointSteps = 0;
        reason = epochLosses.isEmpty() ? Optional.empty() : stop.apply(state.epochLosses);
        // A job that resumes another one may have another rule.
        Long decided = state.decidedBefore;
        decidedBefore = reason.isPresent() && decided != null ? OptionalLong.of(decided) : OptionalLong.empty();
    }

    private void decideBefore(long step) {
        if (reason.isEmpty()) {
            reason = stop.apply(List.copyOf(epochLosses));
            decidedBefore = reason.isPresent() ? OptionalLong.of(step) : OptionalLong.empty();
        }
    }

    private void countOpen(long nowNanos) {
        if (open.isPresent()) {
            double loss = open.getAsDouble();
            open = OptionalDouble.empty();
            count(next - 1, loss, nowNanos);
        }
    }

    private void count(long step, double loss, long nowNanos) {
        if (!Double.isFinite(loss) && diverged.isEmpty()) {
            diverged = OptionalLong.of(step);
        }
        leaveOutBefore(step);
        epochSum += loss;
        epochSteps++;
        double before = progress;
        progress += samples.worth(counted++);
        long ended = samples.endedBefore(step + 1) - samples.endedBefore(step);
        if (ended > 0) {
            epochLosses.addAll(Collections.nCopies(Math.toIntExact(ended), epochSum / epochSteps));
            epochSum = 0;
            epochSteps = 0;
            decideBefore(step + 1);
        }
        if ((step + 1) % keepEverySteps == 0 || step + 1 == keepBefore) {
            kept.put(step + 1, state(step + 1));
            if (kept.size() > KEPT_STATES) {
                kept.pollFirstEntry();
            }
        }
        point((long) before, loss, nowNanos);
    }

    /** Whoever knew the losses of the steps before {@code step} was lost before it told them. */
    private void leaveOutBefore(long step) {
        if (counted == step) {
            return;
        }
        long ended = samples.endedBefore(step) - samples.endedBefore(counted);
        while (counted < step) {
            progress += samples.worth(counted++);
        }
        for (long epoch = 0; epoch < ended; epoch++) {
            epochLosses.add(epochSteps == 0 ? Double.NaN : epochSum / epochSteps);
            epochSum = 0;
            epochSteps = 0;
        }
        if (ended > 0) {
            decideBefore(step);
        }
    }

    private void point(long step, double loss, long nowNanos) {
        pointSum += loss;
        pointSteps++;
        if (pointNanos == Long.MIN_VALUE || nowNanos - pointNanos >= reportNanos) {
            recent = OptionalDouble.of(pointSum / pointSteps);
            points.accept(new LossPoint(step, recent.getAsDouble()));
            pointSum = 0;
            pointSteps = 0;
            pointNanos = nowNanos;
        }
    }

    private State state(long step) {
        Trained trained = new Trained(
                samples.position(step),
                samples.batch(step),
                progress,
                samples.noise().orElse(null));
        Long decided = decidedBefore.isPresent() ? decidedBefore.getAsLong() : null;
        return new State(step, epochLosses, epochSum, epochSteps, trained, decided);
    }

    /** The losses before {@code step}; empty if not all are known yet, or they were not kept. */
    public Optional<State> before(long step) {
        if (step == next && open.isEmpty()) {
            return Optional.of(state(step));
        }
        return Optional.ofNullable(kept.get(step));
    }

    /** Keeps the losses before {@code step}, a later one, for a checkpoint. */
    public void keepBefore(long step) {
        keepBefore = step;
    }

    /** The losses of all steps that cannot be taken back. */
    public State certain() {
        return state(open.isPresent() ? next - 1 : next);
    }

    /** The losses of all steps that were reported. */
    public State stateNow() {
        return state(next);
    }

    /** The number of steps that were reported, which is the next step. */
    public long step() {
        return next;
    }

    /** The steps of the initial batch that the steps so far are worth. */
    public double progress() {
        return open.isEmpty() ? progress : progress + samples.worth(next - 1);
    }

    /** Passes over the training samples so far. */
    public double epochs() {
        return samples.passesBefore(next);
    }

    /** The number of epochs that have ended, as far as their losses are certain. */
    public int endedEpochs() {
        return epochLosses.size();
    }

    /** Steps of the initial batch in an epoch. */
    public double stepsPerEpoch() {
        return samples.stepsPerEpoch();
    }

    /**
     * Steps of the initial batch that an epoch is worth, averaged over all {@code epochs}: those so far at their batches, and the
     * rest at the present one. Example: half of 4 epochs was worth 20 steps, and the rest is worth 8 an epoch: 9.
     *
     * @param epochs the epochs of the training, 1 or more
     */
    public double stepsPerEpoch(int epochs) {
        double left = Math.max(0, epochs - epochs());
        return (progress() + left * samples.stepsPerEpochFrom(next)) / epochs;
    }

    public OptionalDouble recentLoss() {
        return recent;
    }

    /** The mean loss of the last full epoch, or of all steps before the first one ended; empty before the first step. */
    public OptionalDouble finalLoss() {
        Optional<Double> last = epochLosses.stream().filter(Double::isFinite).reduce((earlier, later) -> later);
        if (last.isPresent()) {
            return OptionalDouble.of(last.get());
        }
        return epochSteps > 0 ? OptionalDouble.of(epochSum / epochSteps) : OptionalDouble.empty();
    }

    /** Why training should end; empty while it should go on. */
    public Optional<StopRule.Stop> stopReason() {
        return reason;
    }

    /**
     * The step before which the losses were found to end training; empty while it should go on, and where the losses of another job
     * end it.
     */
    public OptionalLong decidedBefore() {
        return decidedBefore;
    }

    /** The first step whose loss was not a finite number, if any. */
    public OptionalLong divergedAt() {
        return diverged;
    }
}
