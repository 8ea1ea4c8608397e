package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.read.TrainingApplication;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

/** Jobs of 1 to 4 parameter servers and 1 to 8 workers on nodes a and b, in a queue to which 4 GPUs are guaranteed. */
public final class GuaranteedDemandTest {
    private static final Resources SERVER = Resources.of(1024, 1, 0);
    private static final Resources WORKER = Resources.of(1024, 1, 1);
    private static final JobDemand DEMAND = new JobDemand(new RoleDemand(SERVER, 1, 4), new RoleDemand(WORKER, 1, 8));
    private static final Map<String, Resources> FULL = Map.of();
    private static final Map<String, Resources> CORES_ON_B = Map.of("b", Resources.of(4096, 4, 0));
    private static final Map<String, Resources> GPU_ON_B = Map.of("b", Resources.of(4096, 4, 1));

    private static final long TIMEOUT_MILLIS = 30_000;

    private final GuaranteedDemand demand = new GuaranteedDemand(() -> TIMEOUT_MILLIS);
    private long nowMillis = 1_000_000;

    private static ApplicationId id(int job) {
        return Jobs.attempt(job, 1).getApplicationId();
    }

    private static Placement on(String node, int servers, int workers) {
        return Placement.of(Map.of(node, Jobs.size(servers, workers)));
    }

    private static ApplicationUsage usage(int job, Placement live) {
        TrainingApplication application = new TrainingApplication(
                id(job),
                Map.of(
                        Role.PARAMETER_SERVER, new TrainingApplication.RoleShape(10, SERVER, 1, 4),
                        Role.WORKER, new TrainingApplication.RoleShape(11, WORKER, 1, 8)));
        return new ApplicationUsage(application, "alice", live, List.of(), false, new TreeSet<>());
    }

    private static GuaranteedDemand.JobTarget job(int job, Placement live, Placement target, Allocation wanted) {
        return new GuaranteedDemand.JobTarget(usage(job, live), DEMAND, target, wanted);
    }

    private Map<ApplicationId, Allocation> divide(Map<String, Resources> free, GuaranteedDemand.JobTarget... jobs) {
        QueueView queue = new QueueView(
                "root.default",
                "",
                new ClusterSnapshot(
                        List.of(
                                new NodeSnapshot("a", Resources.of(65536, 32, 8), Resources.NONE),
                                new NodeSnapshot("b", Resources.of(65536, 32, 8), Resources.NONE)),
                        Resources.NONE),
                new QueueView.OrdinaryUsage(Resources.NONE, Resources.NONE),
                new TreeMap<>(),
                new TreeMap<>(),
                new QueueView.Guarantee(Resources.of(65536, 32, 4), new TreeMap<>()),
                List.of(jobs).stream().map(GuaranteedDemand.JobTarget::usage).toList());
        return demand.divide(List.of(queue), List.of(jobs), free, nowMillis);
    }

    @Test
    public void aJobThatStartsAsksForAllItsTasksIfOneRoleHasNoRoom() {
        assertThat(divide(CORES_ON_B, job(1, Placement.NONE, Placement.NONE, Jobs.size(1, 2))))
                .containsEntry(id(1), Jobs.size(1, 2));
    }

    @Test
    public void asksForNoMoreThanTheGuarantee() {
        assertThat(divide(
                        FULL,
                        job(1, Placement.NONE, Placement.NONE, Jobs.size(1, 3)),
                        job(2, Placement.NONE, Placement.NONE, Jobs.size(1, 3)),
                        job(3, Placement.NONE, Placement.NONE, Jobs.size(1, 3))))
                .isEqualTo(Map.of(id(1), Jobs.size(1, 3), id(2), Jobs.size(1, 1)));
    }

