package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.Placement;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GoodputObservations;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.model.throughput.ThroughputProfile;
import io.optimus.yarn.validation.ReportValidator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The step times and the gradient noise of a job that adapts its batch. Times are kept as they would be on GPUs of speed 1,
 * like its {@linkplain JobSpeeds speeds}.
 *
 * <p>Not thread-safe.
 */
final class JobBatch {
    private final GpuSpeeds gpus;
    private final JobDemand demand;
    private final ThroughputProfile profile = new ThroughputProfile();
    private Optional<GradientNoise> noise = Optional.empty();

    JobBatch(JobDemand demand, GpuSpeeds gpus) {
        this.demand = demand;
        this.gpus = gpus;
    }

    /** Takes in step times; those without a node are assigned to {@code members}, the placement of the tasks now. */
    void take(List<ReportValidator.ReportedSteps> reported, Placement members) {
        for (ReportValidator.ReportedSteps steps : reported) {
            ThroughputObservation seen = steps.observation();
            double speed = steps.workerNode()
                    .map(node -> gpus.of(demand.workers(), Placement.of(Map.of(node, new Allocation(0, 1)))))
                    .orElseGet(() -> gpus.of(demand.workers(), members));
            profile.add(new ThroughputObservation(
                    seen.nodes(),
                    seen.replicas(),
                    seen.atomicBatch(),
                    seen.accumulatedStepSeconds() * speed,
                    seen.stepSeconds() * speed));
        }
    }

    void take(GradientNoise last) {
        noise = Optional.of(last);
    }

    /** What can have been observed, on numbers of workers that can have run. */
    GoodputObservations observations(BatchLimits limits, Predicate<Allocation> canHaveRun) {
        return new GoodputObservations(
                limits,
                profile.observations().stream()
                        .filter(seen -> canHaveRun.test(new Allocation(0, seen.replicas())))
                        .toList(),
                noise);
    }
}
