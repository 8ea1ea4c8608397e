package io.optimus.yarn.metrics;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableRate;

/**
 * The metrics source {@value #NAME}, registered while the scheduler is active. Its first record has the figures of the whole
 * scheduler; {@link TaggedRecords} adds those of steps, reasons, queues and the cluster.
 */
public final class OptimusMetrics implements MetricsSource, AutoCloseable {
    public static final String NAME = "OptimusScheduler";

    private static final MetricsInfo PLAN_AGE =
            Interns.info("PlanAgeMillis", "time since a round last decided on a plan");
    private static final MetricsInfo STEP_AGE =
            Interns.info("StepAgeMillis", "how long the present step of the control loop has run; 0 between steps");
    private static final MetricsInfo JOBS = Interns.info("Jobs", "training jobs registered");
    private static final MetricsInfo UNPLANNED = Interns.info("UnplannedJobs", "jobs that no plan covers yet");
    private static final MetricsInfo WAITING = Interns.info("WaitingJobs", "jobs that the plan gives no task");
    private static final MetricsInfo STARTING =
            Interns.info("StartingJobs", "jobs that the plan gives tasks and that train on none yet");
    private static final MetricsInfo SILENT =
            Interns.info("SilentJobs", "jobs that have not reported for ten intervals, and at least half a minute");
    private static final MetricsInfo LONGEST_SILENCE =
            Interns.info("LongestSilenceMillis", "longest time since the last report of a job");
    private static final MetricsInfo IDLE_GPUS = Interns.info(
            "IdleGpusWhileJobsWait", "GPUs that nobody holds while a job that needs GPUs trains on no task");
    private static final MetricsInfo FITS = Interns.info("Fits", "loss curves fitted to new losses");
    private static final MetricsInfo FIT_FAILURES =
            Interns.info("FitFailures", "fits that threw, so that the beliefs about a job stayed as they were");
    private static final MetricsInfo CURVE_ERROR =
            Interns.info("CurveErrorPercent", "median distance of losses from the fitted curve, of the largest loss");
    private static final MetricsInfo SPEED_ERROR = Interns.info(
            "SpeedFitErrorPercent", "median distance of measured speeds from the fitted function, of the speed");
    private static final MetricsInfo MEMORY_REFUSALS = Interns.info(
            "JobMemoryRefusals", "how often a job was refused, or its tasks were not kept, for lack of memory");
    private static final MetricsInfo UNRECORDED =
            Interns.info("UnrecordedRounds", "rounds and ends of jobs that should have been recorded and were not");

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("yarn");
    private final MutableCounterLong rounds = registry.newCounter("Rounds", "rounds run", 0L);
    private final MutableCounterLong failures = registry.newCounter(
            "RoundFailures", "rounds that threw or exceeded their time budget and changed nothing", 0L);
    private final MutableRate duration = registry.newRate("RoundMillis", "time of a round");
    private final MutableGaugeLong plan = registry.newGauge("Plan", "number of the plan", 0L);
    private final MutableCounterLong changes =
            registry.newCounter("PlanChanges", "jobs that a round gave other tasks than the plan before", 0L);
    private final MutableCounterLong resizes =
            registry.newCounter("Resizes", "resizes that jobs carried out, without their starts", 0L);
    private final MutableCounterLong pauses =
            registry.newCounter("ResizePauseMillis", "time for which jobs did not train because of resizes", 0L);
    private final MutableGaugeInt paused = registry.newGauge("Paused", "1 while rounds are paused", 0);
    private final MutableGaugeInt frozen =
            registry.newGauge("Frozen", "1 while the plan only keeps the tasks of jobs, after a restart", 0);
    private final MutableGaugeInt enforcing =
            registry.newGauge("Enforcing", "1 in mode enforce, 0 in mode advise, in which plans are only advice", 0);
    private final MutableCounterLong graceOverruns = registry.newCounter(
            "GraceOverruns", "containers asked back because a job did not release them in its grace time", 0L);
    private final MutableCounterLong kills =
            registry.newCounter("KilledContainers", "containers ended because a job did not release them", 0L);
    private final MutableCounterLong refusedValues =
            registry.newCounter("RefusedValues", "values of reports that were refused", 0L);
    private final MutableCounterLong refusedCalls =
            registry.newCounter("RefusedCalls", "calls of jobs that were refused", 0L);
    private final MutableGaugeLong memory =
            registry.newGauge("JobBytes", "estimated bytes that the reports of all jobs take in memory", 0L);
    private final MutableCounterLong ended =
            registry.newCounter("CheckedJobs", "jobs that ended as they should and whose predictions were checked", 0L);
    private final MutableCounterLong unpredicted =
            registry.newCounter("UnpredictedJobs", "checked jobs without a predicted end at half of their lives", 0L);
    private final Supplier<List<GpuUse>> gpus;
    private final LongSupplier clockNanos;
    private final StepDurations steps;
    private volatile long decidedNanos;
    private volatile OptionalLong stepSinceNanos = OptionalLong.empty();
    private volatile Map<String, Double> errors = Map.of();
    private volatile JobFigures jobs = JobFigures.NONE;
    private volatile FitFigures fits = FitFigures.NONE;
    private volatile long memoryRefusals;
    private volatile long unrecorded;

