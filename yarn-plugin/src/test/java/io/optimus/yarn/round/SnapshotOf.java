package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.policy.RoleDemand;
import io.optimus.model.speed.SpeedFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Jobs and clusters as a round sees them: 1 to 4 parameter servers, 1 to 8 workers with a GPU each. */
final class SnapshotOf {
    static final Resources SERVER = Resources.of(1024, 1, 0);
    static final Resources WORKER = Resources.of(1024, 1, 1);

    private SnapshotOf() {}

    /** Nodes a, b, ... with so many GPUs each, and a budget of so many. */
    static ClusterSnapshot cluster(int nodes, int gpus, int budgetGpus) {
        List<NodeSnapshot> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            Resources capacity = Resources.of(65536, 64, gpus);
            all.add(new NodeSnapshot((char) ('a' + i) + ":1", capacity, capacity));
        }
        return new ClusterSnapshot(all, Resources.of(1 << 20, 1 << 10, budgetGpus));
    }

    static JobSnapshot job(String id, Placement current, SpeedFunction speed, double remainingSteps) {
        return job(id, current, Optional.of(speed), OptionalDouble.of(remainingSteps));
    }

    static JobSnapshot job(String id, Placement current, Optional<SpeedFunction> speed, OptionalDouble remainingSteps) {
        return new JobSnapshot(
                id,
                0,
                0,
                TrainingMode.SYNCHRONOUS,
                new RoleDemand(SERVER, 1, 4),
                new RoleDemand(WORKER, 1, 8),
                current,
                speed,
                remainingSteps,
                false,
                Optional.empty(),
                true,
                1,
                100);
    }

    static Placement on(String node, int servers, int workers) {
        return Placement.of(Map.of(node, new Allocation(servers, workers)));
    }
}
