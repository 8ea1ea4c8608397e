package io.optimus.am.master;

import io.optimus.am.coordinator.CheckpointStore;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.job.JobSpec;
import io.optimus.am.wire.JobSecret;
import java.io.IOException;

/** Makes the coordinator of a job's training; it is not started yet. */
interface CoordinatorFactory {
    Coordinator create(
            JobSpec spec, int attempt, JobSecret secret, CheckpointStore checkpoints, CoordinatorListener listener)
            throws IOException;
}
