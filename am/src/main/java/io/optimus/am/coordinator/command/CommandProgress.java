package io.optimus.am.coordinator.command;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.progress.AccuracyTarget;
import io.optimus.am.progress.ReportedEpochs;
import io.optimus.am.progress.SpeedMeter;
import io.optimus.am.wire.Message.CommandReport;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What commands report of their training: losses, epochs, speed and further figures.
 *
 * <p>Only one worker's reports count, since all may print the same: those of the first to report, until it falls silent.
 * After a restart the steps may go back to the commands' last checkpoint.
 */
final class CommandProgress {
    /** After that another worker's reports count; torchrun may have given the first rank to it. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final CommandSettings settings;
    private final CoordinatorListener listener;
    private final SpeedMeter speed;
    private final AccuracyTarget accuracy;
    private Allocation allocation = Allocation.NONE;
    private @Nullable TaskId reporter;
    private long heardNanos;
    private boolean firstOfMembership;
    /** Whether no report has come since the take-over. The first may be of a worker that is behind the others: no step back. */
    private boolean takenOver;

    private boolean reported;
    private boolean warned;
    /** The steps that were done by the last report; −1 before the first one. */
    private long last = -1;

    /** Whether the last step has a loss. Further lines about it may have other figures. */
    private boolean lossOfLast;

    private OptionalDouble recentLoss = OptionalDouble.empty();
    private final ReportedEpochs epochs = new ReportedEpochs();

    CommandProgress(CommandSettings settings, CoordinatorListener listener) {
        this.settings = settings;
        this.listener = listener;
        this.speed = new SpeedMeter(settings.timing().speedWindowMillis());
        this.accuracy = new AccuracyTarget(settings.targetAccuracy());
    }

    /** Commands run in a new membership. */
    void begin(Allocation members) {
        allocation = members;
        speed.begin(members);
        reporter = null;
        firstOfMembership = true;
        takenOver = false;
    }

    /** Some members were lost with the coordinator, and {@code members} go on without them. */
    void goOnWith(Allocation members) {
        allocation = members;
        speed.begin(members);
    }

    /** Commands of an earlier attempt go on. The last step that they printed is {@code step}; 0 if they printed none. */
    void goOn(Allocation members, long step) {
        begin(members);
        firstOfMembership = false;
        reported = step > 0;
        takenOver = reported;
        last = reported ? step : -1;
    }

    /** The commands end, or the membership changes. */
    void end() {
        speed.end().ifPresent(listener::speed);
    }

    /** Whether anything was ever reported. */
    boolean hasReported() {
        return reported;
    }

    /**
     * A worker has reported.
     *
     * @param nowNanos the coordinator's clock
     * @return why training should end; empty if it should go on, or if another worker's reports count
     */
    Optional<StopRule.Stop> take(TaskId worker, CommandReport report, long nowNanos) {
        if (!worker.equals(reporter) && reporter != null && nowNanos - heardNanos < SILENCE_NANOS) {
            return Optional.empty();
        }
        if (!worker.equals(reporter)) {
            // Clocks of two tasks cannot be compared.
            speed.begin(allocation);
        }
        reporter = worker;
        heardNanos = nowNanos;
        goBackTo(report.step());
        if (report.step() != last) {
            last = report.step();
            lossOfLast = false;
            reported = true;
            speed.applied((double) last, report.nanos()).ifPresent(listener::speed);
        }
        boolean epochsEnded = epochs.add(report.epoch(), newLoss(report));
        if (!report.values().isEmpty()) {
            listener.reported(new ProgramReport(last, (int) epochs.epoch(), report.values()));
        }
        Optional<StopRule.Stop> byLoss = epochsEnded ? settings.stop().stop(epochs.means()) : Optional.empty();
        return byLoss.or(() -> accuracy.stop(report.values(), "the command", "step " + report.step()));
    }

    /** A restarted command goes on from its checkpoint; a new attempt does not know what was reported before. */
    private void goBackTo(long step) {
        boolean unknown = !reported && settings.attempt() > 1;
        boolean back = step < last || (firstOfMembership && step == last);
        firstOfMembership = false;
        if (takenOver) {
            takenOver = false;
            last = Math.min(last, step - 1);
            return;
        }
        if (!unknown && !back) {
            return;
        }
        listener.steppedBack(unknown ? step : last, step);
        last = step - 1;
        epochs.stepBack();
        speed.begin(allocation);
    }

    /** The loss of a step, once. */
    private OptionalDouble newLoss(CommandReport report) {
        if (report.loss().isEmpty() || lossOfLast) {
            return OptionalDouble.empty();
        }
        double loss = report.loss().getAsDouble();
        if (!Double.isFinite(loss)) {
            if (!warned) {
                warned = true;
                listener.warned("The command reports a loss of " + loss + " in step " + report.step()
                        + ", which is no finite number: lower its learning rate");
            }
            return OptionalDouble.empty();
        }
        lossOfLast = true;
        recentLoss = report.loss();
        listener.loss(new LossPoint(report.step(), loss));
        return report.loss();
    }

    /** The number of steps done, as far as they were reported. */
    long step() {
        return Math.max(0, last);
    }

    OptionalDouble finalLoss() {
        OptionalDouble mean = epochs.last();
        return mean.isPresent() ? mean : recentLoss;
    }

    Progress progress() {
        double epoch = epochs.epoch();
        return new Progress(
                step(), epoch, epoch > 0 ? step() / epoch : 0, recentLoss, speed.stepsPerSecond(), Optional.empty());
    }
}
