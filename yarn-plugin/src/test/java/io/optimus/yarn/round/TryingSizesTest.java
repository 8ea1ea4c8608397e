package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategy;
import io.optimus.model.policy.goodput.MarginalGoodputPolicy;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SynchronousSpeed;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.JobPlan;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * One job under {@code marginal-goodput}, whose workers add far more speed than typical ones: it begins small, and learns its
 * speed only by a size that it tries.
 */
public final class TryingSizesTest {
    private static final int ROUNDS = 30;
    private static final Allocation MOST = Jobs.size(4, 8);
    private static final SynchronousSpeed TRUTH = new SynchronousSpeed(128, 1 / 128.0, 0.01, 0.01, 0, 0);

    @Rule
    public final Timeout timeout = new Timeout(180, TimeUnit.SECONDS);

    private final FakeApplications applications = new FakeApplications();
    private final FakeCluster cluster = new FakeCluster("a:1", "b:1");
    private final ApplicationFacts caller = applications.run(Jobs.attempt(1, 1));
    private final ApplicationId id = caller.attempt().getApplicationId();
    private RoundFixture fixture = new RoundFixture(applications, cluster);
    private Round round = fixture.round(Strategy.of(new MarginalGoodputPolicy()), Set.of());
    private Placement members = Placement.NONE;
    private long sequence;

    @Before
    public void register() throws Exception {
        fixture.registry().register(caller, Jobs.LIMITS, registration().build());
    }

    @After
    public void endThreads() {
        fixture.close();
    }

    @Test
    public void aSizeToTryIsPublishedAsTheJobsPlan() throws Exception {
        Allocation tried = runUntilItTries();

        assertThat(plan().exploring()).isTrue();
        assertThat(plan().target()).isEqualTo(plan().planned());
        assertThat(job().measured().speeds().allocations()).doesNotContain(tried);
    }

    @Test
    public void keepsTheSizeOnTrialPlannedUntilItWasMeasured() throws Exception {
        Allocation tried = runUntilItTries();
        round.run(Set.of());
        assertThat(planned()).as("before its containers are there").isEqualTo(tried);

        carryOut();
        round.run(Set.of());
        assertThat(planned()).as("before its speed is measured").isEqualTo(tried);
        assertThat(plan().exploring()).isTrue();

        measure();
        round.run(Set.of());
        assertThat(plan().exploring() && planned().equals(tried)).isFalse();
    }

    @Test
    public void noSizeIsTriedBeforeTheJobRunsAsPlanned() throws Exception {
        round.run(Set.of());
        for (int i = 0; i < ROUNDS; i++) {
            carryOut();
            measure();
            // Its containers run, but no task has joined yet.
            fixture.registry().report(caller, Jobs.report(++sequence).build());
            round.run(Set.of());
            assertThat(plan().exploring()).isFalse();
        }
    }

    @Test
    public void theJobKeepsWhatProvesFaster() throws Exception {
        runUntilItTries();
        double before = speed();

        runOn();

        assertThat(speed()).isGreaterThan(2 * before).isGreaterThan(0.9 * TRUTH.stepsPerSecond(MOST));
        assertThat(plan().exploring()).isFalse();
    }

    @Test
    public void aJobThatMayNotShrinkLearnsByLargerSizesAndGrowsAsFar() throws Exception {
        neverShrinks();
        Allocation before = Allocation.NONE;
        for (int i = 0; i < ROUNDS; i++) {
            round.run(Set.of());
            carryOut();
            measure();
            assertThat(before.isWithin(members.allocation()))
                    .as("from " + before + " to " + members.allocation())
                    .isTrue();
            before = members.allocation();
        }
        assertThat(speed()).isGreaterThan(0.9 * TRUTH.stepsPerSecond(MOST));
    }

    @Test
    public void aJobThatMayNotShrinkTriesAtMostTwiceWhatItHolds() throws Exception {
        neverShrinks();
        Allocation held = Allocation.NONE;
        for (int i = 0; i < ROUNDS; i++) {
            round.run(Set.of());
            if (plan().exploring()) {
                assertThat(planned().isWithin(held.times(2)))
                        .as(planned() + " beside " + held)
                        .isTrue();
            }
            carryOut();
            measure();
            held = members.allocation();
        }
        assertThat(job().measured().speeds().allocations()).hasSizeGreaterThan(1);
    }

    /** Others hold all GPUs but one, and leave one after the other as YARN grants theirs. */
    @Test
    public void aJobInAFullClusterGrowsWithinItsGuarantee() throws Exception {
        int others = 8;
        cluster.occupy("a:1", 7);
        cluster.occupy("b:1", others);
        cluster.guarantee(Resources.of(65536, 32, 8));
        for (int i = 0; i < ROUNDS; i++) {
            round.run(Set.of());
            if (plan().awaited().workers() > 0) {
                grant(--others);
                round.refresh();
                round.refresh();
            }
            carryOut();
            measure();
        }
        Allocation most = Jobs.size(4, 8);
        assertThat(speed()).isGreaterThan(0.9 * TRUTH.stepsPerSecond(most));
        assertThat(plan().awaited()).isEqualTo(Allocation.NONE);
    }