    private OptimusMetrics(Supplier<List<GpuUse>> gpus, LongSupplier clockNanos) {
        this.gpus = gpus;
        this.clockNanos = clockNanos;
        this.steps = new StepDurations(clockNanos);
        this.decidedNanos = clockNanos.getAsLong();
    }

    /**
     * Registers a new source; a source that an earlier scheduler of this JVM left is replaced.
     *
     * @param gpus who holds the GPUs of the cluster and of its queues, asked for by the threads of Hadoop's metrics
     */
    public static OptimusMetrics register(Supplier<List<GpuUse>> gpus) {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
        return DefaultMetricsSystem.instance()
                .register(NAME, "The training scheduler's rounds", new OptimusMetrics(gpus, System::nanoTime));
    }

    /** A source of a cluster without GPUs that is not registered, for tests. */
    public static OptimusMetrics unregistered() {
        return unregistered(List::of, System::nanoTime);
    }

    /** The same with GPUs and another clock, in nanoseconds. */
    static OptimusMetrics unregistered(Supplier<List<GpuUse>> gpus, LongSupplier clockNanos) {
        return new OptimusMetrics(gpus, clockNanos);
    }

    /** Takes in a round that has ended. */
    public void round(RoundFigures round) {
        rounds.incr();
        duration.add(round.millis());
        plan.set(round.plan());
        changes.incr(round.changes());
        steps.add(round.steps());
        jobs = round.jobs();
    }

    /** Counts a round that changed nothing because it threw or exceeded its time budget. */
    public void failure() {
        failures.incr();
    }

    /** Notes that a round has decided on a plan, or that there was nothing to plan. */
    public void decided() {
        decidedNanos = clockNanos.getAsLong();
    }

    /** Notes that a step of the control loop begins. */
    public void stepBegins() {
        stepSinceNanos = OptionalLong.of(clockNanos.getAsLong());
    }

    public void stepEnds() {
        stepSinceNanos = OptionalLong.empty();
    }

    /** Sets what the jobs do now. */
    public void jobs(JobFigures now) {
        jobs = now;
    }

    /** Sets how the fits of all jobs go. */
    public void fits(FitFigures now) {
        fits = now;
    }

    public void paused(boolean now) {
        paused.set(now ? 1 : 0);
    }

    /** Sets whether the plan only keeps the tasks of jobs, after a restart. */
    public void frozen(boolean now) {
        frozen.set(now ? 1 : 0);
    }

    /** Sets whether plans are carried out; they are only advice otherwise. */
    public void enforcing(boolean now) {
        enforcing.set(now ? 1 : 0);
    }

    /** Counts containers that a job did not release in its grace time. */
    public void askedBack(long count) {
        graceOverruns.incr(count);
    }

    public void killed(long count) {
        kills.incr(count);
    }

    /**
     * Counts resizes that a job carried out.
     *
     * @param pauseMillis how long it did not train because of them
     */
    public void resized(int count, long pauseMillis) {
        resizes.incr(count);
        pauses.incr(pauseMillis);
    }

