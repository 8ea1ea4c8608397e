package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategy;
import io.optimus.model.policy.OptimusPolicy;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.CollectedMetrics;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.operator.OrdersFile;
import io.optimus.yarn.operator.SizeOrder;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests rounds under the orders of administrators. */
public final class OrdersTest {
    private static final Order ORDER = new Order("operator", 1);

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final RoundFixture fixture = new RoundFixture(new FakeApplications(), new FakeCluster("a:1", "b:1"));
    private final OperatorOrders orders = fixture.state().orders();
    private final Round round = fixture.round(Strategy.of(new OptimusPolicy()), Set.of());

    @After
    public void endThreads() {
        fixture.close();
    }

    @Test
    public void aPauseKeepsThePlanAndDecidesNothing() throws Exception {
        runningJob(1);
        PublishedPlan before = plan();
        register(2);
        orders.pause(ORDER);

        round.run(Set.of());
        round.refresh();

        assertThat(plan().number()).isEqualTo(before.number());
        assertThat(plan().jobs()).containsOnlyKeys(id(1));
        assertThat(fixture.state().log().newestFirst().get(0).outcome()).contains("paused by an administrator");

        orders.resume();
        round.run(Set.of());

        assertThat(plan().jobs()).containsOnlyKeys(id(1), id(2));
    }

