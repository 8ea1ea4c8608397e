package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.plan.Strategies;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Ordinary applications that come later and wait for more than there is, in the queue of a running job. */
public final class BacklogTest {
    private static final int MINIMUM = 2;
    private static final int MAXIMUM = 8;

    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    @Test
    public void runningTrainingKeepsItsMinimumAgainstALaterApplicationOfAnotherUser() throws Exception {
        keepsItsMinimumAgainstALaterApplicationOf("bob");
    }

    @Test
    public void runningTrainingKeepsItsMinimumAgainstALaterApplicationOfItsUser() throws Exception {
        keepsItsMinimumAgainstALaterApplicationOf("alice");
    }

    private static void keepsItsMinimumAgainstALaterApplicationOf(String user) throws Exception {
        try (BusyCluster cluster = new BusyCluster(Map.of());
                ScriptedTraining training = cluster.training("promised", "alice", job())) {
            Await.until("the job runs at its maximum", () -> {
                training.step();
                cluster.heartbeat();
                return training.size() == MAXIMUM;
            });

            FakeApplicationMaster later = cluster.ordinary("promised", user);
            later.askAnywhere(1, BusyCluster.task(), 100);

            Await.until("the job gives up what it can", () -> {
                training.step();
                cluster.heartbeat();
                assertThat(training.size()).as(training.reason()).isGreaterThanOrEqualTo(MINIMUM);
                return training.size() == MINIMUM && later.granted().size() == BusyCluster.GPUS - MINIMUM;
            });
            staysAtItsMinimum(cluster, training);
        }
    }

    /** The policies take turns on one cluster, as queues are refreshed. */
    @Test
    public void everyPolicyKeepsRunningJobsAtTheirMinimumAgainstALaterApplicationOfAnotherUser() throws Exception {
        try (BusyCluster cluster = new BusyCluster(Map.of());
                ScriptedTraining first = cluster.training("promised", "alice", job());
                ScriptedTraining second = cluster.training("promised", "alice", job())) {
            for (String policy : Strategies.practicable()) {
                cluster.refresh(Map.of("yarn.scheduler.optimus.policy", policy));
                Await.until("both jobs run on all GPUs under " + policy, () -> {
                    step(cluster, first, second);
                    return first.size() + second.size() == BusyCluster.GPUS;
                });

                FakeApplicationMaster later = cluster.ordinary("promised", "bob");
                later.askAnywhere(1, BusyCluster.task(), 100);

                Await.until("both jobs give up what they can under " + policy, () -> {
                    step(cluster, first, second);
                    keepTheirMinimums(policy, first, second);
                    return later.held() == BusyCluster.GPUS - 2 * MINIMUM;
                });
                for (int i = 0; i < 60; i++) {
                    step(cluster, first, second);
                    keepTheirMinimums(policy, first, second);
                }
                cluster.end(later);
            }
        }
    }

    @Test
    public void aJobThatMayNotShrinkTakesNothingFromTheMinimumOfAnother() throws Exception {
        RegisterJobRequestProto unpreemptible =
                job().toBuilder().setPreemptible(false).build();
        try (BusyCluster cluster = new BusyCluster(Map.of());
                ScriptedTraining first = cluster.training("promised", "alice", unpreemptible);
                ScriptedTraining second = cluster.training("promised", "alice", job())) {
            Await.until("both jobs run on all GPUs", () -> {
                step(cluster, first, second);
                return first.size() + second.size() == BusyCluster.GPUS;
            });

            FakeApplicationMaster later = cluster.ordinary("promised", "bob");
            later.askAnywhere(1, BusyCluster.task(), 100);

            Await.until("the other job gives up what it can", () -> {
                step(cluster, first, second);
                keepTheirMinimums("drf", first, second);
                return later.held() == BusyCluster.GPUS - MAXIMUM - MINIMUM;
            });
            assertThat(first.size()).isEqualTo(MAXIMUM);
            for (int i = 0; i < 100; i++) {
                step(cluster, first, second);
                keepTheirMinimums("drf", first, second);
            }
        }
    }

    private static void step(BusyCluster cluster, ScriptedTraining... jobs) throws Exception {
        for (ScriptedTraining job : jobs) {
            job.step();
        }
        cluster.heartbeat();
    }

    private static void keepTheirMinimums(String policy, ScriptedTraining... jobs) {
        for (ScriptedTraining job : jobs) {
            assertThat(job.size()).as("under " + policy + ": " + job.reason()).isGreaterThanOrEqualTo(MINIMUM);
        }
    }

    @Test
    public void withoutPreemptionRunningTrainingKeepsItsMinimumAgainstAnotherQueuesGuarantee() throws Exception {
        againstTheGuaranteeOfAnotherQueue(Map.of(), MINIMUM);
    }

    @Test
    public void withPreemptionRunningTrainingGivesAnotherQueueItsGuarantee() throws Exception {
        againstTheGuaranteeOfAnotherQueue(BusyCluster.preemption(), 0);
    }

    /** All GPUs but those of the job are held by ordinary tasks of its own queue, so the other queue has none. */
    private static void againstTheGuaranteeOfAnotherQueue(Map<String, String> settings, int left) throws Exception {
        try (BusyCluster cluster = new BusyCluster(settings);
                ScriptedTraining training = cluster.training("promised", "alice", job())) {
            Await.until("the job runs at its maximum", () -> {
                training.step();
                cluster.heartbeat();
                return training.size() == MAXIMUM;
            });
            FakeApplicationMaster own = cluster.ordinary("promised", "alice");
            own.askAnywhere(1, BusyCluster.task(), 100);
            Await.until("its queue holds every GPU", () -> {
                training.step();
                cluster.heartbeat();
                return own.granted().size() == BusyCluster.GPUS - MINIMUM;
            });

            FakeApplicationMaster other = cluster.ordinary("busy", "bob");
            other.askAnywhere(1, BusyCluster.task(), 100);
            if (left == 0) {
                Await.until("the other queue has its guarantee", () -> {
                    training.step();
                    cluster.heartbeat();
                    return other.granted().size() >= BusyCluster.GPUS / 2;
                });
            } else {
                staysAtItsMinimum(cluster, training);
            }
        }
    }

    private static void staysAtItsMinimum(BusyCluster cluster, ScriptedTraining training) throws Exception {
        for (int i = 0; i < 200; i++) {
            training.step();
            cluster.heartbeat();
            assertThat(training.size()).as(training.reason()).isEqualTo(MINIMUM);
        }
    }

    private static RegisterJobRequestProto job() {
        return Jobs.allReduce()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.WORKER, MINIMUM, MAXIMUM, ScriptedTraining.WORKERS, 1))
                .build();
    }
}
