package io.optimus.sim;

import io.optimus.model.Allocation;
import io.optimus.model.bound.CompletionBound;
import io.optimus.model.bound.Work;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.report.Statistics;
import io.optimus.sim.truth.WorkStage;
import java.util.ArrayList;
import java.util.List;

/**
 * Times that no policy can beat on a workload: the {@link CompletionBound} of the true work of its jobs. Each stage of
 * a job runs on its best size, with the best placement and without pauses; a job that can adapt its batch uses the best
 * one. The largest bound of any resource counts.
 */
final class LowerBound {
    /** Its name among the policies. */
    static final String NAME = "lower-bound";

    private LowerBound() {}

    /**
     * Returns the bound for the jobs of a run.
     *
     * @param setup the nodes; all GPUs count as the fastest of them
     */
    static Statistics of(Workload workload, long seed, SimulationSetup setup) {
        Resources capacity = setup.capacity();
        double meanJct = 0;
        double makespan = 0;
        for (String resource : capacity.amounts().keySet()) {
            List<Work> works = workload.jobs().stream()
                    .map(job -> work(job, seed, resource, setup))
                    .toList();
            CompletionBound bound = new CompletionBound(works, capacity.amount(resource));
            meanJct = Math.max(meanJct, bound.meanCompletionSeconds());
            makespan = Math.max(makespan, bound.makespanSeconds());
        }
        return Statistics.bound(workload.jobs().size(), meanJct, makespan);
    }

    private static Work work(SimulatedJob scripted, long seed, String resource, SimulationSetup setup) {
        RunOptions terms = RunOptions.of(KnowledgeSource.EXACT, Batch.ADAPTIVE);
        SimulatedJob job = scripted.under(terms);
        List<Least> leasts = new ArrayList<>();
        for (WorkStage stage :
                job.script().begin(terms, Seeds.of(seed, job.id())).stages()) {
            leasts.add(Least.of(stage, job, resource, setup));
        }
        return work(job.arrivalSeconds(), leasts);
    }

    private static Work work(double arrivalSeconds, List<Least> leasts) {
        double toEnd = leasts.stream().mapToDouble(Least::seconds).sum();
        double whole = leasts.stream().mapToDouble(Least::resourceSeconds).sum();
        double seconds = toEnd;
        double weighed = 0;
        for (Least least : leasts) {
            weighed += least.resourceSeconds() * (toEnd - least.seconds() / 2);
            toEnd -= least.seconds();
        }
        return new Work(arrivalSeconds, seconds, whole, whole > 0 ? weighed / whole : 0);
    }

    /** The least seconds of a stage on any size and, independently, its least resource seconds. */
    private record Least(double seconds, double resourceSeconds) {
        static Least of(WorkStage stage, SimulatedJob job, String resource, SimulationSetup setup) {
            List<Allocation> sizes = job.sizes(setup.capacity());
            double gpuSpeed = setup.fastestGpus();
            return new Least(
                    sizes.stream().mapToDouble(stage::seconds).min().orElseThrow() / gpuSpeed,
                    sizes.stream()
                                    .filter(size -> Double.isFinite(stage.seconds(size)))
                                    .mapToDouble(
                                            size -> job.demand().resources(size).amount(resource) * stage.seconds(size))
                                    .min()
                                    .orElseThrow()
                            / gpuSpeed);
        }
    }
}
