package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategy;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.enforce.RecordedEnforcement;
import io.optimus.yarn.enforce.ShrinkAction;
import io.optimus.yarn.enforce.ShrinkAction.Step;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.CheckedLife;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class RoundTest {
    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    private final RoundFixture fixture = new RoundFixture(new FakeApplications(), new FakeCluster("a:1", "b:1"));
    private final FakeApplications applications = fixture.applications();
    private final FakeCluster cluster = fixture.cluster();
    private final JobRegistry registry = fixture.registry();
    private final ControlLoop.State state = fixture.state();
    private final RecordedEnforcement enforcement = fixture.enforcement();
    private final OptimusMetrics metrics = fixture.metrics();
    private final AtomicLong clock = fixture.clock();
    private final SizesByJob sizes = new SizesByJob();
    private final Map<String, JobSnapshot> jobs = new ConcurrentHashMap<>();
    private AllocationPolicy policy = sizes;

    @After
    public void endThreads() {
        fixture.close();
    }

    @Test
    public void aRegisteredJobReceivesItsPartOfThePlan() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 2);

        round.run(Set.of(RoundTrigger.ARRIVAL));

        JobPlan plan = plan(1);
        assertThat(plan.number()).isGreaterThan(RoundFixture.RESOURCE_MANAGER_START);
        assertThat(plan.target().allocation()).isEqualTo(Jobs.size(1, 2));
        assertThat(plan.planned()).isEqualTo(plan.target());
        assertThat(plan.graceEndsMillis()).isEmpty();
        assertThat(plan.reason()).contains("keeps 1 ps + 2 workers");
        assertThat(enforcement.ceilings).containsKey(id(1));
        assertThat(state.log().newestFirst()).singleElement().satisfies(record -> {
            assertThat(record.outcome()).isEqualTo("planned");
            assertThat(record.jobs()).isEqualTo(1);
        });
    }

    @Test
    public void whatRoundsPredictIsHeldAgainstWhatCame() throws Exception {
        RoundFixture sinceStart = RoundFixture.since(0, applications, cluster);
        Round round = sinceStart.round(Strategy.of(policy), Set.of());
        JobRegistry jobsSeen = sinceStart.registry();
        ApplicationFacts caller = applications.run(Jobs.attempt(1, 1));
        jobsSeen.register(caller, Jobs.LIMITS, Jobs.registration().build());
        sizes.give(1, 1, 2);
        round.run(Set.of(RoundTrigger.ARRIVAL));
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 2))));
        jobsSeen.report(
                caller,
                Jobs.report(1)
                        .setCurrentStep(900)
                        .addMembers(
                                NodeAllocationProto.newBuilder().setNode("a:1").setAllocation(Jobs.allocation(1, 2)))
                        .addSpeeds(Jobs.speed(1, 2, 10))
                        .build());
        round.run(Set.of());
        round.refresh();
        jobsSeen.finish(
                caller,
                FinishJobRequestProto.newBuilder()
                        .setVersion(TrainingProtocol.VERSION)
                        .setConverged(false)
                        .setFinalStep(1000)
                        .build());
        JobView ended = jobsSeen.view(id(1)).orElseThrow();
        List<CheckedLife> kept = new ArrayList<>();
        Await.until("a life of a millisecond", () -> {
            sinceStart.state().trails().end(ended).ifPresent(kept::add);
            return !kept.isEmpty();
        });

        assertThat(kept.get(0).checked()).hasSize(3).allSatisfy(each -> assertThat(
                        each.predicted().steps())
                .as("its maximum of epochs is exact")
                .hasValue(each.steps()));
        sinceStart.close();
    }

    @Test
    public void publishesNothingWhileNothingChanges() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 2);
        round.run(Set.of(RoundTrigger.ARRIVAL));
        cluster.hold(1, plan(1).planned());
        round.refresh();
        cluster.freeze(new TrainingApplications().of(registry.views(), job -> true));
        round.refresh();
        int publications = enforcement.publications;

        registry.report(
                applications.run(Jobs.attempt(1, 1), 0),
                Jobs.report(1).setCurrentStep(1).build());
        round.refresh();
        round.refresh();
        assertThat(enforcement.publications).isEqualTo(publications);

        cluster.thaw();
        cluster.hold(1, Placement.NONE);
        round.refresh();
        assertThat(enforcement.publications).isGreaterThan(publications);
    }

    @Test
    public void enforcesAShrinkWhileNothingElseChanges() throws Exception {
        Round round = round(Set.of());
        register(1);
        register(2);
        register(3);
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 4))));
        sizes.give(1, 1, 3);
        sizes.give(2, 1, 8);
        sizes.give(3, 1, 5);
        round.run(Set.of());
        cluster.freeze(new TrainingApplications().of(registry.views(), job -> true));
        round.refresh();
        assertThat(enforcement.actions).isEmpty();

        clock.addAndGet(RoundFixture.GRACE_MILLIS + 1);
        round.refresh();
        assertThat(enforcement.actions).isNotEmpty();
    }

    @Test
    public void policiesSeeThePriorityThatYarnAdmitted() throws Exception {
        Round round = round(Set.of());
        registry.register(
                applications.run(Jobs.attempt(1, 1), 3),
                Jobs.LIMITS,
                Jobs.registration().setPriority(1_000_000).build());
        sizes.give(1, 1, 1);

        round.run(Set.of());
        assertThat(snapshot(1).priority()).isEqualTo(3);

        registry.report(
                applications.run(Jobs.attempt(1, 1), 5),
                Jobs.report(1).setCurrentStep(1).build());
        round.run(Set.of());
        assertThat(snapshot(1).priority()).as("an administrator changed it").isEqualTo(5);
    }

    @Test
    public void plansNothingOnANodeThatTheApplicationBlacklists() throws Exception {
        Round round = round(Set.of());
        register(1);
        register(2);
        cluster.avoid(1, "a:1");
        sizes.give(1, 1, 6);
        sizes.give(2, 1, 4);

        round.run(Set.of());

        assertThat(plan(1).planned()).isEqualTo(Placement.of(Map.of("b:1", Jobs.size(1, 6))));
        assertThat(plan(2).planned().allocation()).isEqualTo(Jobs.size(1, 4));
    }

    @Test
    public void leavesTasksOnABlacklistedNodeThatRunThere() throws Exception {
        Round round = round(Set.of());
        register(1);
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 2))));
        cluster.avoid(1, "a:1");
        sizes.give(1, 1, 6);

        round.run(Set.of());

        assertThat(plan(1).planned().allocation()).isEqualTo(Jobs.size(1, 6));
        assertThat(plan(1).planned().on("a:1").isWithin(Jobs.size(1, 2))).isTrue();
    }

    @Test
    public void growthThatWaitsForAShrinkFollowsItsConfirmation() throws Exception {
        Round round = round(Set.of());
        register(1);
        register(2);
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 8), "b:1", Jobs.size(0, 8))));
        sizes.give(1, 1, 8);
        sizes.give(2, 1, 8);

        round.run(Set.of());

        assertThat(plan(1).target().allocation()).isEqualTo(Jobs.size(1, 8));
        assertThat(plan(1).graceEndsMillis()).hasValue(clock.get() + RoundFixture.GRACE_MILLIS);
        assertThat(plan(2).planned().allocation()).isEqualTo(Jobs.size(1, 8));
        assertThat(plan(2).target()).isEqualTo(Placement.NONE);
        long before = plan(2).number();
        long whileShrinking = plan(1).number();

        cluster.hold(1, plan(1).target());
        round.refresh();

        assertThat(plan(2).target().allocation()).isEqualTo(Jobs.size(1, 8));
        assertThat(plan(2).number()).isGreaterThan(before);
        assertThat(plan(1).graceEndsMillis()).isEmpty();
        assertThat(plan(1).number()).isGreaterThan(whileShrinking).isEqualTo(plan(2).number());
    }

    @Test
    public void anUnchangedPartKeepsItsNumber() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 2);
        round.run(Set.of());
        cluster.hold(1, plan(1).target());
        round.refresh();
        long number = plan(1).number();

        round.run(Set.of());
        round.refresh();

        assertThat(plan(1).number()).isEqualTo(number);
    }

    @Test
    public void aRoundFollowsWhereOthersTakeTheRoomThatWasPlannedForAJob() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 4);
        cluster.occupy("a:1", 4);
        cluster.occupy("b:1", 4);
        round.run(Set.of());
        String planned = plan(1).target().byNode().firstKey();
        String other = planned.equals("a:1") ? "b:1" : "a:1";

        cluster.occupy(planned, 6);
        assertThat(round.refresh()).containsExactly(RoundTrigger.PLACE_TAKEN);
        assertThat(round.refresh()).as("once").isEmpty();

        round.run(Set.of(RoundTrigger.PLACE_TAKEN));
        assertThat(plan(1).target().on(other).workers()).isGreaterThan(0);
        assertThat(plan(1).target().allocation()).isEqualTo(Jobs.size(1, 4));
    }

    @Test
    public void noRoundFollowsWhereAnotherJobIsLeavingTheRoom() throws Exception {
        Round round = round(Set.of());
        register(1);
        register(2);
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 8))));
        cluster.occupy("b:1", 8);
        sizes.give(1, 1, 4);
        sizes.give(2, 1, 4);
        round.run(Set.of());
        assertThat(plan(2).planned().allocation()).isEqualTo(Jobs.size(1, 4));
        assertThat(plan(2).target()).isEqualTo(Placement.NONE);

        assertThat(round.refresh()).isEmpty();
    }

    @Test
    public void roomThatBecomesFreeStartsARoundIfAJobCouldUseIt() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 2);
        cluster.occupy("b:1", 8);
        round.run(Set.of());
        assertThat(round.refresh()).isEmpty();

        cluster.occupy("b:1", 6);
        assertThat(round.refresh()).containsExactly(RoundTrigger.ROOM);
        assertThat(round.refresh()).as("once").isEmpty();

        sizes.give(1, 4, 8);
        round.run(Set.of());
        cluster.hold(1, plan(1).target());
        cluster.occupy("b:1", 0);
        assertThat(round.refresh()).as("the job has all that it can use").isEmpty();
    }

    @Test
    public void requestsMissingContainersAgainInTheNextRound() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 2);
        round.run(Set.of());
        long number = plan(1).number();

        round.run(Set.of());

        assertThat(plan(1).number()).isGreaterThan(number);
    }

    @Test
    public void aJobThatStartsKeepsItsPlaceUntilItsRequestsTimeOut() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 4);
        cluster.occupy("a:1", 3);
        round.run(Set.of());
        Placement onB = Placement.of(Map.of("b:1", Jobs.size(1, 4)));
        assertThat(plan(1).target()).isEqualTo(onB);

        cluster.occupy("a:1", 0);
        cluster.occupy("b:1", 4);
        round.run(Set.of());
        clock.addAndGet(29_999);
        round.run(Set.of());
        assertThat(plan(1).target()).as("node b has room still").isEqualTo(onB);
        assertThat(snapshot(1).current()).isEqualTo(onB);

        clock.addAndGet(1);
        round.run(Set.of());
        assertThat(snapshot(1).current()).as("it holds nothing").isEqualTo(Placement.NONE);
    }

    @Test
    public void aJobWhoseRequestsTimeOutIsPlannedOnAnotherNodeThatHasRoom() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 4);
        cluster.occupy("a:1", 3);
        round.run(Set.of());
        assertThat(plan(1).target()).isEqualTo(Placement.of(Map.of("b:1", Jobs.size(1, 4))));

        cluster.occupy("a:1", 0);
        clock.addAndGet(30_000);
        round.run(Set.of());

        assertThat(plan(1).target())
                .as("YARN granted nothing on b")
                .isEqualTo(Placement.of(Map.of("a:1", Jobs.size(1, 4))));
    }

    @Test
    public void aJobWhoseRequestsTimeOutStaysWhereNoOtherNodeHasRoom() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 4);
        cluster.occupy("a:1", 8);
        round.run(Set.of());
        Placement onB = Placement.of(Map.of("b:1", Jobs.size(1, 4)));
        assertThat(plan(1).target()).isEqualTo(onB);

        clock.addAndGet(30_000);
        round.run(Set.of());

        assertThat(plan(1).target()).isEqualTo(onB);
    }

    @Test
    public void aJobThatStartsLosesItsPlaceWithTheRoom() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 4);
        cluster.occupy("a:1", 3);
        round.run(Set.of());

        cluster.occupy("b:1", 8);
        cluster.occupy("a:1", 0);
        round.refresh();
        assertThat(plan(1).target()).isEqualTo(Placement.NONE);
        round.run(Set.of());

        assertThat(plan(1).target()).isEqualTo(Placement.of(Map.of("a:1", Jobs.size(1, 4))));
    }

    @Test
    public void aJobThatStartsKeepsTheRestOfItsPlaceWhereAPartIsTaken() throws Exception {
        Round round = round(Set.of());
        registry.register(
                applications.run(Jobs.attempt(1, 1)),
                Jobs.LIMITS,
                Jobs.registration()
                        .setRoles(1, Jobs.role(RoleProto.WORKER, 8, 8, 11, 1))
                        .build());
        sizes.give(1, 1, 8);
        cluster.occupy("a:1", 4);
        cluster.occupy("b:1", 3);
        round.run(Set.of());
        Placement before = plan(1).target();
        assertThat(before.on("a:1").workers()).isEqualTo(4);

        cluster.occupy("a:1", 5);
        round.refresh();
        assertThat(plan(1).target().allocation().workers()).isEqualTo(7);
        round.run(Set.of(RoundTrigger.PLACE_TAKEN));

        assertThat(plan(1).target().allocation()).isEqualTo(Jobs.size(1, 8));
        assertThat(plan(1).target().on("a:1").workers()).isEqualTo(3);
    }

    @Test
    public void aJobThatGrowsIsNotShrunkBeforeItsRequestsTimeOut() throws Exception {
        Round round = round(Set.of());
        register(1);
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 2))));
        sizes.give(1, 1, 8);
        round.run(Set.of());
        assertThat(snapshot(1).mayShrink()).isTrue();

        round.run(Set.of());
        assertThat(snapshot(1).mayShrink()).isFalse();
        assertThat(snapshot(1).current().allocation()).isEqualTo(Jobs.size(1, 8));

        cluster.hold(1, plan(1).target());
        round.refresh();
        round.run(Set.of());
        assertThat(snapshot(1).mayShrink()).as("it holds them").isTrue();
    }

    @Test
    public void takesBackContainersThatAJobDoesNotReleaseAfterARequest() throws Exception {
        Round round = round(Set.of());
        register(1);
        register(2);
        register(3);
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 4))));
        sizes.give(1, 1, 3);
        sizes.give(2, 1, 8);
        sizes.give(3, 1, 5);
        round.run(Set.of());
        assertThat(enforcement.actions).isEmpty();

        clock.addAndGet(RoundFixture.GRACE_MILLIS + 1);
        round.refresh();
        assertThat(enforcement.actions).extracting(ShrinkAction::step).containsExactly(Step.PREEMPTION_MESSAGE);

        clock.addAndGet(15_001);
        round.refresh();
        assertThat(enforcement.actions).extracting(ShrinkAction::step).last().isEqualTo(Step.KILL);
    }

    @Test
    public void aPolicyThatThrowsChangesNothing() throws Exception {
        Round round = round(Set.of());
        register(1);
        sizes.give(1, 1, 2);
        round.run(Set.of());
        PublishedPlan before = state.plan().current();

        sizes.refuse = true;
        assertThat(round.run(Set.of())).isFalse();

        assertThat(state.plan().current()).isEqualTo(before);
        assertThat(metrics.failures()).isEqualTo(1);
        assertThat(state.log().newestFirst().get(0).outcome()).isEqualTo("failed; the last plan stays");
    }

    @Test
    public void aPolicyThatOverrunsChangesNothingAndIsNotStartedTwice() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicLong started = new AtomicLong();
        policy = new Stubborn(end, started);
        Round round = round(Set.of());
        register(1);

        assertThat(round.run(Set.of())).isFalse();
        assertThat(round.run(Set.of())).isFalse();

        assertThat(started).hasValue(1);
        assertThat(metrics.failures()).isEqualTo(2);
        assertThat(state.plan().current().jobs()).isEmpty();
        end.countDown();
    }

    @Test
    public void afterARestartJobsKeepWhatTheyHaveUntilAllAreBack() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        applications.run(Jobs.attempt(2, 1));
        Round round = round(Set.of(id(1), id(2)));
        registerHolding(1, 1, 3);
        sizes.give(1, 1, 8);
        sizes.give(2, 1, 1);

        round.run(Set.of(RoundTrigger.ARRIVAL));

        assertThat(state.plan().current().frozen()).isTrue();
        assertThat(plan(1).target().allocation()).isEqualTo(Jobs.size(1, 3));
        assertThat(plan(1).reason()).contains("after the restart");
        assertThat(state.log().newestFirst().get(0).outcome())
                .isEqualTo("kept as before the restart; 1 application(s) are awaited");
        assertThat(round.refresh()).isEmpty();

        registerHolding(2, 1, 1);
        assertThat(round.refresh()).containsExactly(RoundTrigger.ARRIVAL);
        round.run(Set.of(RoundTrigger.ARRIVAL));
        assertThat(state.plan().current().frozen()).isFalse();
        assertThat(plan(1).planned().allocation()).isEqualTo(Jobs.size(1, 8));
    }

    @Test
    public void afterARestartAJobIsNotBackBeforeItsContainersAre() throws Exception {
        Round round = round(Set.of(id(1)));
        registerHolding(1, 1, 3);
        cluster.hold(1, Placement.NONE);
        sizes.give(1, 1, 3);

        round.run(Set.of(RoundTrigger.ARRIVAL));

        assertThat(state.plan().current().frozen()).isTrue();
        assertThat(plan(1).target().allocation()).isEqualTo(Jobs.size(1, 3));
        assertThat(round.refresh()).isEmpty();

        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 3))));
        assertThat(round.refresh()).containsExactly(RoundTrigger.ARRIVAL);
    }

    @Test
    public void afterARestartNoJobIsLimitedBeforeTheFirstRound() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        applications.run(Jobs.attempt(2, 1));
        Round round = round(Set.of(id(1), id(2)));
        registerHolding(1, 1, 3);

        assertThat(round.refresh()).isEmpty();
        clock.addAndGet(RoundFixture.GRACE_MILLIS + 1);
        assertThat(round.refresh()).isEmpty();

        assertThat(enforcement.ceilings).isEmpty();
        assertThat(enforcement.actions).isEmpty();
    }

    @Test
    public void afterARestartThePlanIsNotFrozenForever() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        applications.run(Jobs.attempt(2, 1));
        Round round = round(Set.of(id(1), id(2)));
        registerHolding(1, 1, 3);
        sizes.give(1, 1, 3);
        round.run(Set.of());

        clock.addAndGet(TimeUnit.MINUTES.toMillis(2) + 1);

        assertThat(round.refresh()).containsExactly(RoundTrigger.ARRIVAL);
    }

    @Test
    public void aFinishedJobHasNoPartInThePlan() throws Exception {
        Round round = round(Set.of());
        register(1);
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(1, 4))));
        sizes.give(1, 1, 4);
        round.run(Set.of());
        registry.finish(
                applications.run(Jobs.attempt(1, 1)),
                io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(true)
                        .setFinalStep(10)
                        .build());

        round.run(Set.of());

        assertThat(plan(1).planned()).isEqualTo(Placement.NONE);
        assertThat(plan(1).reason()).isEqualTo("the job has ended");
        assertThat(state.log().run()).isEqualTo(2);
    }

    private Round round(Set<ApplicationId> awaited) {
        return fixture.round(Strategy.of(policy), awaited);
    }

    private void register(int application) throws Exception {
        registry.register(
                applications.run(Jobs.attempt(application, 1)),
                Jobs.LIMITS,
                Jobs.registration().build());
    }

    private void registerHolding(int application, int servers, int workers) throws Exception {
        cluster.hold(application, Placement.of(Map.of("a:1", Jobs.size(servers, workers))));
        registry.register(
                applications.run(Jobs.attempt(application, 1)),
                Jobs.LIMITS,
                Jobs.registration()
                        .addHeld(NodeAllocationProto.newBuilder()
                                .setNode("a:1")
                                .setAllocation(Jobs.allocation(servers, workers)))
                        .build());
    }

    private JobPlan plan(int application) {
        return state.plan().current().of(id(application)).orElseThrow();
    }

    /** The job as the policy saw it last. */
    private JobSnapshot snapshot(int application) {
        return Optional.ofNullable(jobs.get(id(application).toString())).orElseThrow();
    }

    private static ApplicationId id(int application) {
        return Jobs.attempt(application, 1).getApplicationId();
    }

    /** Gives every job the size that the test sets. */
    private final class SizesByJob implements AllocationPolicy {
        private final Map<String, Allocation> sizes = new HashMap<>();
        private volatile boolean refuse;

        void give(int application, int servers, int workers) {
            sizes.put(id(application).toString(), Jobs.size(servers, workers));
        }

        @Override
        public String name() {
            return "sizes-by-job";
        }

        @Override
        public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> snapshots) {
            if (refuse) {
                throw new IllegalStateException("refused by the test");
            }
            Map<String, Decided> decided = new TreeMap<>();
            for (JobSnapshot job : snapshots) {
                jobs.put(job.id(), job);
                Allocation size = sizes.getOrDefault(job.id(), Allocation.NONE);
                decided.put(job.id(), new Decided(size, new AllocationReason.Stated("keeps " + size), false));
            }
            return AllocationDecision.of(decided);
        }
    }

    /** A policy that ignores interrupts. */
    private static final class Stubborn implements AllocationPolicy {
        private final CountDownLatch end;
        private final AtomicLong started;

        Stubborn(CountDownLatch end, AtomicLong started) {
            this.end = end;
            this.started = started;
        }

        @Override
        public String name() {
            return "stubborn";
        }

        @Override
        public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
            started.incrementAndGet();
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    // Interrupts are ignored on purpose.
                }
            }
            return AllocationDecision.of(Map.of());
        }
    }
}
