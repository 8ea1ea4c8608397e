package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.CountingCapacityScheduler;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.Rule;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Tests of promises of CapacityScheduler: each runs for an ordinary application on YARN's own scheduler, for an ordinary
 * application on the product's, and for a training job.
 */
@RunWith(Parameterized.class)
public abstract class PromiseTest {
    static final String QUEUES = "yarn.scheduler.capacity.root.";
    static final int GUARANTEED = BusyCluster.GPUS / 2;
    static final int BACKLOG = 100;
    private static final int BEATS = 60;

    /** Who asks, and which scheduler answers. */
    public enum Tenant {
        ORDINARY_ON_CAPACITY_SCHEDULER,
        ORDINARY_ON_OPTIMUS,
        TRAINING_ON_OPTIMUS
    }

    @Parameter
    public Tenant tenant = Tenant.TRAINING_ON_OPTIMUS;

    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Parameters(name = "{0}")
    public static Tenant[] tenants() {
        return Tenant.values();
    }

    BusyCluster cluster(Map<String, String> more) throws Exception {
        Map<String, String> settings = new HashMap<>(more);
        if (tenant == Tenant.ORDINARY_ON_CAPACITY_SCHEDULER) {
            settings.put(YarnConfiguration.RM_SCHEDULER, CountingCapacityScheduler.class.getName());
        }
        return new BusyCluster(settings);
    }

    /** An application that wants some tasks; {@code training} is null if it is an ordinary one. */
    record Application(FakeApplicationMaster master, @Nullable ScriptedTraining training) {
        /** Whether YARN knows that it wants more than it holds. */
        boolean hasAsked() {
            return master.pending() > 0;
        }

        int held() {
            return master.held();
        }
    }

    Application start(BusyCluster cluster, String queue, String user, int tasks) throws Exception {
        return start(cluster, cluster.launch(queue, user, 0, ""), tasks, BusyCluster.task());
    }

    Application start(BusyCluster cluster, FakeApplicationMaster master, int tasks, Resource task) throws Exception {
        return start(cluster, master, 1, tasks, task);
    }

    /** Lets {@code master} want {@code tasks} tasks; a training job runs with {@code minimum} or more. */
    Application start(BusyCluster cluster, FakeApplicationMaster master, int minimum, int tasks, Resource task)
            throws Exception {
        if (tenant == Tenant.TRAINING_ON_OPTIMUS) {
            return new Application(master, cluster.training(master, job(minimum, tasks, task)));
        }
        cluster.follow(master);
        master.askAnywhere(1, task, tasks);
        return new Application(master, null);
    }

    static RegisterJobRequestProto job(int minimum, int tasks, Resource task) {
        RoleSpecProto.Builder workers = Jobs.role(RoleProto.WORKER, minimum, tasks, ScriptedTraining.WORKERS, 1)
                .clearResources()
                .addResources(Jobs.amount("memory-mb", task.getMemorySize()))
                .addResources(Jobs.amount("vcores", task.getVirtualCores()))
                .addResources(Jobs.amount("yarn.io/gpu", task.getResourceValue("yarn.io/gpu")));
        return Jobs.allReduce().clearRoles().addRoles(workers).build();
    }

    /** An application that holds every GPU, and goes on with {@code minimum} tasks or more. */
    Application startsOnEveryGpu(BusyCluster cluster, String queue, int minimum) throws Exception {
        FakeApplicationMaster master = cluster.launch(queue, "alice", 0, "");
        Application application = start(cluster, master, minimum, BusyCluster.GPUS, BusyCluster.task());
        Await.until("it holds every GPU", () -> after(cluster, application) == BusyCluster.GPUS);
        return application;
    }

    /** The guarantee of the queue promised is served to an application that is submitted to {@code queue}. */
    void servesTheGuarantee(Map<String, String> settings, String queue) throws Exception {
        try (BusyCluster cluster = cluster(settings)) {
            FakeApplicationMaster busy = cluster.occupy();
            servedAsTasksEnd(cluster, busy, start(cluster, queue, "alice", GUARANTEED), GUARANTEED);
        }
    }

    /** Ends one task of {@code busy} after the other while {@code application} waits, until it holds {@code tasks}. */
    static void servedAsTasksEnd(BusyCluster cluster, FakeApplicationMaster busy, Application application, int tasks) {
        Await.until("it is served", () -> {
            if (application.hasAsked()) {
                assertThat(cluster.endOne(busy)).isTrue();
            }
            return after(cluster, application) == tasks;
        });
    }

    /** Returns what {@code application} holds after a heartbeat of everybody. */
    static int after(BusyCluster cluster, Application application) throws Exception {
        cluster.heartbeat();
        if (application.training() != null) {
            application.training().step();
        }
        return application.held();
    }

    /** Waits until {@code application} holds that many tasks; it gets no more. */
    static void settlesAt(BusyCluster cluster, Application application, int tasks) throws Exception {
        settlesWithin(cluster, application, tasks, tasks);
    }

    /** Waits until {@code application} holds at least {@code least} tasks; it never gets more than {@code most}. */
    static void settlesWithin(BusyCluster cluster, Application application, int least, int most) throws Exception {
        Await.until("it holds " + least, () -> after(cluster, application) >= least);
        for (int i = 0; i < BEATS; i++) {
            assertThat(after(cluster, application)).isBetween(least, most);
        }
    }
}
