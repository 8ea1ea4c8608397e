package io.optimus.yarn.round;

import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.enforce.RecordedEnforcement;
import io.optimus.yarn.enforce.ShrinkEnforcer;
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

/** What rounds need of a ResourceManager that has just started; another bed on the same applications and cluster is a restart. */
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
        this(applications, cluster, new JobRegistry(Jobs.MEMORY, GpuSpeeds.ALIKE));
    }

    private RoundFixture(FakeApplications applications, FakeCluster cluster, JobRegistry registry) {
        this(
                applications,
                cluster,
                registry,
                ControlLoop.State.of(registry, new RoundTimer()),
                new RecordedEnforcement(),
                OptimusMetrics.unregistered(),
                new TimeBudget(2000, "test-policy"),
                new AtomicLong(1_000_000_000));
    }

    /** After a start that awaits those applications. */
    Round round(Strategy strategy, Set<ApplicationId> awaited) {
        OptimusConfiguration configuration = OptimusConfiguration.read(new Configuration(false));
        RoundParts parts = new RoundParts(
                configuration,
                applications,
                registry,
                state.estimates(),
                cluster,
                new Planner(queue -> strategy, GpuTypes.ALIKE),
                budget,
                state.board(),
                state.log(),
                metrics,
                clock::get,
                clock::get);
        PlanPublisher publisher = new PlanPublisher(
                state.board(),
                new PlanNumbers(RESOURCE_MANAGER_START),
                registry,
                state.estimates(),
                enforcement,
                new ShrinkEnforcer(GRACE_MILLIS, 15_000),
                GRACE_MILLIS);
        return new Round(
                parts,
                publisher,
                new RecoveryPeriod(awaited, clock.get() + configuration.rounds().recoveryMillis()));
    }

    void close() {
        budget.close();
    }
}
