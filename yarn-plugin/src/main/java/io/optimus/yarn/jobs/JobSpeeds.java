package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SpeedSamples;
import io.optimus.yarn.validation.ReportValidator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The speeds that a job reported, as they would be on GPUs of speed 1, so that one speed function serves all types.
 *
 * <p>Example: 1 ps + 2 workers ran 10 steps/s on GPUs of speed 2.5. This is kept as 4 steps/s.
 *
 * <p>Not thread-safe.
 */
final class JobSpeeds {
    private final GpuSpeeds gpus;
    private final JobDemand demand;
    private final SpeedSamples samples;

    /** Keeps at most {@code mostSizes} sizes of a job with {@code demand}, measured on a cluster with {@code gpus}. */
    JobSpeeds(int mostSizes, JobDemand demand, GpuSpeeds gpus) {
        this.gpus = gpus;
        this.demand = demand;
        this.samples = new SpeedSamples(mostSizes);
    }

    /**
     * Takes in samples. A sample without a node is assigned to the present members if they have the measured size, else
     * to the members before the report if those have it. If neither have it, the sample's GPUs count as speed 1.
     *
     * @param members placement of the tasks now
     * @param membersBefore placement of the tasks before the report
     * @return whether a size was measured for the first time
     */
    boolean take(List<ReportValidator.ReportedSpeed> reported, Placement members, Placement membersBefore) {
        int sizesBefore = reported();
        for (ReportValidator.ReportedSpeed speed : reported) {
            SpeedSample sample = speed.sample();
            samples.add(speed.workerNode()
                    .map(node -> onGpusOfSpeedOne(sample, Placement.of(Map.of(node, sample.allocation()))))
                    .orElseGet(() -> {
                        Placement guessed = ofAsMany(sample.allocation(), members, membersBefore);
                        int nodes = Math.max(1, guessed.byNode().size());
                        return onGpusOfSpeedOne(sample.on(nodes), guessed);
                    }));
        }
        return reported() > sizesBefore;
    }

    /** The sizes that ran, of those that can have run; see {@link AllReduceSpeed#sizeForFit} for jobs without parameter servers. */
    MeasuredSizes sizes(Predicate<Allocation> canHaveRun) {
        return new MeasuredSizes(samples.sizes().sizes().stream()
                .filter(size -> canHaveRun.test(AllReduceSpeed.sizeOfJob(demand, size.allocation())))
                .toList());
    }

    /** The number of sizes with samples. */
    int reported() {
        return samples.sizes().sizes().size();
    }

    private static Placement ofAsMany(Allocation measured, Placement members, Placement membersBefore) {
        return Stream.of(members, membersBefore)
                .filter(placement -> placement.allocation().equals(measured))
                .findFirst()
                .orElse(Placement.NONE);
    }

    private SpeedSample onGpusOfSpeedOne(SpeedSample sample, Placement on) {
        return new SpeedSample(
                AllReduceSpeed.sizeForFit(demand, sample.allocation()),
                sample.nodes(),
                sample.stepsPerSecond() / gpus.of(demand.workers(), on),
                sample.seconds());
    }
}
