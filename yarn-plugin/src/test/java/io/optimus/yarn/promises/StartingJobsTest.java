package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Many jobs that start at once on idle GPUs, beside ordinary applications whose small tasks come and go all the time. */
public final class StartingJobsTest {
    private static final int NODES = 20;
    private static final int JOBS = 16;
    private static final int ORDINARY = 10;
    private static final int BEATS = 100;
    private static final int DELAY_MILLIS = 200;
    private static final int BEAT_MILLIS = 50;

    @Rule
    public final Timeout timeout = new Timeout(150, TimeUnit.SECONDS);

    /** One job, and what it was to hold at the last beat. */
    private static final class Starting {
        private final ScriptedTraining training;
        private SortedMap<String, Allocation> target = new TreeMap<>();
        private int waited;
        private int longestWait;
        private int moves;

        Starting(ScriptedTraining training) {
            this.training = training;
        }

        /** Counts a move where tasks that the job still waits for are no longer in its target. */
        void step() throws Exception {
            SortedMap<String, Allocation> before = target;
            boolean waits = !isWithin(before, training.byNode());
            training.step();
            target = training.target();
            moves += waits && !isWithin(before, target) ? 1 : 0;
            waited = waits ? waited + 1 : 0;
            longestWait = Math.max(longestWait, waited);
        }

        private static boolean isWithin(SortedMap<String, Allocation> tasks, SortedMap<String, Allocation> others) {
            return tasks.entrySet().stream()
                    .allMatch(node -> node.getValue().isWithin(others.getOrDefault(node.getKey(), Allocation.NONE)));
        }
    }

    @Test
    public void allJobsStartWhereThereAreGpusForAll() throws Exception {
        List<Starting> jobs = run(4);
        assertThat(jobs).allMatch(job -> job.training.size() == 4);
        assertThat(jobs).allMatch(job -> job.moves == 0);
    }

    @Test
    public void aJobKeepsThePlaceWhereItStartsWhileOthersGrow() throws Exception {
        List<Starting> jobs = run(8);
        assertThat(jobs).allMatch(job -> job.moves == 0);
        assertThat(jobs.stream().mapToInt(job -> job.longestWait).max().orElseThrow())
                .as("beats until a target is met")
                .isLessThan(BEATS / 2);
    }

    /** Runs jobs of that many workers at most. */
    private static List<Starting> run(int workers) throws Exception {
        Map<String, String> settings = Map.of(
                "yarn.scheduler.optimus.policy",
                "marginal-goodput",
                // Each job carries out a plan before the next round, also on a busy machine.
                "yarn.scheduler.optimus.round-interval",
                "1500ms",
                "yarn.scheduler.optimus.round-gap",
                "1500ms",
                // With YARN's default of 1, a node whose heartbeat places a small task places no worker.
                "yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments",
                "10");
        try (BusyCluster cluster = new BusyCluster(NODES, settings)) {
            List<FakeApplicationMaster> masters = new ArrayList<>();
            for (int job = 0; job < JOBS; job++) {
                masters.add(cluster.launch("promised", "alice", job % NODES, ""));
            }
            List<FakeApplicationMaster> ordinary = new ArrayList<>();
            for (int application = 0; application < ORDINARY; application++) {
                FakeApplicationMaster master = cluster.launch("busy", "bob", application % NODES, "");
                cluster.follow(master);
                ordinary.add(master);
            }
            List<Starting> jobs = new ArrayList<>();
            for (FakeApplicationMaster master : masters) {
                jobs.add(new Starting(cluster.training(master, job(workers)).delayed(DELAY_MILLIS)));
            }
            for (int beat = 0; beat < BEATS; beat++) {
                churn(ordinary, beat);
                cluster.heartbeat();
                for (Starting job : jobs) {
                    job.step();
                }
                Thread.sleep(BEAT_MILLIS);
            }
            return jobs;
        }
    }

    /** Each application ends its tasks and asks for others at every tenth beat. */
    private static void churn(List<FakeApplicationMaster> ordinary, int beat) throws Exception {
        Resource small = LocalResourceManager.resource(512, 1, 0);
        for (int i = beat % 10; i < ordinary.size(); i += 10) {
            FakeApplicationMaster master = ordinary.get(i);
            List<Container> granted = master.granted();
            master.release(granted.stream()
                    .skip(Math.max(0, granted.size() - 1))
                    .map(Container::getId)
                    .toList());
            master.askAnywhere(1, small, 1);
        }
    }

    private static RegisterJobRequestProto job(int workers) {
        return Jobs.allReduce()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.WORKER, 2, workers, ScriptedTraining.WORKERS, 1))
                .build();
    }
}
