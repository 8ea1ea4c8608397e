package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.plan.Strategy;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.OptimusPolicy;
import io.optimus.yarn.Await;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.enforce.Enforcement;
import io.optimus.yarn.enforce.RecordedEnforcement;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.TrainingApplication;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class ControlLoopTest {
    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    private final FakeApplications applications = new FakeApplications();
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final Configuration configuration = new Configuration(false);
    private final AtomicInteger reads = new AtomicInteger();

    @Before
    public void register() throws Exception {
        registry.register(
                applications.run(Jobs.attempt(1, 1)),
                Jobs.LIMITS,
                Jobs.registration().build());
    }

    @Test
    public void endsAlthoughItsTaskSwallowsTheInterrupt() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        ControlLoop rounds = start(jobs -> {
            reads.incrementAndGet();
            reading.countDown();
            throw swallowed();
        });
        reading.await();

        rounds.close();

        assertThat(reads).hasValue(1);
    }

    @Test
    public void continuesAfterALinkageError() throws Exception {
        CountDownLatch again = new CountDownLatch(3);
        ControlLoop rounds = start(jobs -> {
            again.countDown();
            throw new NoSuchMethodError("of another Hadoop");
        });
        try (rounds) {
            assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    public void publishesNothingAfterItsEnd() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        RecordedEnforcement enforcement = new RecordedEnforcement();
        ControlLoop.State state = ControlLoop.State.of(registry, new RoundTimer(() -> registry.size() > 0), () -> 1000);
        FakeCluster cluster = new FakeCluster("a:1");
        ControlLoop rounds = start(state, enforcement, jobs -> {
            reading.countDown();
            reads.addAndGet(String.valueOf(swallowed().getMessage()).equals("interrupted") ? 1 : 0);
            return cluster.read(jobs);
        });
        reading.await();

        rounds.close();

        assertThat(reads).as("the round went on after the interrupt").hasValue(1);

        assertThat(state.plan().current()).isEqualTo(PublishedPlan.NONE);
        assertThat(enforcement.ceilings).isEmpty();
    }

    @Test
    public void showsThatARoundHangs() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        configuration.set("yarn.scheduler.optimus.round-time-budget", "100ms");
        ControlLoop rounds = start(jobs -> {
            reading.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("the test ends the reading");
        });
        try (rounds) {
            reading.await();
            Await.until("the round is noticed", () -> rounds.problem().isPresent());
            assertThat(rounds.problem().orElseThrow()).contains("hung", "the last plan stays", "Remedy: ");

            end.countDown();
            Await.until("the round has ended", () -> rounds.problem().isEmpty());
        }
    }

    /** Swallows an interrupt as YARN's dispatcher does if its queue is full. */
    /** The next regular round would be too late for what it ran for, such as a lost node. */
    @Test
    public void aRoundThatFailedRunsOnceMore() throws Exception {
        ControlLoop.State state = ControlLoop.State.of(registry, new RoundTimer(() -> registry.size() > 0), () -> 1000);
        FailingPolicy policy = new FailingPolicy();
        FakeCluster cluster = new FakeCluster("a:1");
        configuration.set("yarn.scheduler.optimus.round-interval", "1h");
        ControlLoop loop = start(state, policy, new RecordedEnforcement(), cluster::read);
        try (loop) {
            Await.until("the first round", () -> !rounds(state).isEmpty());
            policy.failures.set(2);

            state.timer().signal(RoundTrigger.NODES);
            Await.until("it runs once more", () -> ranFor(state, RoundTrigger.FAILED_ROUND) == 1);
            assertThat(ranFor(state, RoundTrigger.NODES)).isEqualTo(2);

            state.timer().signal(RoundTrigger.LABELS);
            Await.until("another one", () -> ranFor(state, RoundTrigger.LABELS) == 1);
            assertThat(ranFor(state, RoundTrigger.FAILED_ROUND))
                    .as("it is not repeated without end")
                    .isEqualTo(1);
        }
    }

    private static long ranFor(ControlLoop.State state, RoundTrigger trigger) {
        return rounds(state).stream()
                .filter(round -> round.triggers().contains(trigger))
                .count();
    }

    private static List<RoundLog.Entry> rounds(ControlLoop.State state) {
        return state.log().newestFirst();
    }

    /** Fails as often as it is told to. */
    private static final class FailingPolicy implements AllocationPolicy {
        final AtomicInteger failures = new AtomicInteger();

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public AllocationDecision allocate(ClusterSnapshot nodes, List<JobSnapshot> jobs) {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("for a test");
            }
            return new OptimusPolicy().allocate(nodes, jobs);
        }
    }

    private static RuntimeException swallowed() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            return new IllegalStateException("interrupted", e);
        }
        return new IllegalStateException("not interrupted");
    }

    private ControlLoop start(Function<Collection<TrainingApplication>, ClusterView> reader) {
        return start(
                ControlLoop.State.of(registry, new RoundTimer(() -> registry.size() > 0), () -> 1000),
                new RecordedEnforcement(),
                reader);
    }

    private ControlLoop start(
            ControlLoop.State state,
            Enforcement enforcement,
            Function<Collection<TrainingApplication>, ClusterView> reader) {
        configuration.set("yarn.scheduler.optimus.round-interval", "100ms");
        return start(state, new OptimusPolicy(), enforcement, reader);
    }

    private ControlLoop start(
            ControlLoop.State state,
            AllocationPolicy policy,
            Enforcement enforcement,
            Function<Collection<TrainingApplication>, ClusterView> reader) {
        configuration.set("yarn.scheduler.optimus.round-gap", "10ms");
        OptimusConfiguration settings = OptimusConfiguration.read(configuration);
        return ControlLoop.start(
                () -> settings,
                state,
                new ControlLoop.Surroundings(
                        applications, reader, enforcement, name -> Strategy.of(policy), ControlLoop::clock, () -> 1),
                OptimusMetrics.unregistered());
    }
}
