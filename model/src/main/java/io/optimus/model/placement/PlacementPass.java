package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.placement.PlacementDecision.Placed;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** One pass over all jobs in ascending order of tasks; it can be used once. */
final class PlacementPass {
    private static final Comparator<PlacingJob> FEWEST_TASKS_FIRST = Comparator.comparingInt(
                    (PlacingJob placing) -> placing.wanted().tasks())
            .thenComparingLong(placing -> placing.job().submitMillis())
            .thenComparing(placing -> placing.job().id());

    private final List<PlacingJob> placings;
    private final BiConsumer<PlacingJob, Allocation> extension;

    private PlacementPass(
            ClusterSnapshot cluster,
            List<JobSnapshot> jobs,
            AllocationDecision decision,
            int distributedJobsPerNode,
            BiConsumer<PlacingJob, Allocation> extension) {
        this.extension = extension;
        Stream<Resources> tasks = jobs.stream()
                .flatMap(job -> Stream.of(
                        job.demand().parameterServers().task(),
                        job.demand().workers().task()));
        ResourceAxes axes = ResourceAxes.of(cluster, tasks);
        FreeNodes nodes = new FreeNodes(cluster, axes, distributedJobsPerNode);
        this.placings = jobs.stream()
                .map(job -> new PlacingJob(job, wanted(job, decision), axes, nodes))
                .sorted(FEWEST_TASKS_FIRST)
                .toList();
    }

    /**
     * Places all jobs. Running tasks stay, unless more jobs get room if the minimums of all jobs are placed before the running
     * tasks of jobs that may shrink.
     *
     * @param distributedJobsPerNode the most jobs of several nodes that share a node, 1 or more
     * @param extension adds tasks to a job up to a size
     */
    static PlacementDecision place(
            ClusterSnapshot cluster,
            List<JobSnapshot> jobs,
            AllocationDecision decision,
            int distributedJobsPerNode,
            BiConsumer<PlacingJob, Allocation> extension) {
        SortedMap<String, Placed> staying =
                new PlacementPass(cluster, jobs, decision, distributedJobsPerNode, extension).keepingAll();
        if (waiting(staying) == 0) {
            return new PlacementDecision(staying);
        }
        SortedMap<String, Placed> moving =
                new PlacementPass(cluster, jobs, decision, distributedJobsPerNode, extension).minimumsFirst();
        return new PlacementDecision(waiting(moving) < waiting(staying) ? moving : staying);
    }

    private static long waiting(SortedMap<String, Placed> placed) {
        return placed.values().stream().filter(job -> job.reason().waits()).count();
    }

    static Allocation wanted(JobSnapshot job, AllocationDecision decision) {
        Decided decided = decision.byJob().get(job.id());
        return decided == null ? Allocation.NONE : decided.allocation();
    }

    /** Keeps the running tasks that are still wanted, then adds the others. */
    private SortedMap<String, Placed> keepingAll() {
        keep(PlacingJob::wanted);
        placings.forEach(placing -> extension.accept(placing, placing.wanted()));
        return placed();
    }

    /** Places the minimums of all jobs first; running tasks beyond them stay where room is left. */
    private SortedMap<String, Placed> minimumsFirst() {
        keep(placing -> placing.job().mayShrink() ? placing.wantedMinimum() : placing.wanted());
        placings.forEach(placing -> extension.accept(placing, placing.wantedMinimum()));
        keep(PlacingJob::wanted);
        placings.forEach(placing -> extension.accept(placing, placing.wanted()));
        return placed();
    }

    /** Jobs that may not shrink take their room before the others. */
    private void keep(Function<PlacingJob, Allocation> atMost) {
        for (boolean mayShrink : new boolean[] {false, true}) {
            placings.stream()
                    .filter(placing -> placing.job().mayShrink() == mayShrink)
                    .forEach(placing -> placing.keep(atMost.apply(placing)));
        }
    }

    private SortedMap<String, Placed> placed() {
        TreeMap<String, Placed> placed = new TreeMap<>();
        placings.forEach(placing -> placed.put(placing.job().id(), placing.placed()));
        return placed;
    }
}
