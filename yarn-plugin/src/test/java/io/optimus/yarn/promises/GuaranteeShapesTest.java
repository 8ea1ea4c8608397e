package io.optimus.yarn.promises;

import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** A queue below its guarantee gets it from one that holds every GPU, whatever its jobs and the queue look like. */
@RunWith(Parameterized.class)
public final class GuaranteeShapesTest {
    private static final String QUEUES = "yarn.scheduler.capacity.root.";
    private static final int GUARANTEED = BusyCluster.GPUS / 2;

    @Parameter
    public String policy = "";

    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Map<String, String> settings = new HashMap<>();

    @Parameters(name = "{0}")
    public static List<String> policies() {
        return List.of("marginal-goodput", "optimus", "fifo");
    }

    @Test
    public void parameterServersAndWorkersAreServed() throws Exception {
        serves("promised", "", GUARANTEED, List.of(serversAndWorkers()));
    }

    @Test
    public void preemptionServesParameterServersAndWorkers() throws Exception {
        settings.putAll(BusyCluster.preemption());
        serves("promised", "", GUARANTEED, List.of(serversAndWorkers()));
    }

    @Test
    public void aJobThatStartsWithSeveralWorkersIsServed() throws Exception {
        serves("promised", "", GUARANTEED, List.of(workers(5, GUARANTEED, 1)));
    }

    @Test
    public void workersOfSeveralGpusAreServed() throws Exception {
        serves("promised", "", GUARANTEED / 2, List.of(workers(1, GUARANTEED / 2, 2)));
    }

    @Test
    public void workersThatFillNodesAreServed() throws Exception {
        serves("promised", "", 2, List.of(workers(2, 2, 4)));
    }

    @Test
    public void severalUsersAreServed() throws Exception {
        serves("promised", "", GUARANTEED, List.of(workers(1, GUARANTEED, 1), workers(1, GUARANTEED, 1)));
    }

    @Test
    public void aQueueOfThreeLevelsIsServedItsPart() throws Exception {
        settings.put(QUEUES + "promised.queues", "team");
        settings.put(QUEUES + "promised.team.capacity", "100");
        settings.put(QUEUES + "promised.team.queues", "one,two");
        settings.put(QUEUES + "promised.team.one.capacity", "50");
        settings.put(QUEUES + "promised.team.two.capacity", "50");
        settings.put(QUEUES + "promised.team.one.user-limit-factor", "10");
        serves("root.promised.team.one", "", GUARANTEED / 2, List.of(workers(1, GUARANTEED / 2, 1)));
    }

    @Test
    public void aQueueThatIsGuaranteedLabelledNodesIsServed() throws Exception {
        settings.put("yarn.node-labels.enabled", "true");
        settings.put(
                "yarn.node-labels.fs-store.root-dir", folder.getRoot().toURI().toString());
        settings.put(QUEUES + "accessible-node-labels", "fast");
        settings.put(QUEUES + "accessible-node-labels.fast.capacity", "100");
        for (String queue : List.of("promised", "busy")) {
            settings.put(QUEUES + queue + ".accessible-node-labels", "fast");
            settings.put(QUEUES + queue + ".accessible-node-labels.fast.capacity", "50");
        }
        serves("promised", "fast", GUARANTEED, List.of(workers(1, GUARANTEED, 1)));
    }

    private void serves(String queue, String label, int workers, List<RegisterJobRequestProto> jobs) throws Exception {
        settings.put("yarn.scheduler.optimus.policy", policy);
        boolean preempts = settings.containsKey("yarn.resourcemanager.scheduler.monitor.enable");
        try (BusyCluster cluster = new BusyCluster(settings)) {
            for (int node = 0; node < 4 && !label.isEmpty(); node++) {
                cluster.label(node, label);
            }
            List<ScriptedTraining> trainings = new ArrayList<>();
            List<FakeApplicationMaster> masters = new ArrayList<>();
            for (int user = 0; user < jobs.size(); user++) {
                masters.add(cluster.launch(queue, "user" + user, user, label));
            }
            FakeApplicationMaster busy = cluster.occupy(label);
            for (int user = 0; user < jobs.size(); user++) {
                trainings.add(cluster.training(masters.get(user), jobs.get(user)));
            }
            Await.until("the guarantee is served", () -> {
                int size = 0;
                boolean waits = false;
                for (ScriptedTraining training : trainings) {
                    training.step();
                    size += training.size();
                    waits |= training.master().pending() > 0;
                }
                if (waits && !preempts) {
                    cluster.endOne(busy);
                }
                cluster.heartbeat();
                return size == workers;
            });
        }
    }

    private static RegisterJobRequestProto serversAndWorkers() {
        return Jobs.allReduce()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.PARAMETER_SERVER, 1, GUARANTEED, ScriptedTraining.SERVERS, 0))
                .addRoles(Jobs.role(RoleProto.WORKER, 1, GUARANTEED, ScriptedTraining.WORKERS, 1))
                .build();
    }

    private static RegisterJobRequestProto workers(int minimum, int maximum, int gpus) {
        RoleSpecProto.Builder workers = Jobs.role(RoleProto.WORKER, minimum, maximum, ScriptedTraining.WORKERS, gpus);
        return Jobs.allReduce().clearRoles().addRoles(workers).build();
    }
}
