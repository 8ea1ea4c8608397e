package io.optimus.sim;

import io.optimus.model.Allocation;
import io.optimus.model.bound.CompletionBound;
import io.optimus.model.bound.Work;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.Foresight;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.Terms;
import io.optimus.sim.report.RunResult;
import io.optimus.sim.report.Statistics;
import io.optimus.sim.truth.SteppingTraining;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What no policy can beat on a workload: {@link CompletionBound} of its jobs' true speeds, with all their tasks beside each
 * other and without any pause; of the resources, the one that gives the largest bound.
 *
 * @param meanJctSeconds that the mean completion time is no less than
 * @param makespanSeconds that it takes at least from the first arrival to the last end
 */
record LowerBound(double meanJctSeconds, double makespanSeconds) {
    private static final LowerBound NONE = new LowerBound(0, 0);

    /**
     * Of the jobs of a run with {@code seed}; empty where the speed of one changes by itself: the least that it takes is not
     * known.
     *
     * @param capacity of all nodes
     * @param gpuSpeed of the fastest of them
     */
    static Optional<LowerBound> of(Workload workload, long seed, Resources capacity, double gpuSpeed) {
        List<Begun> begun = workload.jobs().stream()
                .map(job -> job.script().begin(Terms.of(Foresight.TOLD, Batch.FIXED), Seeds.of(seed, job.id())))
                .toList();
        if (workload.jobs().isEmpty()
                || !begun.stream().allMatch(each -> each.training() instanceof SteppingTraining)) {
            return Optional.empty();
        }
        LowerBound bound = NONE;
        for (String resource : capacity.amounts().keySet()) {
            List<Work> works = new ArrayList<>();
            for (int job = 0; job < begun.size(); job++) {
                works.add(work(workload.jobs().get(job), begun.get(job), resource, capacity, gpuSpeed));
            }
            bound = bound.orLarger(new CompletionBound(works, capacity.amount(resource)));
        }
        return Optional.of(bound);
    }

    /** Of 1 or more: what the means over runs are no less than. */
    static LowerBound mean(List<LowerBound> ofRuns) {
        return new LowerBound(
                ofRuns.stream()
                        .mapToDouble(LowerBound::meanJctSeconds)
                        .average()
                        .orElseThrow(),
                ofRuns.stream()
                        .mapToDouble(LowerBound::makespanSeconds)
                        .average()
                        .orElseThrow());
    }

    /** Beside what the first policy took, of {@code results} the first on {@code workload}. */
    String inWords(String workload, List<RunResult> results) {
        String first = results.stream()
                .filter(run -> run.workload().equals(workload))
                .map(RunResult::policy)
                .findFirst()
                .orElseThrow();
        double jct = results.stream()
                .filter(run -> run.workload().equals(workload) && run.policy().equals(first))
                .mapToDouble(run -> Statistics.of(run.jobs()).meanJct())
                .average()
                .orElseThrow();
        return String.format(
                Locale.ROOT,
                "%s: no schedule has a mean JCT below %,.0f s (%.2f of %s) or a makespan below %,.0f s",
                workload,
                meanJctSeconds,
                meanJctSeconds / jct,
                first,
                makespanSeconds);
    }

    private LowerBound orLarger(CompletionBound other) {
        return new LowerBound(
                Math.max(meanJctSeconds, other.meanCompletionSeconds()),
                Math.max(makespanSeconds, other.makespanSeconds()));
    }

    /** Over all sizes that the cluster could hold. */
    private static Work work(SimulatedJob job, Begun begun, String resource, Resources capacity, double gpuSpeed) {
        SpeedFunction speed = begun.knowledge().speed().orElseThrow();
        double steps = begun.training().remainingSteps();
        double leastSeconds = Double.POSITIVE_INFINITY;
        double leastResourceSeconds = Double.POSITIVE_INFINITY;
        for (Allocation size : sizes(job, capacity)) {
            double stepsPerSecond = Math.max(speed.stepsPerSecond(size, 1), speed.stepsPerSecond(size));
            double seconds = steps / (stepsPerSecond * gpuSpeed);
            double held = job.resources(size).amount(resource);
            leastSeconds = Math.min(leastSeconds, seconds);
            leastResourceSeconds = Math.min(leastResourceSeconds, held * seconds);
        }
        return new Work(job.arrivalSeconds(), leastSeconds, leastResourceSeconds);
    }

    private static List<Allocation> sizes(SimulatedJob job, Resources capacity) {
        List<Allocation> sizes = new ArrayList<>();
        for (int servers = job.parameterServers().min();
                servers <= job.parameterServers().max();
                servers++) {
            for (int workers = job.workers().min(); workers <= job.workers().max(); workers++) {
                Allocation size = new Allocation(servers, workers);
                if (job.resources(size).fitsIn(capacity)) {
                    sizes.add(size);
                }
            }
        }
        return sizes;
    }
}
