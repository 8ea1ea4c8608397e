package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueuedJob;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.truth.Training;
import io.optimus.sim.truth.WorkStage;
import java.util.List;

/**
 * A job between its arrival and its end. Its training is computed lazily, when its state is read.
 *
 * <p>Its training and its reports are as on GPUs of speed 1; on faster GPUs its time runs faster.
 */
final class ActiveJob {
    /** An ApplicationMaster measures a speed over at least this time and at least {@link #SAMPLE_STEPS} steps. */
    private static final double SAMPLE_SECONDS = 5;

    private static final double SAMPLE_STEPS = 3;

    private final SimulatedJob job;
    private final Training training;
    private final Knowledge knowledge;
    private final ResizePause.OfJob pauses;
    private final double initialSteps;
    private final List<WorkStage> stages;
    private final double jobSecondsBefore;
    private final JobAccounting accounting;

    private Placement placement = Placement.NONE;
    private Proposal inForce = Proposal.of(Placement.NONE);
    private double gpuSpeed = 1;
    private Allocation trainsOn = Allocation.NONE;
    /** The time up to which its training is computed; later than now while it pauses. */
    private double trainedUntil;

    private long speedInterval;
    private long moves;

    /**
     * A job that has just arrived.
     *
     * @param jobSeconds number of active jobs until now, summed over time
     */
    ActiveJob(SimulatedJob job, SimulatedJob.Begun begun, ResizePause.OfJob pauses, double jobSeconds) {
        this.job = job;
        this.stages = begun.stages();
        this.jobSecondsBefore = jobSeconds;
        this.training = begun.training();
        this.knowledge = begun.knowledge();
        this.pauses = pauses;
        this.initialSteps = training.remainingSteps();
        this.trainedUntil = job.arrivalSeconds();
        this.accounting = new JobAccounting(job.arrivalSeconds());
    }

    /**
     * Goes on with a job that was there before the simulation began.
     *
     * @param start its state now
     * @param onGpusOfSpeed speed of its slowest GPU
     */
    void resume(double nowSeconds, QueuedJob start, double onGpusOfSpeed) {
        placement = start.job().current();
        inForce = start.inForce();
        gpuSpeed = onGpusOfSpeed;
        trainsOn = start.job().trainsOn();
        boolean pauses = isRunning() && !trainsOn.equals(placement.allocation());
        trainedUntil = nowSeconds + (pauses ? pauseSeconds() : 0);
        accounting.resume(nowSeconds, start.job().history(), placement.allocation());
        training.place(placement);
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

    JobAccounting accounting() {
        return accounting;
    }

    Placement placement() {
        return placement;
    }

    /** The tasks that it last trained with; none if it has lost all its tasks. */
    Allocation trainsOn() {
        return trainsOn;
    }

    /** The seconds that it pauses when its tasks change. */
    double pauseSeconds() {
        return pauses.resizeSeconds();
    }

    /** Steps that remained when it arrived. */
    double initialSteps() {
        return initialSteps;
    }

    /** The number of its present interval of constant speed. */
    long speedInterval() {
        return speedInterval;
    }

    /** The number of changes of its tasks. */
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
        return job.demand().resources(placement.allocation());
    }

    void advance(double nowSeconds) {
        double seconds = Math.min((nowSeconds - trainedUntil) * gpuSpeed, training.secondsToNextChange());
        if (seconds > 0 && isRunning()) {
            training.run(seconds);
            trainsOn = placement.allocation();
        }
        trainedUntil = Math.max(trainedUntil, nowSeconds);
    }

    /** Trains up to {@code nowSeconds} and reports; returns whether its speed was measured on a size for the first time. */
    boolean report(double nowSeconds) {
        advance(nowSeconds);
        return knowledge.observe();
    }

    /** Trains up to its next change of speed, which happens now. */
    void advanceToChange(double nowSeconds) {
        training.run(training.secondsToNextChange());
        trainsOn = placement.allocation();
        trainedUntil = nowSeconds;
        speedInterval++;
    }

    /** The time of its next change of speed or its end, if its tasks stay; infinite while it has no tasks. */
    double nextChangeSeconds() {
        return isRunning() ? trainedUntil + training.secondsToNextChange() / gpuSpeed : Double.POSITIVE_INFINITY;
    }

    /** The time at which its speed on its tasks will be measured, if they stay; infinite while it has no tasks. */
    double measuredSeconds() {
        double sample = Math.max(SAMPLE_SECONDS, SAMPLE_STEPS / (gpuSpeed * training.stepsPerSecond()));
        return isRunning() ? trainedUntil + sample : Double.POSITIVE_INFINITY;
    }

    /**
     * Gives the job other tasks; it must have trained up to now.
     *
     * @param onGpusOfSpeed speed of its slowest GPU
     */
    void move(double nowSeconds, Placement to, double onGpusOfSpeed) {
        double next = accounting.started() ? pauses.resizeSeconds() : pauses.startSeconds();
        double pause = to.byNode().isEmpty() ? 0 : next;
        accounting.move(nowSeconds, to.allocation(), Math.max(0, trainedUntil - nowSeconds), pause);
        placement = to;
        gpuSpeed = onGpusOfSpeed;
        trainedUntil = nowSeconds + pause;
        training.place(to);
        training.slow(1);
        if (!isRunning()) {
            trainsOn = Allocation.NONE;
        }
        moves++;
        speedInterval++;
    }

    /** Whether the scheduler may make it smaller: its owner lets it, and it has run for as long as its owner asked. */
    boolean mayShrink(double nowSeconds) {
        SchedulingTerms terms = job.submission().terms();
        double ranSeconds = accounting.started() ? nowSeconds - accounting.startSeconds() : 0;
        return terms.preemptible() && ranSeconds >= terms.minRunSeconds();
    }

    /** Sets the part of its speed that it keeps: below 1 while it has a straggler, else 1. */
    void slow(double nowSeconds, double part) {
        advance(nowSeconds);
        training.slow(part);
        speedInterval++;
    }

    /** The proposal of the last plan. */
    Proposal inForce() {
        return inForce;
    }

    void inForce(Proposal proposal) {
        inForce = proposal;
    }

    /**
     * The result of a job that has ended.
     *
     * @param jobSeconds number of active jobs until now, summed over time
     */
    JobOutcome outcome(double nowSeconds, double jobSeconds, SimulationSetup setup) {
        double seconds = nowSeconds - job.arrivalSeconds();
        double jobs = seconds > 0 ? (jobSeconds - jobSecondsBefore) / seconds : 1;
        return new JobOutcome(
                job.id(),
                job.model(),
                new JobOutcome.Times(
                        job.arrivalSeconds(),
                        accounting.startSeconds(),
                        nowSeconds,
                        accounting.longestWaitSeconds(),
                        accounting.pausedSeconds()),
                accounting.resizes(),
                accounting.workerSeconds(nowSeconds)
                        * job.demand().workers().task().amount(Resources.GPUS),
                EqualShare.seconds(job, stages, setup.capacity(), Math.max(1, jobs)) / setup.meanGpus(),
                accounting.largest());
    }
}
