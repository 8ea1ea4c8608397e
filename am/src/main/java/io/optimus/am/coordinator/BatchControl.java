package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.coordinator.TrainingSettings.Batches;
import io.optimus.am.membership.Membership;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.progress.StepSamples;
import io.optimus.am.progress.StepTimeMeter;
import io.optimus.am.wire.Message;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.ThroughputObservation;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decides the batch of each membership of a job with all-reduce, and when a better batch is worth the pause of a new
 * membership. Collects what the first worker measures for that.
 */
final class BatchControl {
    private final Batches batches;
    private final BatchLimits limits;
    private final StepSamples samples;
    private final BatchChooser chooser;
    private final StepTimeMeter times;
    private final CoordinatorListener listener;
    private int nodes = 1;
    private int workers = 1;
    private boolean stepping;
    private long decideNanos;

    BatchControl(
            Batches batches,
            BatchLimits limits,
            StepSamples samples,
            long timesWindowMillis,
            CoordinatorListener listener) {
        this.batches = batches;
        this.limits = limits;
        this.samples = samples;
        this.chooser = new BatchChooser(batches.spec(), limits);
        this.times = new StepTimeMeter(timesWindowMillis);
        this.listener = listener;
    }

    /** Training goes on from {@code checkpoint}. */
    void restore(SavedCheckpoint checkpoint) {
        StepLosses.Trained trained = checkpoint.losses().trained();
        if (trained != null) {
            chooser.restore(trained.batch(), Optional.ofNullable(trained.noise()));
        }
    }

    /**
     * Decides the batch of a membership.
     *
     * @param onNodes the nodes that its workers are on
     */
    void beginning(Membership membership, int onNodes, long step) {
        nodes = onNodes;
        workers = membership.workers().size();
        int before = samples.batch(step);
        BatchChooser.Choice choice = chooser.choose(nodes, workers);
        samples.change(step, choice.batch());
        if (choice.batch() != before) {
            listener.batchChanged(before, status(step));
        }
    }

    /** In how many more parts than one each worker computes its samples. */
    int accumulate() {
        return chooser.current().accumulate();
    }

    /** The first worker of the current membership has measured steps. */
    void measured(Message.Measured measured) {
        measured.noise().ifPresent(noise -> chooser.add(noise, measured.steps()));
        chooser.noise().ifPresent(samples::measured);
        measured.times()
                .flatMap(mean -> times.add(
                        measured.timedSteps(), mean.atomicBatch(), mean.gradientSeconds(), mean.stepSeconds()))
                .ifPresent(this::timed);
    }

    private void timed(ThroughputObservation means) {
        chooser.add(means);
        listener.stepTimes(means);
    }

    /** Stepping has begun or ended. */
    void stepping(boolean begun, long nanos) {
        stepping = begun;
        if (begun) {
            times.begin(nodes, workers);
            decideNanos = nanos + intervalNanos();
        } else {
            times.end().ifPresent(this::timed);
        }
    }

    /** Whether the current membership should be renewed with another batch. Looks at that once in an interval. */
    boolean wantsAnother(long nanos) {
        if (!stepping || nanos < decideNanos) {
            return false;
        }
        decideNanos = nanos + intervalNanos();
        return chooser.wantsAnother(nodes, workers);
    }

    private long intervalNanos() {
        return TimeUnit.MILLISECONDS.toNanos(batches.decideMillis());
    }

    /** Whether the job adapts its batch. */
    boolean adapts() {
        return batches.spec().adapts();
    }

    /** The batch after {@code updates} steps. */
    CurrentBatch status(long updates) {
        return new CurrentBatch(
                limits, chooser.current().batch(), chooser.current().accumulate(), chooser.noise(), updates);
    }
}