    @Test
    public void aPauseCarriesOutShrinksUnderWay() throws Exception {
        runningJob(1);
        Placement planned = part(1).planned();
        fixture.cluster().hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 7))));
        assertThat(planned).isNotEqualTo(Placement.of(Map.of("a:1", Jobs.size(1, 7))));
        orders.pause(ORDER);

        round.refresh();
        fixture.clock().addAndGet(RoundFixture.GRACE_MILLIS);
        round.refresh();
        fixture.clock().addAndGet(RoundFixture.GRACE_MILLIS);
        round.refresh();

        assertThat(part(1).planned()).isEqualTo(planned);
        assertThat(fixture.enforcement().actions).isNotEmpty();
        Map<String, Long> metrics = CollectedMetrics.of(fixture.metrics());
        long containers = fixture.enforcement().actions.size() / 2;
        assertThat(metrics)
                .containsEntry("Paused", 1L)
                .containsEntry("GraceOverruns", containers)
                .containsEntry("KilledContainers", containers);
    }

    @Test
    public void aPauseTakesNothingFromAJobOfWhichNothingIsDecidedYet() throws Exception {
        orders.pause(ORDER);
        register(1);
        fixture.cluster().hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 3))));

        round.run(Set.of());
        for (int i = 0; i < 3; i++) {
            round.refresh();
            fixture.clock().addAndGet(RoundFixture.GRACE_MILLIS);
        }

        assertThat(plan().frozen()).isFalse();
        assertThat(fixture.enforcement().actions).isEmpty();
    }

    @Test
    public void aPausedRoundAfterARestartLeavesThePlanFrozenAndAsksForNoOther() throws Exception {
        fixture.applications().run(Jobs.attempt(2, 1));
        Round restarted = fixture.round(Strategy.of(new OptimusPolicy()), Set.of(id(2)));
        register(1);
        fixture.cluster().hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 3))));
        restarted.run(Set.of());
        assertThat(plan().frozen()).isTrue();
        assertThat(fixture.registry().view(id(1)).orElseThrow().history().held().now())
                .isEqualTo(Jobs.size(1, 3));
        orders.pause(ORDER);
        fixture.clock().addAndGet(TimeUnit.MINUTES.toMillis(2) + 1);

        assertThat(restarted.refresh()).isEmpty();
        restarted.run(Set.of());
        assertThat(plan().frozen()).isTrue();
        assertThat(part(1).reason()).contains("rounds are paused").doesNotContain("have not registered");
        assertThat(fixture.state().beliefs().of(id(1))).isPresent();

        orders.resume();
        assertThat(restarted.refresh()).containsExactly(RoundTrigger.ARRIVAL);
    }

    @Test
    public void tasksLeaveADrainedNodeAndComeBackWhenItIsUsedAgain() throws Exception {
        runningJob(1);
        String node = part(1).planned().byNode().firstKey();
        orders.drainNode(node, ORDER);

        round.run(Set.of());

        assertThat(part(1).planned().allocation().isNone()).isFalse();
        assertThat(part(1).planned().byNode()).doesNotContainKey(node);

        orders.useNode(node);
        orders.drainNode(node.equals("a:1") ? "b:1" : "a:1", ORDER);
        round.run(Set.of());
        assertThat(part(1).planned().byNode()).containsOnlyKeys(node);
    }

    @Test
    public void aFixedSizeHoldsUntilItIsTakenBack() throws Exception {
        runningJob(1);
        Placement before = part(1).planned();
        orders.fixSize(id(1), new SizeOrder(Jobs.size(2, 5), ORDER));

        round.run(Set.of());

        assertThat(before.allocation()).isNotEqualTo(Jobs.size(2, 5));
        assertThat(part(1).planned().allocation()).isEqualTo(Jobs.size(2, 5));
        assertThat(part(1).reason()).contains("an administrator fixed its size at 2 ps + 5 workers");

        fixture.cluster().hold(1, part(1).planned());
        orders.fixSize(id(1), new SizeOrder(Jobs.size(1, 2), ORDER));
        round.run(Set.of());
        assertThat(part(1).planned().allocation()).isEqualTo(Jobs.size(1, 2));

        orders.freeSize(id(1));
        round.run(Set.of());
        assertThat(part(1).reason()).doesNotContain("administrator");
    }

    @Test
    public void aJobKeepsWhatItHasUntilItsFixedSizeHasRoom() throws Exception {
        fixture.cluster().hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 3))));
        register(1);
        fixture.cluster().hold(2, Placement.of(Map.of("a:1", Jobs.size(1, 5), "b:1", Jobs.size(0, 8))));
        register(2);
        orders.fixSize(id(2), new SizeOrder(Jobs.size(1, 8), ORDER));
        orders.fixSize(id(1), new SizeOrder(Jobs.size(1, 7), ORDER));

        round.run(Set.of());

        assertThat(part(1).planned()).isEqualTo(Placement.of(Map.of("a:1", Jobs.size(1, 3))));
        assertThat(part(2).planned().allocation()).isEqualTo(Jobs.size(1, 8));

        fixture.cluster().hold(2, part(2).planned());
        round.run(Set.of());
        assertThat(part(1).planned().allocation()).isEqualTo(Jobs.size(1, 7));
    }

    @Test
    public void metricsSayWhatJobsWaitFor() throws Exception {
        register(1);
        round.refresh();
        assertWaiting(1, 0, 0);

        round.run(Set.of());
        round.refresh();
        assertWaiting(0, 0, 1);

        orders.drainQueue("root.default", ORDER);
        round.run(Set.of());
        round.refresh();
        assertWaiting(0, 1, 0);
    }

    private void assertWaiting(long unplanned, long withoutTasks, long starting) {
        assertThat(CollectedMetrics.of(fixture.metrics()))
                .containsEntry("UnplannedJobs", unplanned)
                .containsEntry("WaitingJobs", withoutTasks)
                .containsEntry("StartingJobs", starting);
    }

    @Test
    public void jobsInADrainedQueueEndTheirTasksAndSayWhy() throws Exception {
        runningJob(1);
        orders.drainQueue("root", ORDER);

        round.run(Set.of());

        assertThat(part(1).planned()).isEqualTo(Placement.NONE);
        assertThat(part(1).reason()).isEqualTo("waits: an administrator drains the queue root.default");

        orders.useQueue("root");
        round.run(Set.of());
        assertThat(part(1).planned().allocation().isNone()).isFalse();
    }

    @Test
    public void decidesNothingBeforeTheOrdersOfTheResourceManagerBeforeAreKnown() throws Exception {
        Path file = folder.getRoot().toPath().resolve("orders.json");
        Files.writeString(file, "damaged");
        orders.keepIn(Optional.of(new OrdersFile(new org.apache.hadoop.fs.Path(file.toUri()), new Configuration())));
        register(1);

        round.run(Set.of());

        assertThat(plan().jobs()).isEmpty();
        assertThat(fixture.state().log().newestFirst().get(0).outcome()).contains("orders of administrators");

        Files.delete(file);
        fixture.clock().addAndGet(TimeUnit.MINUTES.toMillis(1));
        round.run(Set.of());

        assertThat(plan().jobs()).containsOnlyKeys(id(1));
    }

    @Test
    public void drainsNoQueueWhoseNameOnlyBeginsAlike() throws Exception {
        orders.drainQueue("root.a", ORDER);

        assertThat(orders.inForce().drains("root.a.b")).contains(ORDER);
        assertThat(orders.inForce().drains("root.ab")).isEmpty();
    }

    private void runningJob(int application) throws Exception {
        register(application);
        round.run(Set.of());
        fixture.cluster().hold(application, part(application).planned());
        round.run(Set.of());
    }

    private void register(int application) throws Exception {
        fixture.registry()
                .register(
                        fixture.applications().run(Jobs.attempt(application, 1)),
                        Jobs.LIMITS,
                        Jobs.registration().build());
    }

    private PublishedPlan plan() {
        return fixture.state().plan().current();
    }

    private JobPlan part(int application) {
        return plan().of(id(application)).orElseThrow();
    }

    private static ApplicationId id(int application) {
        return Jobs.attempt(application, 1).getApplicationId();
    }
}
