package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategies;
import io.optimus.model.speed.SynchronousSpeed;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.JobPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** A job that may not shrink, alone on an idle cluster, beside its twin that may. */
@RunWith(Parameterized.class)
public final class UpwardLearningTest {
    private static final int ROUNDS = 60;

    /** Each worker adds nearly as much speed as the first. */
    private static final SynchronousSpeed LINEAR = new SynchronousSpeed(128, 1 / 128.0, 0.001, 0.01, 0, 0);

    /** From four workers on, each costs more than it adds. */
    private static final SynchronousSpeed FLATTENING = new SynchronousSpeed(128, 1 / 128.0, 0.001, 0.01, 0.06, 0.01);

    @Parameter
    public String policy = "";

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    @Parameters(name = "{0}")
    public static List<String> policies() {
        return List.of("marginal-goodput", "optimus", "smd");
    }

    @Test
    public void itBecomesAsFastWhereEachWorkerAddsSpeed() throws Exception {
        becomesAsFast(LINEAR, 0.95);
    }

    @Test
    public void itBecomesAsFastWhereMoreWorkersAddLittle() throws Exception {
        // It cannot go back from the largest size that it tried.
        becomesAsFast(FLATTENING, 0.8);
    }

    private void becomesAsFast(SynchronousSpeed truth, double share) throws Exception {
        List<Allocation> twin = sizes(truth, true);
        List<Allocation> sizes = sizes(truth, false);
        Allocation last = sizes.get(ROUNDS - 1);
        assertThat(truth.stepsPerSecond(last))
                .as("on " + last + " beside " + twin.get(ROUNDS - 1))
                .isGreaterThan(share * truth.stepsPerSecond(twin.get(ROUNDS - 1)));
        for (int i = 1; i < ROUNDS; i++) {
            assertThat(sizes.get(i - 1).isWithin(sizes.get(i)))
                    .as("from " + sizes.get(i - 1) + " to " + sizes.get(i))
                    .isTrue();
        }
    }

    /** The sizes on which the job runs, round by round. */
    private List<Allocation> sizes(SynchronousSpeed truth, boolean preemptible) throws Exception {
        FakeApplications applications = new FakeApplications();
        FakeCluster cluster = new FakeCluster("a:1", "b:1");
        RoundFixture fixture = new RoundFixture(applications, cluster);
        try {
            Round round = fixture.round(Strategies.named(policy).bySeed().apply(1), Set.of());
            ApplicationFacts caller = applications.run(Jobs.attempt(1, 1));
            fixture.registry()
                    .register(
                            caller,
                            Jobs.LIMITS,
                            Jobs.registration()
                                    .setStop(StopRuleProto.newBuilder().setMaxEpochs(10_000))
                                    .setPreemptible(preemptible)
                                    .build());
            List<Allocation> sizes = new ArrayList<>();
            for (int i = 1; i <= ROUNDS; i++) {
                round.run(Set.of());
                Placement members = fixture.state()
                        .plan()
                        .current()
                        .of(caller.attempt().getApplicationId())
                        .map(JobPlan::target)
                        .orElse(Placement.NONE);
                cluster.hold(1, members);
                fixture.clock().addAndGet(TimeUnit.MINUTES.toMillis(1));
                fixture.registry().report(caller, report(i, members, truth));
                sizes.add(members.allocation());
            }
            return sizes;
        } finally {
            fixture.close();
        }
    }

    /** What it reports after a minute on {@code members}. */
    private static ReportRequestProto report(long sequence, Placement members, SynchronousSpeed truth) {
        Allocation size = members.allocation();
        ReportRequestProto.Builder report = Jobs.report(sequence)
                .addSpeeds(Jobs.speed(size.parameterServers(), size.workers(), truth.stepsPerSecond(size)));
        members.byNode()
                .forEach((node, tasks) -> report.addMembers(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setAllocation(Jobs.allocation(tasks.parameterServers(), tasks.workers()))));
        return report.build();
    }
}