    public void refused(long count) {
        refusedValues.incr(count);
    }

    /**
     * Sets what all jobs take.
     *
     * @param bytes in memory
     * @param refusals how often there was no room so far
     */
    public void memory(long bytes, long refusals) {
        memory.set(bytes);
        memoryRefusals = refusals;
    }

    /** Sets how many rounds and ends of jobs should have been recorded and were not. */
    public void unrecorded(long count) {
        unrecorded = count;
    }

    public void refusedCall() {
        refusedCalls.incr();
    }

    /**
     * A job has ended as it should.
     *
     * @param predictedAtHalf whether there was a predicted end at half of its life
     * @param ofEnds median errors of predicted times to the end, in parts of the times that came, by the part of lives that had
     *     passed
     * @param ofSpeeds the same of predicted speeds
     */
    public void ended(boolean predictedAtHalf, Map<Double, Double> ofEnds, Map<Double, Double> ofSpeeds) {
        ended.incr();
        if (!predictedAtHalf) {
            unpredicted.incr();
        }
        Map<String, Double> percent = new TreeMap<>();
        ofEnds.forEach((fraction, error) -> percent.put("EndErrorPercentAt" + Math.round(100 * fraction), 100 * error));
        ofSpeeds.forEach(
                (fraction, error) -> percent.put("SpeedErrorPercentAt" + Math.round(100 * fraction), 100 * error));
        errors = percent;
    }

    /** The number of rounds that changed nothing. */
    public long failures() {
        return failures.value();
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        // Both are read before the time, so that no age is negative.
        long decided = decidedNanos;
        OptionalLong step = stepSinceNanos;
        long now = clockNanos.getAsLong();
        JobFigures jobsNow = jobs;
        List<GpuUse> gpusNow = gpus.get();
        // It comes first: JMX has the names of the first record as they are, and those of later ones with a number.
        MetricsRecordBuilder metrics = collector.addRecord(registry.info());
        metrics.addGauge(PLAN_AGE, TimeUnit.NANOSECONDS.toMillis(now - decided));
        metrics.addGauge(STEP_AGE, TimeUnit.NANOSECONDS.toMillis(now - step.orElse(now)));
        metrics.addCounter(MEMORY_REFUSALS, memoryRefusals);
        metrics.addCounter(UNRECORDED, unrecorded);
        addJobs(metrics, jobsNow);
        metrics.addGauge(IDLE_GPUS, jobsNow.waitingForGpus() ? TaggedRecords.idle(gpusNow) : 0);
        addFits(metrics, fits);
        errors.forEach((name, percent) -> metrics.addGauge(
                Interns.info(name, "median error of predictions of the jobs that ended last"), percent));
        registry.snapshot(metrics, all);
        TaggedRecords tagged = new TaggedRecords(collector);
        tagged.addSteps(rounds.value(), steps);
        tagged.addWaits(jobsNow.waits());
        tagged.addQueues(jobsNow.queues(), gpusNow);
    }

    private static void addJobs(MetricsRecordBuilder metrics, JobFigures jobs) {
        metrics.addGauge(JOBS, jobs.registered());
        metrics.addGauge(UNPLANNED, jobs.unplanned());
        metrics.addGauge(WAITING, jobs.withoutTasks());
        metrics.addGauge(STARTING, jobs.starting());
        metrics.addGauge(SILENT, jobs.silent());
        metrics.addGauge(LONGEST_SILENCE, jobs.longestSilenceMillis());
    }

    private static void addFits(MetricsRecordBuilder metrics, FitFigures fits) {
        metrics.addCounter(FITS, fits.fits());
        metrics.addCounter(FIT_FAILURES, fits.failures());
        fits.curveError().ifPresent(error -> metrics.addGauge(CURVE_ERROR, 100 * error));
        fits.speedError().ifPresent(error -> metrics.addGauge(SPEED_ERROR, 100 * error));
    }

    /** Unregisters this source, unless a later scheduler of this JVM has replaced it. */
    @Override
    public void close() {
        if (DefaultMetricsSystem.instance().getSource(NAME) == this) {
            DefaultMetricsSystem.instance().unregisterSource(NAME);
        }
    }
}
