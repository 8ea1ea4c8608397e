package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.ReasonKind;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategies;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.explain.ExplanationText;
import io.optimus.yarn.explain.JobExplainer;
import io.optimus.yarn.explain.JobExplanation;
import io.optimus.yarn.explain.Limit;
import io.optimus.yarn.explain.Limit.Scope;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.plan.JobPlan;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** What jobs are told in the situations in which their owners ask, with the numbers held against the plan. */
public final class ExplainedRoundsTest {
    private static final int ROUNDS = 20;

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final FakeApplications applications = new FakeApplications();
    private final FakeCluster cluster = new FakeCluster("a:1", "b:1");
    private final RoundFixture fixture = new RoundFixture(applications, cluster);
    private final Configuration yarn = new Configuration(false);
    private long sequence;

    @After
    public void endThreads() {
        fixture.close();
    }

    private Round round(String policy) {
        yarn.set("yarn.scheduler.optimus.policy", policy);
        return fixture.round(Strategies.named(policy).bySeed().apply(1), Set.of(), yarn);
    }

    private static RegisterJobRequestProto.Builder workers(int min, int max) {
        return Jobs.registration().clearRoles().addRoles(Jobs.role(RoleProto.WORKER, min, max, 11, 1));
    }

    private ApplicationFacts register(int job, RegisterJobRequestProto.Builder registration) throws Exception {
        ApplicationFacts caller = applications.run(Jobs.attempt(job, 1));
        fixture.registry().register(caller, Jobs.LIMITS, registration.build());
        return caller;
    }

    private JobPlan plan(int job) {
        return fixture.state()
                .plan()
                .current()
                .of(Jobs.attempt(job, 1).getApplicationId())
                .orElseThrow();
    }

    /** Lets the job run as planned, and reports its speed and its progress. */
    private void carryOut(int job, double stepsPerSecondOfWorker) throws Exception {
        Placement planned = plan(job).planned();
        cluster.hold(job, planned);
        ReportRequestProto.Builder report = Jobs.report(++sequence)
                .setCurrentStep(sequence)
                .setPlan(plan(job).number());
        planned.byNode()
                .forEach((node, tasks) -> report.addMembers(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setAllocation(Jobs.allocation(tasks.parameterServers(), tasks.workers()))));
        int workers = planned.allocation().workers();
        if (workers > 0) {
            report.addSpeeds(Jobs.speed(0, workers, stepsPerSecondOfWorker * workers)
                    .setNodes(planned.byNode().size())
                    .setWorkerNode(planned.byNode().firstKey()));
        }
        fixture.registry().report(applications.run(Jobs.attempt(job, 1)), report.build());
        fixture.clock().addAndGet(TimeUnit.SECONDS.toMillis(60));
    }

    private JobExplanation explain(int job) {
        return new JobExplainer(
                        fixture.state(),
                        OptimusConfiguration.read(yarn),
                        fixture.clock().get())
                .explain(fixture.registry()
                        .view(Jobs.attempt(job, 1).getApplicationId())
                        .orElseThrow());
    }

    private static Limit limit(JobExplanation explanation, Scope scope) {
        return explanation.limits().stream()
                .filter(limit -> limit.scope() == scope)
                .findFirst()
                .orElseThrow();
    }

    private static String text(JobExplanation explanation) {
        return String.join("\n", ExplanationText.of(explanation));
    }

    @Test
    public void waitingForItsMinimum() throws Exception {
        cluster.occupy("a:1", 8);
        cluster.occupy("b:1", 7);
        register(1, workers(2, 8));
        round("optimus").run(Set.of());

        JobExplanation explanation = explain(1);

        assertThat(plan(1).planned()).isEqualTo(Placement.NONE);
        assertThat(explanation.why().kinds()).contains(ReasonKind.NO_ROOM);
        assertThat(explanation.tasks().next()).isEqualTo(new Allocation(0, 2));
        assertThat(limit(explanation, Scope.NODES).left().amount(Resources.GPUS))
                .isEqualTo(1);
        assertThat(limit(explanation, Scope.NODES).lacking()).contains(Resources.GPUS);
        assertThat(explanation.place()).hasValueSatisfying(place -> {
            assertThat(place.place()).isEqualTo(1);
            assertThat(place.waiting()).isEqualTo(1);
        });
        assertThat(text(explanation))
                .contains("waits for its minimum of 2 workers: 1 GPU is free, 2 are needed")
                .contains("Asked: 2 workers to 8 workers")
                .contains("other jobs or applications have to release resources")
                .contains("When: unknown, because no end is predicted");
    }

    @Test
    public void waitingForTheEndOfTheJobThatHoldsTheRoom() throws Exception {
        Round round = round("fifo");
        register(1, workers(16, 16));
        round.run(Set.of());
        carryOut(1, 1);
        register(2, workers(4, 8));
        round.run(Set.of());

        JobExplanation explanation = explain(2);

        assertThat(plan(2).planned()).isEqualTo(Placement.NONE);
        double remaining = plan(1).remaining().orElseThrow().seconds().orElseThrow();
        assertThat(explanation.outlook().last()).hasValueSatisfying(last -> {
            assertThat(last.job()).isEqualTo(Jobs.attempt(1, 1).getApplicationId());
            assertThat(last.seconds()).isCloseTo(remaining, within(1e-9));
            assertThat(last.frees().amount(Resources.GPUS)).isEqualTo(16);
        });
        assertThat(text(explanation))
                .contains("When: there is room in about "
                        + plan(1).remaining().orElseThrow().inWords());
    }

