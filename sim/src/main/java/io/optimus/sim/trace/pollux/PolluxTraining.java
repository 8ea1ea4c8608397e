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
 * A job that really goes as a profile says (Pollux, section 5.3).
 *
 * <pre>progress per second = gain of its batch in this epoch / (step + accumulated steps)</pre>
 *
 * <p>The gain is constant within an epoch. A job of a fixed batch keeps it on every size; one that adapts it chooses the best
 * for its placement by what it measured so far: when it gets a placement, when an epoch begins, and once what it measures
 * there has been reported.
 *
 * <p>The number of a job's steps is what its epochs need at these gains. Work is counted in steps of the fixed batch, or, where the batch is adapted, in steps of the initial one.
 */
final class PolluxTraining implements Training {
    /** Pollux's jobs report, and choose their batch, every 30 seconds (section 4.3). */
    private static final double REPORT_SECONDS = 30;

    /** Of an epoch that is shorter, rounding would not leave much. */
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
     * Prepares.
     *
     * @param batch its fixed batch; empty where it is adapted
     * @param self what it measures
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

    /** How the job goes on its placement, with its batch, in its epoch. */
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

    /** Steps done. */
    double doneSteps() {
        return work.total() - remainingSteps();
    }

    /** Steps of an epoch, in the mean. */
    double stepsPerEpoch() {
        return work.total() / profile.epochs().count();
    }

    /** The epoch that it is in, the first one being 0; their number once it ended. */
    int epoch() {
        return epoch;
    }

    /** Steps of the epochs that have not begun, 1 at least: what the published oracle tells. */
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

    /** To the nearest second, as in the simulator that the published figures are from, unless epochs are too short for that. */
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
