package io.optimus.am.master;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.job.JobSpec;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.PortRange;
import java.io.IOException;

/** Makes the coordinator of a job's training; it is not started yet. */
interface CoordinatorFactory {
    Coordinator create(
            JobSpec spec,
            int attempt,
            JobSecret secret,
            CheckpointStore checkpoints,
            PortRange ports,
            CoordinatorListener listener)
            throws IOException;
}