    @Test
    public void anEndThatMakesRoomWithinOneLimitOfTwoIsNoAnswer() throws Exception {
        cluster.occupy("a:1", 5);
        cluster.occupy("b:1", 8);
        cluster.limitUser("alice", 4);
        Round round = round("fifo");
        register(1, workers(2, 2));
        round.run(Set.of());
        carryOut(1, 1);
        register(2, workers(4, 4));
        round.run(Set.of());

        JobExplanation explanation = explain(2);

        assertThat(plan(1).remaining().orElseThrow().seconds()).isPresent();
        assertThat(limit(explanation, Scope.USER).isReached()).isTrue();
        assertThat(limit(explanation, Scope.NODES).isReached()).isTrue();
        assertThat(explanation.outlook().last()).isEmpty();
        assertThat(text(explanation)).contains("When: unknown");
    }

    @Test
    public void roomOnADrainedNodeIsNone() throws Exception {
        cluster.occupy("a:1", 8);
        fixture.state().orders().drainNode("b:1", new Order("operator", 1));
        register(1, workers(2, 8));
        round("fifo").run(Set.of());

        Limit nodes = limit(explain(1), Scope.NODES);

        assertThat(plan(1).planned()).isEqualTo(Placement.NONE);
        assertThat(nodes.most().amount(Resources.GPUS)).isEqualTo(8);
        assertThat(nodes.left().amount(Resources.GPUS)).isZero();
        assertThat(nodes.isReached()).isTrue();
    }

    @Test
    public void roomThatIsPlannedForAnotherJobIsNone() throws Exception {
        Round round = round("fifo");
        register(1, workers(14, 14));
        register(2, workers(4, 4));
        round.run(Set.of());

        assertThat(plan(2).planned()).isEqualTo(Placement.NONE);
        assertThat(limit(explain(2), Scope.NODES).left().amount(Resources.GPUS)).isEqualTo(2);
    }

    @Test
    public void secondInTheOrderOfItsQueue() throws Exception {
        cluster.occupy("a:1", 8);
        cluster.occupy("b:1", 8);
        register(1, workers(2, 8));
        register(2, workers(2, 8));
        round("fifo").run(Set.of());

        assertThat(explain(2).place()).hasValueSatisfying(place -> {
            assertThat(place.place()).isEqualTo(2);
            assertThat(place.waiting()).isEqualTo(2);
        });
    }

    @Test
    public void outbid() throws Exception {
        Round round = round("optimus");
        register(1, workers(1, 12));
        register(2, workers(1, 12).setStop(Jobs.registration().getStopBuilder().setMaxEpochs(40)));
        JobExplanation explanation = untilKind(round, ReasonKind.OUTBID, 1, 2);

        assertThat(explanation.rival()).hasValueSatisfying(rival -> {
            assertThat(rival.job()).startsWith("application_");
            double theirs = rival.secondsSaved().orElseThrow();
            double ours = rival.ownSecondsSaved().orElseThrow();
            assertThat(explanation.why().figures().get("secondsSavedByNextTask"))
                    .isEqualTo(ours);
            assertThat(theirs).isPositive();
        });
        assertThat(text(explanation)).contains(" has what it would take next: that saves ");
    }

