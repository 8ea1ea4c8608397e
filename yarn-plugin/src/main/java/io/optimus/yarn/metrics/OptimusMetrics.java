package io.optimus.yarn.metrics;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableRate;

/** The metrics source {@value #NAME}, registered while the scheduler is active. */
public final class OptimusMetrics implements MetricsSource, AutoCloseable {
    public static final String NAME = "OptimusScheduler";

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("yarn");
    private final MutableCounterLong rounds = registry.newCounter("Rounds", "rounds run", 0L);
    private final MutableCounterLong failures = registry.newCounter(
            "RoundFailures", "rounds that threw or exceeded their time budget and changed nothing", 0L);
    private final MutableRate duration = registry.newRate("RoundMillis", "time of a round");
    private final MutableGaugeInt jobs = registry.newGauge("Jobs", "training jobs registered", 0);
    private final MutableGaugeLong plan = registry.newGauge("Plan", "number of the plan", 0L);
    private final MutableCounterLong resizes = registry.newCounter("Resizes", "resizes that jobs carried out", 0L);
    private final MutableCounterLong refusedValues =
            registry.newCounter("RefusedValues", "values of reports that were refused", 0L);

    private final MutableCounterLong refusedCalls =
            registry.newCounter("RefusedCalls", "calls of jobs that were refused", 0L);

    private OptimusMetrics() {}

    /** Registers a new source; a source that an earlier scheduler of this JVM left is replaced. */
    public static OptimusMetrics register() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
        return DefaultMetricsSystem.instance().register(NAME, "The training scheduler's rounds", new OptimusMetrics());
    }

    /** A source that is not registered, for tests. */
    public static OptimusMetrics unregistered() {
        return new OptimusMetrics();
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

    public void resized(int count) {
        resizes.incr(count);
    }

    public void refused(long count) {
        refusedValues.incr(count);
    }

    public void refusedCall() {
        refusedCalls.incr();
    }

    /** The number of rounds that changed nothing. */
    public long failures() {
        return failures.value();
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        registry.snapshot(collector.addRecord(registry.info()), all);
    }

    /** Unregisters this source, unless a later scheduler of this JVM has replaced it. */
    @Override
    public void close() {
        if (DefaultMetricsSystem.instance().getSource(NAME) == this) {
            DefaultMetricsSystem.instance().unregisterSource(NAME);
        }
    }
}
