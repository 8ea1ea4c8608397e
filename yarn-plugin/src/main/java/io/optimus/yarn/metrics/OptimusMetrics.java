package io.optimus.yarn.metrics;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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

/** The metrics source {@value #NAME}, registered while the scheduler is active. */
public final class OptimusMetrics implements MetricsSource, AutoCloseable {
    public static final String NAME = "OptimusScheduler";

    private static final MetricsInfo PLAN_AGE =
            Interns.info("PlanAgeMillis", "time since a round last decided on a plan");
    private static final MetricsInfo STEP_AGE =
            Interns.info("StepAgeMillis", "how long the present step of the control loop has run; 0 between steps");

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("yarn");
    private final MutableCounterLong rounds = registry.newCounter("Rounds", "rounds run", 0L);
    private final MutableCounterLong failures = registry.newCounter(
            "RoundFailures", "rounds that threw or exceeded their time budget and changed nothing", 0L);
    private final MutableRate duration = registry.newRate("RoundMillis", "time of a round");
    private final MutableGaugeInt jobs = registry.newGauge("Jobs", "training jobs registered", 0);
    private final MutableGaugeLong plan = registry.newGauge("Plan", "number of the plan", 0L);
    private final MutableCounterLong resizes = registry.newCounter("Resizes", "resizes that jobs carried out", 0L);
    private final MutableGaugeInt waiting = registry.newGauge("WaitingJobs", "jobs that the plan gives no task", 0);
    private final MutableGaugeInt unplanned = registry.newGauge("UnplannedJobs", "jobs that no plan covers yet", 0);
    private final MutableGaugeInt starting =
            registry.newGauge("StartingJobs", "jobs that the plan gives tasks and that train on none yet", 0);
    private final MutableGaugeInt paused = registry.newGauge("Paused", "1 while rounds are paused", 0);
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
    private final MutableGaugeLong memoryRefusals = registry.newGauge(
            "JobMemoryRefusals", "how often a job was refused, or its tasks were not kept, for lack of memory", 0L);
    private final MutableCounterLong ended =
            registry.newCounter("CheckedJobs", "jobs that ended as they should and whose predictions were checked", 0L);
    private final MutableCounterLong unpredicted =
            registry.newCounter("UnpredictedJobs", "checked jobs without a predicted end at half of their lives", 0L);
    private final MutableGaugeLong unrecorded = registry.newGauge(
            "UnrecordedRounds", "rounds and ends of jobs that should have been recorded and were not", 0L);
    private final LongSupplier clockNanos;
    private volatile long decidedNanos;
    private volatile OptionalLong stepNanos = OptionalLong.empty();
    private volatile Map<String, Double> errors = Map.of();

    private OptimusMetrics(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
        this.decidedNanos = clockNanos.getAsLong();
    }

    /** Registers a new source; a source that an earlier scheduler of this JVM left is replaced. */
    public static OptimusMetrics register() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
        return DefaultMetricsSystem.instance()
                .register(NAME, "The training scheduler's rounds", new OptimusMetrics(System::nanoTime));
    }

    /** A source that is not registered, for tests. */
    public static OptimusMetrics unregistered() {
        return unregistered(System::nanoTime);
    }

    /** The same with another clock, in nanoseconds. */
    public static OptimusMetrics unregistered(LongSupplier clockNanos) {
        return new OptimusMetrics(clockNanos);
    }

    public void round(long millis, int jobsPlanned, long planNumber) {
        rounds.incr();
        duration.add(millis);
        jobs.set(jobsPlanned);
        plan.set(planNumber);
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
        stepNanos = OptionalLong.of(clockNanos.getAsLong());
    }

    public void stepEnds() {
        stepNanos = OptionalLong.empty();
    }

    /**
     * Sets what jobs wait for.
     *
     * @param withoutPlan jobs that no plan covers yet
     * @param withoutTasks jobs that the plan gives no task
     * @param beforeStart jobs that the plan gives tasks and that train on none yet
     */
    public void waiting(int withoutPlan, int withoutTasks, int beforeStart) {
        unplanned.set(withoutPlan);
        waiting.set(withoutTasks);
        starting.set(beforeStart);
    }

    public void paused(boolean now) {
        paused.set(now ? 1 : 0);
    }

    /** Counts containers that a job did not release in its grace time. */
    public void askedBack(long count) {
        graceOverruns.incr(count);
    }

    public void killed(long count) {
        kills.incr(count);
    }

    public void resized(int count) {
        resizes.incr(count);
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
        memoryRefusals.set(refusals);
    }

    /** Sets how many rounds and ends of jobs should have been recorded and were not. */
    public void unrecorded(long count) {
        unrecorded.set(count);
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
        OptionalLong step = stepNanos;
        long now = clockNanos.getAsLong();
        MetricsRecordBuilder metrics = collector.addRecord(registry.info());
        metrics.addGauge(PLAN_AGE, TimeUnit.NANOSECONDS.toMillis(now - decided));
        metrics.addGauge(STEP_AGE, TimeUnit.NANOSECONDS.toMillis(now - step.orElse(now)));
        errors.forEach((name, percent) -> metrics.addGauge(
                Interns.info(name, "median error of predictions of the jobs that ended last"), percent));
        registry.snapshot(metrics, all);
    }

    /** Unregisters this source, unless a later scheduler of this JVM has replaced it. */
    @Override
    public void close() {
        if (DefaultMetricsSystem.instance().getSource(NAME) == this) {
            DefaultMetricsSystem.instance().unregisterSource(NAME);
        }
    }
}
