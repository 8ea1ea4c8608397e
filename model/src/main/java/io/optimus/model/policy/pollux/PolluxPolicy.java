package io.optimus.model.policy.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.SearchReason;
import io.optimus.model.decision.SizeChange;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.speedup.Hostings;
import io.optimus.model.policy.speedup.Replicas;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Pollux (Qiao et al., OSDI 2021, section 4.2): the division of the cluster with the largest power mean of the jobs'
 * speed-ups, searched genetically with sizes and places together.
 *
 * <p>{@link SearchProblem} has the objectives, {@link Evolution} the search, {@link Mutation} and {@link Repair} its operators,
 * {@link SearchedJob} the limits: no more than twice the most replicas that a job ran on, and no more than its minimum before
 * that. Jobs whose speed is not known count as if it were linear. Jobs that may not shrink keep what they hold, where it
 * is. Jobs that had least service so far come first where something is scarce.
 *
 * <p>Not a pure function: it remembers the best divisions of its last search, to begin the next one from, and draws from a
 * generator. The same seed and the same sequence of calls give the same decisions, whatever the order of the jobs. One
 * object belongs to one cluster or queue.
 *
 * <p>Searching {@code jobs · nodes} cells, it suits up to a few hundred nodes.
 */
public final class PolluxPolicy implements AllocationPolicy {
    private static final Comparator<JobSnapshot> LEAST_SERVICE_FIRST = Comparator.comparingDouble(
                    JobSnapshot::gpuSeconds)
            .thenComparingLong(JobSnapshot::submitMillis)
            .thenComparing(JobSnapshot::id);

    private final RandomGenerator random;
    private @Nullable LastPopulation memory;

    /** Draws from {@code random}. */
    public PolluxPolicy(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public String name() {
        return "pollux";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Map<String, Decided> decided = new HashMap<>();
        List<JobSnapshot> movable = new ArrayList<>();
        for (JobSnapshot job : jobs) {
            if (job.mayShrink() || job.current().equals(Placement.NONE)) {
                movable.add(job);
            } else {
                decided.put(job.id(), kept(job));
            }
        }
        if (!movable.isEmpty()) {
            search(without(cluster, jobs, decided), movable, jobs.size(), decided);
        }
        return AllocationDecision.of(decided);
    }

    private static Decided kept(JobSnapshot job) {
        Allocation held = job.current().allocation();
        SizeChange sizing = new SizeChange(job.trainsOn(), held, job.minimum(), false, OptionalDouble.empty());
        return new Decided(held, new SearchReason(sizing, OptionalDouble.empty()), false, Optional.of(job.current()));
    }

    /** What jobs that keep their places leave of the cluster. */
    private static ClusterSnapshot without(ClusterSnapshot cluster, List<JobSnapshot> jobs, Map<String, Decided> kept) {
        Map<String, Resources> taken = new HashMap<>();
        Resources inAll = Resources.NONE;
        for (JobSnapshot job : jobs) {
            if (kept.containsKey(job.id())) {
                job.current()
                        .byNode()
                        .forEach((node, tasks) -> taken.merge(node, job.resources(tasks), Resources::plus));
                inAll = inAll.plus(job.resources(job.current().allocation()));
            }
        }
        ClusterSnapshot left = cluster.less(taken);
        return new ClusterSnapshot(left.nodes(), left.budget().minus(inAll));
    }

    private void search(ClusterSnapshot cluster, List<JobSnapshot> movable, int jobs, Map<String, Decided> decided) {
        List<JobSnapshot> rows = movable.stream().sorted(LEAST_SERVICE_FIRST).toList();
        ResourceAxes axes = ResourceAxes.of(cluster, rows.stream().map(job -> new Replicas(job).shape()));
        Hostings hostings = new Hostings(cluster);
        List<SearchedJob> rivals = rows.stream()
                .map(job -> new SearchedJob(
                        job,
                        axes,
                        hostings.of(new Replicas(job).shape()),
                        jobs,
                        cluster.nodes().size()))
                .toList();
        SearchProblem problem = new SearchProblem(cluster, axes, rivals);
        List<String> nodes = cluster.nodes().stream().map(NodeSnapshot::id).toList();
        List<Individual> best = new Evolution(problem, random).best(beginnings(problem, nodes));
        memory = new LastPopulation(
                rows.stream().map(JobSnapshot::id).toList(),
                nodes,
                best.stream().map(Individual::replicas).toList());
        for (int job = 0; job < rows.size(); job++) {
            decided.put(rows.get(job).id(), decided(problem.rival(job), nodes, problem.row(best.get(0), job)));
        }
    }

    private List<short[]> beginnings(SearchProblem problem, List<String> nodes) {
        List<short[]> beginnings = new ArrayList<>();
        beginnings.add(problem.current().clone());
        if (memory != null) {
            beginnings.addAll(problem.adapted(memory, nodes));
        }
        return beginnings;
    }

    private static Decided decided(SearchedJob rival, List<String> nodes, short[] row) {
        Map<String, Allocation> byNode = new TreeMap<>();
        int count = 0;
        for (short here : row) {
            count += here;
        }
        Allocation size = rival.replicas().allocation(count);
        int servers = size.parameterServers();
        for (int node = 0; node < row.length; node++) {
            int here = Math.min(servers, row[node] * rival.replicas().serversEach());
            byNode.put(nodes.get(node), new Allocation(here, row[node]));
            servers -= here;
        }
        Placement placement = Placement.of(byNode);
        JobSnapshot job = rival.job();
        SizeChange sizing =
                new SizeChange(job.trainsOn(), size, job.minimum(), job.mayShrink(), OptionalDouble.empty());
        double speedup = rival.speedup(placement.byNode().size(), count);
        return new Decided(size, new SearchReason(sizing, OptionalDouble.of(speedup)), false, Optional.of(placement));
    }
}
