package io.optimus.yarn.round;

import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.enforce.RecordedEnforcement;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.plan.PlanNumbers;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The parts of a ResourceManager that rounds need, as they are just after its start. A second fixture on the same
 * applications and cluster simulates a restart.
 */
record RoundFixture(
        FakeApplications applications,
        FakeCluster cluster,
        JobRegistry registry,
        ControlLoop.State state,
        RecordedEnforcement enforcement,
        OptimusMetrics metrics,
        TimeBudget budget,
        AtomicLong clock) {
    static final long RESOURCE_MANAGER_START = 1_000_000;
    static final long GRACE_MILLIS = 30_000;

    RoundFixture(FakeApplications applications, FakeCluster cluster) {
        this(applications, cluster, Long.MAX_VALUE, new AtomicLong(1_000_000_000));
    }

    /** The same for a scheduler that began at {@code startMillis}, by the times at which jobs were submitted. */
    static RoundFixture since(long startMillis, FakeApplications applications, FakeCluster cluster) {
        return new RoundFixture(applications, cluster, startMillis, new AtomicLong(1_000_000_000));
    }

    private RoundFixture(FakeApplications applications, FakeCluster cluster, long startMillis, AtomicLong clock) {
        this(
                applications,
                cluster,
                new JobRegistry(() -> Jobs.MEMORY, GpuSpeeds.ALIKE, startMillis, clock::get),
                clock);
    }

    private RoundFixture(FakeApplications applications, FakeCluster cluster, JobRegistry registry, AtomicLong clock) {
        this(
                applications,
                cluster,
                registry,
                ControlLoop.State.of(registry, new RoundTimer(() -> registry.size() > 0), () -> 1000),
                new RecordedEnforcement(),
                OptimusMetrics.unregistered(),
                new TimeBudget(() -> 30_000, "test-policy"),
                clock);
    }

    /** Creates the state after a start that awaits these applications. */
    Round round(Strategy strategy, Set<ApplicationId> awaited) {
        return round(strategy, awaited, new Configuration(false));
    }

    /** The same with settings of {@code yarn}. */
    Round round(Strategy strategy, Set<ApplicationId> awaited, Configuration yarn) {
        OptimusConfiguration configuration = OptimusConfiguration.read(yarn);
        ControlLoop.Surroundings surroundings = new ControlLoop.Surroundings(
                applications, cluster::read, enforcement, name -> strategy, clock::get, clock::get);
        RecoveryPeriod recovery =
                new RecoveryPeriod(awaited, clock.get() + configuration.rounds().recoveryMillis());
        return new Round(
                () -> configuration,
                state,
                surroundings,
                new PlanNumbers(RESOURCE_MANAGER_START),
                recovery,
                budget,
                metrics);
    }

    void close() {
        budget.close();
    }
}
