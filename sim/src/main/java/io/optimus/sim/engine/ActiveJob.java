package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueuedJob;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.JobHistory;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.speed.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.knowledge.StepsLeft;
import io.optimus.sim.truth.Stage;
import io.optimus.sim.truth.Training;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * A job between its arrival and its end. It trains lazily: up to the time at which somebody looks.
 *
 * <p>What it does and reports is as on GPUs of speed 1; on faster ones its time runs faster.
 */
final class ActiveJob {
    private static final double MILLIS = 1000;

    /** An ApplicationMaster's sample of a speed is of so many seconds and steps at least. */
    private static final double SAMPLE_SECONDS = 5;

    private static final double SAMPLE_STEPS = 3;

    private final SimulatedJob job;
    private final Training training;
    private final Knowledge knowledge;
    private final double pauseSeconds;
    private final double initialSteps;
    private final List<Stage> stages;
    private final double jobSecondsBefore;

    private Placement placement = Placement.NONE;
    private Proposal inForce = new Proposal(Placement.NONE, "", false);
    private double gpuSpeed = 1;
    private Allocation trainsOn = Allocation.NONE;
    private Allocation largest = Allocation.NONE;
    /** It has trained up to here; later than now while it pauses. */
    private double trainedUntil;

    private double heldSince;
    private double workerSeconds;
    private double pausedSeconds;
    private double waitsSince;
    private double longestWaitSeconds;
    private double startSeconds = Double.NaN;
    private int resizes;
    private long stretch;
    private long moves;

    /**
     * That just arrived.
     *
     * @param jobSeconds active jobs until now, summed over time
     */
    ActiveJob(SimulatedJob job, SimulatedJob.Begun begun, double pauseSeconds, double jobSeconds) {
        this.job = job;
        this.stages = begun.stages();
        this.jobSecondsBefore = jobSeconds;
        this.training = begun.training();
        this.knowledge = begun.knowledge();
        this.pauseSeconds = pauseSeconds;
        this.initialSteps = training.remainingSteps();
        this.trainedUntil = job.arrivalSeconds();
        this.heldSince = job.arrivalSeconds();
        this.waitsSince = job.arrivalSeconds();
    }

    SimulatedJob job() {
        return job;
    }

    Training training() {
        return training;
    }

    Knowledge knowledge() {
        return knowledge;
    }

    Placement placement() {
        return placement;
    }

    /** Number of the stretch of unchanging speed that it is in. */
    long stretch() {
        return stretch;
    }

    /** How often its tasks changed. */
    long moves() {
        return moves;
    }

    boolean isRunning() {
        return !placement.byNode().isEmpty();
    }

    boolean isPaused(double nowSeconds) {
        return isRunning() && trainedUntil > nowSeconds;
    }

    Resources held() {
        return job.resources(placement.allocation());
    }

    /** Trains up to {@code nowSeconds}. */
    void advance(double nowSeconds) {
        double seconds = Math.min((nowSeconds - trainedUntil) * gpuSpeed, training.secondsToNextChange());
        if (seconds > 0 && isRunning()) {
            training.run(seconds);
            trainsOn = placement.allocation();
        }
        trainedUntil = Math.max(trainedUntil, nowSeconds);
    }

    /** Trains up to {@code nowSeconds} and reports; whether its speed was measured where it had not been before. */
    boolean report(double nowSeconds) {
        advance(nowSeconds);
        return knowledge.observe();
    }

    /** Trains up to its next change, which is now. */
    void advanceToChange(double nowSeconds) {
        training.run(training.secondsToNextChange());
        trainsOn = placement.allocation();
        trainedUntil = nowSeconds;
        stretch++;
    }

    /** When its speed changes by itself, or it ends, if nothing happens to it before; infinite while it stands still. */
    double nextChangeSeconds() {
        return isRunning() ? trainedUntil + training.secondsToNextChange() / gpuSpeed : Double.POSITIVE_INFINITY;
    }

    /** When its speed on its present tasks is measured, if nothing happens to it before; infinite while it stands still. */
    double measuredSeconds() {
        double sample = Math.max(SAMPLE_SECONDS, SAMPLE_STEPS / (gpuSpeed * training.stepsPerSecond()));
        return isRunning() ? trainedUntil + sample : Double.POSITIVE_INFINITY;
    }