    @Test
    public void beginsToAskOnlyWhereNoNodeHasRoom() {
        GuaranteedDemand.JobTarget running = job(1, on("a", 1, 1), on("a", 1, 1), Jobs.size(1, 3));
        assertThat(divide(GPU_ON_B, running)).as("the plan waits for node a").isEmpty();
        assertThat(divide(CORES_ON_B, running)).containsEntry(id(1), Jobs.size(1, 3));
        assertThat(divide(GPU_ON_B, running))
                .as("another queue may get the room on b first")
                .containsEntry(id(1), Jobs.size(1, 3));
    }

    @Test
    public void doesNotAskForRoomThatTrainingIsAboutToRelease() {
        GuaranteedDemand.JobTarget grows = job(2, on("b", 1, 1), on("b", 1, 1), Jobs.size(1, 3));
        assertThat(divide(FULL, job(1, on("a", 1, 2), on("a", 1, 1), Jobs.size(1, 1)), grows))
                .as("one worker of job 1 leaves")
                .isEqualTo(Map.of(id(2), Jobs.size(1, 2)));
        assertThat(new GuaranteedDemandTest().divide(FULL, grows)).isEqualTo(Map.of(id(2), Jobs.size(1, 3)));
    }

    @Test
    public void takesUpWhatYarnGrantsInPlaceOfWhatWasPlannedElsewhere() {
        Placement planned = on("a", 1, 3);
        assertThat(demand.withGranted(usage(1, on("b", 0, 1)), planned, Jobs.size(1, 3)))
                .as("it asked for nothing")
                .isEqualTo(planned);

        divide(FULL, job(1, Placement.NONE, Placement.NONE, Jobs.size(1, 3)));

        assertThat(demand.withGranted(usage(1, on("b", 0, 1)), planned, Jobs.size(1, 3)))
                .isEqualTo(Placement.of(Map.of("a", Jobs.size(1, 2), "b", Jobs.size(0, 1))));
        assertThat(demand.withGranted(usage(1, on("b", 1, 3)), planned, Jobs.size(1, 3)))
                .isEqualTo(on("b", 1, 3));
        assertThat(demand.withGranted(usage(1, on("b", 1, 5)), planned, Jobs.size(1, 3)))
                .as("no more than it wants")
                .isEqualTo(on("b", 1, 3));
    }

    @Test
    public void aSizeThatIsRequestedIsNotLoweredBeforeYarnHasGrantedIt() {
        divide(FULL, job(1, Placement.NONE, Placement.NONE, Jobs.size(1, 4)));
        nowMillis += TIMEOUT_MILLIS - 1;

        assertThat(wanted(Jobs.size(1, 3), Jobs.size(1, 3), Jobs.size(1, 3)))
                .as("with three of four workers, a round would leave it at that")
                .isEqualTo(Jobs.size(1, 4));
        assertThat(wanted(Jobs.size(1, 3), Allocation.NONE, Jobs.size(1, 3)))
                .as("YARN may choose no node for it any more")
                .isEqualTo(Allocation.NONE);
        assertThat(wanted(Jobs.size(1, 3), Jobs.size(1, 2), Jobs.size(1, 2)))
                .as("the plan shrinks it")
                .isEqualTo(Jobs.size(1, 2));
    }

    @Test
    public void aSizeThatYarnDoesNotGrantInTimeIsPlannedAnew() {
        divide(FULL, job(1, Placement.NONE, Placement.NONE, Jobs.size(1, 4)));
        nowMillis += TIMEOUT_MILLIS / 2;
        divide(FULL, job(1, on("b", 1, 2), on("b", 1, 2), Jobs.size(1, 4)));
        nowMillis += TIMEOUT_MILLIS / 2;

        assertThat(wanted(Jobs.size(1, 3), Jobs.size(1, 3), Jobs.size(1, 3))).isEqualTo(Jobs.size(1, 3));
    }

    private Allocation wanted(Allocation trainsOn, Allocation decided, Allocation planned) {
        return demand.wanted(id(1), trainsOn, decided, planned, nowMillis);
    }
}
