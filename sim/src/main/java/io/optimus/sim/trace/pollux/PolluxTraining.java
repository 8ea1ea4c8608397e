package io.optimus.sim.trace.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.throughput.BatchSplit;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.sim.truth.Training;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The true training of a job according to its model's profile (Pollux, section 5.3).
 *
 * <pre>progress per second = gain of its batch in this epoch / (step + accumulated steps)</pre>
 *
 * <p>The gain is constant within an epoch. A job with a fixed batch keeps it on every size. A job that adapts its
 * batch chooses the best one for its placement from its own measurements: when it gets a placement, when an epoch begins, and
 * once after its first report on the placement.
 *
 * <p>The gains determine the number of steps of the epochs. Work is counted in steps of the fixed batch, or of the
 * initial batch if the job adapts its batch.
 */
final class PolluxTraining implements Training {
    /** Pollux's jobs report and choose their batch every 30 seconds (section 4.3). */
    private static final double REPORT_SECONDS = 30;

    /** Rounding would change shorter epochs too much. */
    private static final double SHORTEST_ROUNDED_SECONDS = 1;

    private final Profile profile;
    private final OptionalInt batch;
    private final SelfObservation self;
    private final PolluxProgress work;

    private List<Integer> replicasByNode = List.of();
    private int replicas;
    private Optional<BatchSplit> split = Optional.empty();
    private double part = 1;
    private int epoch;
    private double progress;
    private double secondsToReport;

    /**
     * Prepares the training of one job.
     *
     * @param batch fixed batch; empty if the job adapts its batch
     * @param self measurements of the job
     */
    PolluxTraining(Profile profile, OptionalInt batch, SelfObservation self) {
        this.profile = profile;
        this.batch = batch;
        this.self = self;
        this.work = new PolluxProgress(profile, batch);
    }

    @Override
    public void place(Placement placement) {
        replicasByNode = placement.byNode().values().stream()
                .map(Allocation::workers)
                .filter(workers -> workers > 0)
                .toList();
        replicas = replicasByNode.stream().mapToInt(Integer::intValue).sum();
        choose();
        secondsToReport = REPORT_SECONDS;
    }

    private void choose() {
        split = replicas == 0 ? Optional.empty() : chosen();
    }

    private Optional<BatchSplit> chosen() {
        Optional<BatchSplit> best = batch.isPresent()
                ? Optional.empty()
                : self.goodput().flatMap(goodput -> goodput.batch(replicasByNode.size(), replicas));
        return best.or(() -> profile.split(batch, replicas));
    }

    @Override
    public void slow(double newPart) {
        part = newPart;
    }

    /** The speed of the job on its placement, with its batch, in its epoch. */
    private record Pace(BatchSplit split, StepTime time, GradientNoise noise, double progressPerSecond) {}

    private Optional<Pace> pace() {
        return ended() ? Optional.empty() : split.map(this::pace);
    }

    private Pace pace(BatchSplit chosen) {
        StepTime time = profile.stepTimes().at(replicasByNode, chosen.atomicBatch());
        double total = chosen.totalBatch(replicas);
        GradientNoise noise = profile.epochs().noise(epoch, total);
        double gain = noise.gain(total / profile.batches().initialBatch());
        return new Pace(chosen, time, noise, part * gain / time.updateSeconds(chosen.accumulatedSteps()));
    }

    private double progressPerSecond() {
        return pace().map(Pace::progressPerSecond).orElse(0.0);
    }

    @Override
    public double stepsPerSecond() {
        return progressPerSecond() / work.progressPerStep(epoch);
    }

    @Override
    public double remainingSteps() {
        return ended() ? 0 : work.steps(epoch, profile.epochs().begin(epoch + 1) - progress);
    }

    double doneSteps() {
        return work.total() - remainingSteps();
    }

    double stepsPerEpoch() {
        return work.total() / profile.epochs().count();
    }

    /** Returns the present epoch, counted from 0; after the end, the number of epochs. */
    int epoch() {
        return epoch;
    }

    /** Returns the steps of the epochs that have not begun, at least 1, as the published oracle does. */
    double stepsAfterThisEpoch() {
        int initial = profile.batches().initialBatch();
        return ended() ? 0 : Math.max(1, profile.epochs().stepsAfter(epoch, batch.orElse(initial)));
    }

    @Override
    public double secondsToNextChange() {
        double speed = progressPerSecond();
        if (speed == 0) {
            return Double.POSITIVE_INFINITY;
        }
        return Math.min(secondsToEpochEnd(speed), batch.isPresent() ? Double.POSITIVE_INFINITY : secondsToReport);
    }

    /** Rounds to the nearest second, as the published simulator does, unless epochs are too short for that. */
    private double secondsToEpochEnd(double progressPerSecond) {
        double begin = profile.epochs().begin(epoch);
        double end = profile.epochs().begin(epoch + 1);
        double seconds = (end - progress) / progressPerSecond;
        return (end - begin) / progressPerSecond < SHORTEST_ROUNDED_SECONDS ? seconds : Math.max(0, Math.rint(seconds));
    }

    @Override
    public void run(double seconds) {
        pace().ifPresent(pace -> run(seconds, pace));
    }

    private void run(double seconds, Pace pace) {
        self.stepped(replicasByNode.size(), replicas, pace.split(), pace.time(), pace.noise());
        boolean reports = seconds >= secondsToReport;
        secondsToReport = reports ? Double.POSITIVE_INFINITY : secondsToReport - seconds;
        if (seconds >= secondsToEpochEnd(pace.progressPerSecond())) {
            double loss = profile.epochs().loss(epoch, (double) pace.split().totalBatch(replicas));
            epoch++;
            progress = profile.epochs().begin(epoch);
            self.validated(new LossPoint(Math.round(doneSteps()), loss));
            secondsToReport = REPORT_SECONDS;
            choose();
        } else {
            progress = Math.min(profile.epochs().begin(epoch + 1), progress + seconds * pace.progressPerSecond());
            if (reports) {
                report();
            }
        }
    }

    private void report() {
        Optional<BatchSplit> before = split;
        choose();
        if (!split.equals(before)) {
            secondsToReport = REPORT_SECONDS;
        }
    }

    @Override
    public boolean ended() {
        return epoch >= profile.epochs().count();
    }
}
