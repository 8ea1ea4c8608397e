package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategies;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.JobPlan;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** What owners ask for their jobs, within the limits of their queue, on 16 GPUs. */
public final class OwnerLimitsTest {
    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final FakeApplications applications = new FakeApplications();
    private final FakeCluster cluster = new FakeCluster("a:1", "b:1");
    private final RoundFixture fixture = new RoundFixture(applications, cluster);
    private final Configuration yarn = new Configuration(false);

    @After
    public void endThreads() {
        fixture.close();
    }

    private void register(int job, RegisterJobRequestProto.Builder registration) throws Exception {
        fixture.registry().register(applications.run(Jobs.attempt(job, 1)), Jobs.LIMITS, registration.build());
    }

    private JobPlan plan(int job) {
        return fixture.state()
                .plan()
                .current()
                .of(Jobs.attempt(job, 1).getApplicationId())
                .orElseThrow();
    }

    private int workers(int job) {
        return plan(job).planned().allocation().workers();
    }

    private Round round(String policy) {
        return fixture.round(Strategies.named(policy).bySeed().apply(1), Set.of(), yarn);
    }

    /** A job that is not preemptible holds the cluster when another one comes. */
    private void runUnpreemptibleBesideAnother() throws Exception {
        Round round = round("drf");
        register(1, Jobs.allReduce().setPreemptible(false).setMinRunSeconds(1_000_000));
        cluster.hold(1, Placement.of(Map.of("a:1", Jobs.size(0, 8))));
        cluster.occupy("b:1", 8);
        round.run(Set.of());
        register(2, Jobs.allReduce());
        round.run(Set.of());
    }

    @Test
    public void aJobThatMayNotShrinkKeepsWhatItHoldsWhereItsQueueAllowsThat() throws Exception {
        runUnpreemptibleBesideAnother();

        assertThat(workers(1)).isEqualTo(8);
        assertThat(plan(1).reason()).doesNotContain("its queue");
    }

    @Test
    public void aQueueLetsEveryJobShrinkAndItsOwnerReadsWhy() throws Exception {
        yarn.set("yarn.scheduler.optimus.queue.root.unpreemptible-jobs", "preempted");
        yarn.set("yarn.scheduler.optimus.queue.root.default.min-run-limit", "0s");

        runUnpreemptibleBesideAnother();

        assertThat(workers(1)).isEqualTo(4);
        assertThat(workers(2)).isEqualTo(4);
        assertThat(plan(1).reason()).contains("its queue lets every job shrink");
    }

    @Test
    public void aUserWithManyJobsGetsNoMoreThanOneWithFew() throws Exception {
        yarn.set("yarn.scheduler.optimus.queue.root.jobs-per-user", "1");
        for (int job = 1; job <= 12; job++) {
            register(job, Jobs.allReduce());
        }
        cluster.own(12, "bob");

        round("drf").run(Set.of());

        assertThat(workers(1)).isEqualTo(8);
        assertThat(workers(12)).isEqualTo(8);
        assertThat(plan(2).reason()).contains("only 1 job of user alice may count");
    }

    @Test
    public void whatCountedJobsLeaveGoesToTheOthers() throws Exception {
        yarn.set("yarn.scheduler.optimus.jobs-per-user", "1");
        for (int job = 1; job <= 4; job++) {
            register(job, Jobs.allReduce().clearRoles().addRoles(Jobs.role(RoleProto.WORKER, 1, 4, 11, 1)));
        }
        cluster.own(4, "bob");

        round("drf").run(Set.of());

        assertThat(workers(4)).isEqualTo(4);
        assertThat(workers(1) + workers(2) + workers(3)).isEqualTo(12);
    }

    @Test
    public void aloneAUserMayUseAllJobs() throws Exception {
        yarn.set("yarn.scheduler.optimus.jobs-per-user", "1");
        for (int job = 1; job <= 4; job++) {
            register(job, Jobs.allReduce());
        }

        round("drf").run(Set.of());

        for (int job = 1; job <= 4; job++) {
            assertThat(workers(job)).isEqualTo(4);
            assertThat(plan(job).reason()).doesNotContain("count");
        }
    }
}