    /** Runs rounds until one of the jobs has a reason of {@code kind}; returns its explanation. */
    private JobExplanation untilKind(Round round, ReasonKind kind, int... jobs) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            round.run(Set.of());
            for (int job : jobs) {
                if (plan(job).why().kinds().contains(kind)) {
                    return explain(job);
                }
            }
            for (int job : jobs) {
                carryOut(job, 1);
            }
        }
        throw new AssertionError(
                "no job is " + kind.word() + ": " + plan(jobs[0]).reason());
    }

    @Test
    public void atTheMaximumOfItsQueue() throws Exception {
        cluster.limitQueue(3);
        register(1, workers(4, 8));
        round("optimus").run(Set.of());

        JobExplanation explanation = explain(1);

        assertThat(explanation.why().kinds()).contains(ReasonKind.NO_ROOM, ReasonKind.QUEUE_LIMIT);
        assertThat(explanation.why().figures())
                .containsEntry("queueLimit." + Resources.GPUS, 3.0)
                .containsEntry("freeBeyondQueueLimit." + Resources.GPUS, 13.0);
        assertThat(limit(explanation, Scope.QUEUE).isReached()).isTrue();
        assertThat(limit(explanation, Scope.NODES).isReached()).isFalse();
        assertThat(text(explanation))
                .contains(
                        "held below what it could use by the limit of queue root.default: its training jobs may take 3"
                                + " GPUs in all, and 13 more are free on nodes")
                .contains("a larger maximum-capacity of the queue");
    }

    @Test
    public void atTheLimitOfItsUser() throws Exception {
        cluster.limitUser("alice", 3);
        register(1, workers(4, 8));
        round("optimus").run(Set.of());

        JobExplanation explanation = explain(1);

        assertThat(explanation.why().kinds()).contains(ReasonKind.NO_ROOM, ReasonKind.USER_LIMIT);
        assertThat(limit(explanation, Scope.USER).left().amount(Resources.GPUS)).isEqualTo(3);
        assertThat(limit(explanation, Scope.USER).isReached()).isTrue();
        assertThat(text(explanation)).contains("the jobs of user alice may take 3 GPUs in all");
    }

    @Test
    public void itsFitIsNotReady() throws Exception {
        Round round = round("optimus");
        register(1, workers(1, 8));
        round.run(Set.of());

        assertThat(explain(1).why().kinds()).containsAnyOf(ReasonKind.NOT_MEASURED, ReasonKind.EXPLORES);
        assertThat(text(explain(1))).containsAnyOf("it is sized as soon as its speed is known", "it leaves this size");
    }

    @Test
    public void shrunk() throws Exception {
        Round round = round("optimus");
        register(1, workers(1, 16));
        for (int i = 0; i < ROUNDS && plan(round, 1).planned().allocation().workers() < 12; i++) {
            carryOut(1, 1);
        }
        carryOut(1, 1);
        Allocation before = plan(1).planned().allocation();
        register(2, workers(8, 8));
        round.run(Set.of());

        JobExplanation explanation = explain(1);

        assertThat(plan(1).planned().allocation().workers()).isLessThan(before.workers());
        assertThat(explanation.why().kinds()).contains(ReasonKind.SHRUNK);
        assertThat(explanation.tasks().planned()).isEqualTo(plan(1).planned().allocation());
        assertThat(text(explanation)).contains("shrinks from " + before);
    }

    private JobPlan plan(Round round, int job) throws Exception {
        round.run(Set.of());
        return plan(job);
    }

    @Test
    public void pinnedByTheCostOfAResize() throws Exception {
        yarn.set("yarn.scheduler.optimus.assumed-resize-cost", "1h");
        Round round = round("optimus");
        register(1, workers(1, 8).setStop(Jobs.registration().getStopBuilder().setMaxEpochs(2)));
        JobExplanation explanation = untilKind(round, ReasonKind.RESIZE_COST, 1);

        double saved = explanation.why().figures().getOrDefault("secondsSavedByResize", Double.NaN);
        double cost = explanation.why().figures().getOrDefault("resizeCostSeconds", Double.NaN);
        assertThat(saved).isLessThan(cost);
        assertThat(cost).isCloseTo(3600, within(1e-6));
    }

    @Test
    public void mayNotShrink() throws Exception {
        Round round = round("optimus");
        register(1, workers(1, 16).setPreemptible(false));
        round.run(Set.of());
        carryOut(1, 1);
        cluster.occupy("a:1", 8);
        cluster.occupy("b:1", 6);
        round.run(Set.of());

        JobExplanation explanation = explain(1);

        assertThat(explanation.asked().mayShrink()).isFalse();
        assertThat(explanation.why().kinds()).contains(ReasonKind.MAY_NOT_SHRINK);
        assertThat(text(explanation)).contains("because it may not shrink").contains("preemptible: true");
    }

    @Test
    public void lostANode() throws Exception {
        Round round = round("fifo");
        register(1, workers(10, 10));
        round.run(Set.of());
        carryOut(1, 1);
        round.run(Set.of());
        Map<String, Allocation> before = plan(1).planned().byNode();
        cluster.lose("b:1");
        round.run(Set.of());

        JobExplanation explanation = explain(1);

        assertThat(explanation.why().kinds()).contains(ReasonKind.NODE_LOST);
        assertThat(text(explanation)).contains("it lost " + before.get("b:1") + " with node b:1");
        assertThat(limit(explanation, Scope.NODES).most().amount(Resources.GPUS))
                .isEqualTo(8);
    }

    @Test
    public void lostANodeThatWasDecommissionedBefore() throws Exception {
        Round round = round("fifo");
        register(1, workers(10, 10));
        round.run(Set.of());
        carryOut(1, 1);
        round.run(Set.of());
        Map<String, Allocation> before = plan(1).planned().byNode();
        cluster.decommission("b:1");
        round.refresh();
        round.refresh();
        cluster.lose("b:1");
        round.run(Set.of());

        assertThat(text(explain(1))).contains("it lost " + before.get("b:1") + " with node b:1");
    }

    @Test
    public void inModeAdvise() throws Exception {
        yarn.set("yarn.scheduler.optimus.mode", "advise");
        register(1, workers(1, 8));
        round("optimus").run(Set.of());

        assertThat(explain(1).why().kinds()).contains(ReasonKind.ADVICE);
        assertThat(text(explain(1)))
                .contains("this is advice only: the scheduler runs in mode advise")
                .contains("yarn.scheduler.optimus.mode has to be enforce");
    }
}
