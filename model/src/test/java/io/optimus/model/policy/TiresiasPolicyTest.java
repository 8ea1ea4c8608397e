package io.optimus.model.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.List;
import org.junit.Test;

public class TiresiasPolicyTest {
    private static final double THRESHOLD = 57_600;

    private static JobSnapshot job(String id, long submitted, int workers, double workerSeconds) {
        return job(id, submitted, workers, workerSeconds, Placement.NONE);
    }

    private static JobSnapshot job(String id, long submitted, int workers, double workerSeconds, Placement current) {
        return Jobs.resnet(id)
                .submitted(submitted)
                .servers(Jobs.SERVER, 1, 1)
                .requested(1, workers)
                .history(new JobHistory(workerSeconds, workerSeconds, 0, Allocation.NONE))
                .on(current)
                .snapshot();
    }

    private static int workers(String id, JobSnapshot... jobs) {
        return new TiresiasPolicy()
                .allocate(Clusters.ofGpus(1, 4), List.of(jobs))
                .job(id)
                .allocation()
                .workers();
    }

    @Test
    public void givesRequestedSizesInOrderOfSubmission() {
        JobSnapshot[] jobs = {job("b", 2, 2, 0), job("a", 1, 3, 0), job("c", 3, 1, 0)};

        assertThat(workers("a", jobs)).isEqualTo(3);
        assertThat(workers("b", jobs)).isZero();
        assertThat(workers("c", jobs)).as("takes the GPUs that b leaves").isEqualTo(1);
    }

    @Test
    public void putsJobsWithMuchServiceBehindJobsWithLittle() {
        JobSnapshot old = job("old", 1, 4, THRESHOLD, Clusters.on(0, 1, 4));
        JobSnapshot fresh = job("fresh", 2, 1, 0);

        assertThat(workers("fresh", old, fresh)).isEqualTo(1);
        assertThat(workers("old", old, fresh)).as("whole or not at all").isZero();
    }

    @Test
    public void leavesJobsBelowTheThresholdInFront() {
        JobSnapshot old = job("old", 1, 4, THRESHOLD - 1, Clusters.on(0, 1, 4));

        assertThat(workers("old", old, job("fresh", 2, 1, 0))).isEqualTo(4);
    }

    @Test
    public void reportsAttainedService() {
        AllocationDecision decision =
                new TiresiasPolicy().allocate(Clusters.ofGpus(1, 4), List.of(job("old", 1, 4, THRESHOLD)));

        assertThat(decision.job("old").reason().figures())
                .containsEntry("gpuSecondsSoFar", 57_600.0)
                .containsEntry("gpuSecondsThreshold", 57_600.0)
                .containsEntry("jobsBefore", 0.0);
    }
}
