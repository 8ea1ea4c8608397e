package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategies;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.JobPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Jobs without parameter servers under each policy that a ResourceManager can use, on 16 GPUs. */
public final class AllReduceJobsTest {
    private static final int ROUNDS = 12;

    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    private final FakeApplications applications = new FakeApplications();
    private final FakeCluster cluster = new FakeCluster("a:1", "b:1");
    private final FakeCluster oneNode = new FakeCluster("a:1");
    private final Map<Integer, Long> sequences = new HashMap<>();

    @Test
    public void everyPolicyGivesThemWorkersOnly() throws Exception {
        for (String policy : Strategies.practicable()) {
            RoundFixture fixture = new RoundFixture(applications, cluster);
            Round round = fixture.round(Strategies.named(policy).bySeed().apply(1), Set.of());
            register(fixture, 1);
            run(fixture, round, 1);
            Allocation alone = plan(fixture, 1).planned().allocation();
            assertThat(alone).as("%s: one job alone", policy).isEqualTo(Jobs.size(0, 8));

            register(fixture, 2);
            register(fixture, 3);
            run(fixture, round, 3);

            int workers = 0;
            for (int job = 1; job <= 3; job++) {
                Allocation planned = plan(fixture, job).planned().allocation();
                assertThat(planned.parameterServers())
                        .as("%s: servers of job %s", policy, job)
                        .isZero();
                assertThat(plan(fixture, job).reason()).as(policy).doesNotContain("ps");
                workers += planned.workers();
            }
            assertThat(workers).as("%s: workers of three jobs", policy).isBetween(15, 16);
            fixture.close();
            for (int job = 1; job <= 3; job++) {
                cluster.hold(job, Placement.NONE);
            }
            sequences.clear();
        }
    }

    /** Job 1 gains nothing from a larger batch, job 2 almost as much as from more steps. */
    @Test
    public void policiesOnGoodputGiveMoreToTheJobWhoseGradientsAreNoisier() throws Exception {
        double[] variances = {0.01, 100};
        for (String policy : List.of("marginal-goodput", "pollux-exact", "pollux", "sia")) {
            RoundFixture fixture = new RoundFixture(applications, oneNode);
            Round round = fixture.round(Strategies.named(policy).bySeed().apply(1), Set.of());
            for (int job = 1; job <= 2; job++) {
                fixture.registry().register(caller(job), Jobs.LIMITS, adaptive());
            }
            for (int i = 0; i < ROUNDS; i++) {
                plan(fixture, round, oneNode, 2);
                for (int job = 1; job <= 2; job++) {
                    fixture.registry().report(caller(job), adaptiveReport(fixture, job, variances[job - 1]));
                }
            }

            int quiet = plan(fixture, 1).planned().allocation().workers();
            int noisy = plan(fixture, 2).planned().allocation().workers();
            assertThat(noisy).as("%s: workers", policy).isGreaterThan(quiet);
            assertThat(batchOnFour(fixture, 1)).isEqualTo(128);
            assertThat(batchOnFour(fixture, 2)).isGreaterThan(512);
            fixture.close();
            oneNode.hold(1, Placement.NONE);
            oneNode.hold(2, Placement.NONE);
            sequences.clear();
        }
    }

    private static long batchOnFour(RoundFixture fixture, int job) {
        Estimate estimate = fixture.state()
                .beliefs()
                .of(Jobs.attempt(job, 1).getApplicationId())
                .orElseThrow();
        return estimate.goodput().orElseThrow().batch(1, 4).orElseThrow().totalBatch(4);
    }

    private static RegisterJobRequestProto adaptive() {
        return Jobs.adaptive(2048)
                .setStop(StopRuleProto.newBuilder().setMaxEpochs(10_000))
                .build();
    }

    /** A step with 128 samples takes 1 s on one worker, and 1 s more on several. */
    private ReportRequestProto adaptiveReport(RoundFixture fixture, int job, double variance) {
        Placement members = plan(fixture, job).target();
        int workers = members.allocation().workers();
        ReportRequestProto.Builder report = report(job, members).setGradientNoise(Jobs.noise(1, variance));
        for (int atomic : workers == 0 ? new int[0] : new int[] {16, 64, 128}) {
            double computing = 0.1 + 0.9 / 128 * atomic;
            report.addStepTimes(Jobs.steps(1, workers, atomic, computing, computing + (workers > 1 ? 1 : 0)));
        }
        return report.build();
    }

    private void register(RoundFixture fixture, int job) throws Exception {
        fixture.registry()
                .register(
                        caller(job),
                        Jobs.LIMITS,
                        Jobs.allReduce()
                                .setStop(StopRuleProto.newBuilder().setMaxEpochs(10_000))
                                .build());
    }

    /** Lets the first jobs follow their plans and report for some rounds. */
    private void run(RoundFixture fixture, Round round, int jobs) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            plan(fixture, round, cluster, jobs);
            for (int job = 1; job <= jobs; job++) {
                report(fixture, job);
            }
        }
    }

    /** Runs a round, which the first jobs follow; then a minute passes. */
    private static void plan(RoundFixture fixture, Round round, FakeCluster on, int jobs) throws Exception {
        round.run(Set.of());
        for (int refresh = 0; refresh < 2; refresh++) {
            for (int job = 1; job <= jobs; job++) {
                on.hold(job, plan(fixture, job).target());
            }
            round.refresh();
        }
        fixture.clock().addAndGet(TimeUnit.MINUTES.toMillis(1));
    }

    private void report(RoundFixture fixture, int job) throws Exception {
        Placement members = plan(fixture, job).target();
        ReportRequestProto.Builder report = report(job, members);
        int workers = members.allocation().workers();
        if (workers > 0) {
            report.addSpeeds(Jobs.speed(0, workers, 1 / (1.0 / workers + 0.02)));
        }
        assertThat(fixture.registry()
                        .report(caller(job), report.build())
                        .orElseThrow()
                        .refused())
                .isZero();
    }

    private ReportRequestProto.Builder report(int job, Placement members) {
        long sequence = sequences.merge(job, 1L, Long::sum);
        ReportRequestProto.Builder report = Jobs.report(sequence)
                .setCurrentStep(100 * sequence)
                .addLosses(Jobs.loss(100 * sequence, 1 + 100.0 / sequence));
        members.byNode()
                .forEach((node, tasks) -> report.addMembers(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setAllocation(Jobs.allocation(0, tasks.workers()))));
        return report;
    }

    private ApplicationFacts caller(int job) {
        return applications.run(Jobs.attempt(job, 1));
    }

    private static JobPlan plan(RoundFixture fixture, int job) {
        return fixture.state()
                .plan()
                .current()
                .of(Jobs.attempt(job, 1).getApplicationId())
                .orElseThrow();
    }
}