    /** It was advanced to now, and gets these tasks, on GPUs that are so fast. */
    void move(double nowSeconds, Placement to, double onGpusOfSpeed, boolean pausesAtStart) {
        count(nowSeconds);
        boolean first = Double.isNaN(startSeconds);
        if (!isRunning()) {
            longestWaitSeconds = Math.max(longestWaitSeconds, nowSeconds - waitsSince);
        }
        waitsSince = nowSeconds;
        placement = to;
        gpuSpeed = onGpusOfSpeed;
        pausedSeconds -= Math.max(0, trainedUntil - nowSeconds);
        trainedUntil = nowSeconds;
        training.place(to);
        training.slow(1);
        moves++;
        if (isRunning()) {
            double pause = first && !pausesAtStart ? 0 : pauseSeconds;
            trainedUntil += pause;
            pausedSeconds += pause;
            resizes += first ? 0 : 1;
            startSeconds = first ? nowSeconds : startSeconds;
            largest = largest.max(to.allocation());
        } else {
            trainsOn = Allocation.NONE;
        }
        stretch++;
    }

    /** Its speed changed from outside. */
    void slow(double nowSeconds, double part) {
        advance(nowSeconds);
        training.slow(part);
        stretch++;
    }

    /** What the last plan has in mind for it. */
    Proposal inForce() {
        return inForce;
    }

    void inForce(Proposal proposal) {
        inForce = proposal;
    }

    /** Adds up what it held until now. */
    private void count(double nowSeconds) {
        double seconds = nowSeconds - heldSince;
        workerSeconds += seconds * placement.allocation().workers();
        heldSince = nowSeconds;
    }

    /**
     * As the scheduler sees it now.
     *
     * @param fits whether there is room for a size to be explored
     * @param policy that plans it
     * @param roundSeconds between two rounds
     */
    QueuedJob queued(double nowSeconds, Predicate<Allocation> fits, AllocationPolicy policy, double roundSeconds) {
        count(nowSeconds);
        JobHistory history =
                new JobHistory(Math.max(0, nowSeconds - job.arrivalSeconds()), workerSeconds, resizes, largest);
        StepsLeft stepsLeft = knowledge.stepsLeft();
        JobSnapshot snapshot = new JobSnapshot(
                job.id(),
                Math.round(job.arrivalSeconds() * MILLIS),
                0,
                job.parameterServers(),
                job.workers(),
                job.requested(),
                placement,
                trainsOn,
                believedSpeed(policy),
                policy.exploresFirst() || knowledge.speed().isPresent() ? stepsLeft.steps() : OptionalDouble.empty(),
                stepsLeft.trust(),
                knowledge.young(),
                policy.resizes() ? sizeToLearnFrom(nowSeconds, fits, policy, roundSeconds) : Optional.empty(),
                true,
                pauseSeconds,
                history);
        return new QueuedJob(
                snapshot,
                "",
                inForce,
                isPaused(nowSeconds),
                Collections.emptySortedSet(),
                Collections.emptySortedSet());
    }

    private Optional<Allocation> sizeToLearnFrom(
            double nowSeconds, Predicate<Allocation> fits, AllocationPolicy policy, double roundSeconds) {
        if (policy.exploresFirst()) {
            return knowledge.exploration(fits);
        }
        Optional<Allocation> trying = Optional.of(inForce)
                .filter(Proposal::exploring)
                .map(plan -> plan.planned().allocation());
        return knowledge.trial(
                new Running(
                        placement.allocation(), trying, nowSeconds - job.arrivalSeconds(), pauseSeconds, roundSeconds),
                fits);
    }

    private Optional<SpeedFunction> believedSpeed(AllocationPolicy policy) {
        return policy.exploresFirst() ? knowledge.speed() : knowledge.expectedSpeed();
    }

    /** What is believed for {@code policy}, beside the truth. */
    Witness.Belief belief(AllocationPolicy policy) {
        double steps = training.remainingSteps();
        double speed = training.stepsPerSecond();
        double remainingError = (knowledge.stepsLeft().steps().orElse(Double.NaN) - steps) / initialSteps;
        double speedError = believedSpeed(policy)
                                .map(believed -> believed.stepsPerSecond(
                                        placement.allocation(),
                                        placement.byNode().size()))
                                .orElse(Double.NaN)
                        / speed
                - 1;
        double progress = initialSteps > 0 ? Math.min(1, Math.max(0, 1 - steps / initialSteps)) : 1;
        return new Witness.Belief(job.model(), progress, remainingError, speedError);
    }

    /**
     * What became of it.
     *
     * @param jobSeconds active jobs until now, summed over time
     */
    JobOutcome outcome(double nowSeconds, double jobSeconds, Setup setup) {
        count(nowSeconds);
        double seconds = nowSeconds - job.arrivalSeconds();
        double jobs = seconds > 0 ? (jobSeconds - jobSecondsBefore) / seconds : 1;
        return new JobOutcome(
                job.id(),
                job.model(),
                job.arrivalSeconds(),
                startSeconds,
                nowSeconds,
                longestWaitSeconds,
                resizes,
                pausedSeconds,
                workerSeconds * job.workers().task().amount(Resources.GPUS),
                EqualShare.seconds(job, stages, setup.capacity(), Math.max(1, jobs)) / setup.meanGpus(),
                largest);
    }
}