    /** YARN grants a worker on the node of which others then hold so many GPUs. */
    private void grant(int others) {
        Allocation there = plan().target().on("b:1").plus(Role.WORKER, 1);
        Map<String, Allocation> held = new TreeMap<>(plan().target().byNode());
        held.put("b:1", there);
        cluster.occupy("b:1", others);
        cluster.hold(1, Placement.of(held));
    }

    private void neverShrinks() throws Exception {
        fixture.registry()
                .register(
                        caller,
                        Jobs.LIMITS,
                        registration().setPreemptible(false).build());
    }

    @Test
    public void aSizeWithoutSampleIsGivenUpAndNotTriedAgain() throws Exception {
        Allocation tried = runUntilItTries();
        round.refresh();
        fixture.clock().addAndGet(TimeUnit.MINUTES.toMillis(3));
        round.refresh();
        assertThat(job().measured().givenUp()).containsExactly(tried);

        round.run(Set.of());
        assertThat(plan().exploring() && planned().equals(tried)).isFalse();
        runOn();
        assertThat(speed()).isGreaterThan(0.9 * TRUTH.stepsPerSecond(MOST));
    }

    @Test
    public void aRestartOfTheResourceManagerLosesNoTriedSize() throws Exception {
        runUntilItTries();
        carryOut();
        measure();
        MeasuredSizes known = job().measured().speeds();

        restart(known);
        runOn();

        assertThat(job().measured().speeds().allocations()).containsAll(known.allocations());
        assertThat(speed()).isGreaterThan(0.9 * TRUTH.stepsPerSecond(MOST));
    }

    /** After a restart the scheduler does not know that the job tries a size; the job continues. */
    @Test
    public void aRestartOfTheResourceManagerDuringATrialLosesNothing() throws Exception {
        runUntilItTries();
        MeasuredSizes known = job().measured().speeds();
        carryOut();

        restart(known);
        runOn();

        assertThat(speed()).isGreaterThan(0.9 * TRUTH.stepsPerSecond(MOST));
    }

    /** Restarts the ResourceManager; the job registers again with its measured sizes. */
    private void restart(MeasuredSizes known) throws Exception {
        fixture.close();
        fixture = new RoundFixture(applications, cluster);
        round = fixture.round(Strategy.of(new MarginalGoodputPolicy()), Set.of(id));
        sequence = 0;
        fixture.registry().register(caller, Jobs.LIMITS, asKnown(known));
        round.run(Set.of());
    }

    private static RegisterJobRequestProto.Builder registration() {
        return Jobs.registration().setStop(StopRuleProto.newBuilder().setMaxEpochs(10_000));
    }

    /** Returns what the job sends when it registers again. */
    private RegisterJobRequestProto asKnown(MeasuredSizes known) {
        HistoryProto.Builder history = HistoryProto.newBuilder();
        for (MeasuredSize size : known.sizes()) {
            Allocation on = size.allocation();
            history.addSpeeds(Jobs.speed(on.parameterServers(), on.workers(), size.stepsPerSecond()));
        }
        RegisterJobRequestProto.Builder request = registration().setHistory(history);
        members.byNode().forEach((node, tasks) -> request.addHeld(held(node, tasks)));
        return request.build();
    }

    private static NodeAllocationProto held(String node, Allocation tasks) {
        return NodeAllocationProto.newBuilder()
                .setNode(node)
                .setAllocation(Jobs.allocation(tasks.parameterServers(), tasks.workers()))
                .build();
    }

    /** Returns the size that it is to try. */
    private Allocation runUntilItTries() throws Exception {
        round.run(Set.of());
        for (int i = 0; i < ROUNDS && !plan().exploring(); i++) {
            carryOut();
            measure();
            round.run(Set.of());
        }
        assertThat(plan().exploring()).isTrue();
        return planned();
    }

    private void runOn() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            carryOut();
            measure();
            round.run(Set.of());
        }
    }

    private void carryOut() {
        members = plan().target();
        cluster.hold(1, members);
    }

    /** Runs for a minute, and reports. */
    private void measure() throws Exception {
        fixture.clock().addAndGet(TimeUnit.MINUTES.toMillis(1));
        Allocation size = members.allocation();
        ReportRequestProto.Builder report =
                Jobs.report(++sequence).addSpeeds(Jobs.speed(size.parameterServers(), size.workers(), speed()));
        members.byNode().forEach((node, tasks) -> report.addMembers(held(node, tasks)));
        fixture.registry().report(caller, report.build());
    }

    private double speed() {
        return TRUTH.stepsPerSecond(members.allocation());
    }

    private JobPlan plan() {
        return fixture.state().plan().current().of(id).orElseThrow();
    }

    private Allocation planned() {
        return plan().planned().allocation();
    }

    private JobView job() {
        return fixture.registry().view(id).orElseThrow();
    }
}
