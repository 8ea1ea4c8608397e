package io.optimus.model.policy.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.SearchReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import io.optimus.model.policy.division.Replicas;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Pollux (Qiao et al., OSDI 2021, section 4.2): the division of the cluster with the largest power mean of the jobs'
 * speed-ups, searched genetically with sizes and places together.
 *
 * <p>{@link SearchProblem} has the objectives, {@link Evolution} the search, {@link Mutation} and {@link Repair} its operators,
 * {@link SearchedJob} the limits: a job gets no more than twice the most replicas that it ran on, and its minimum before it
 * ran. Jobs of unknown speed count as if their speed were linear. Jobs that may not shrink keep their tasks where they are, and
 * get more. If a resource is scarce, jobs with the least service so far come first.
 *
 * <p>This policy is not a pure function: it remembers the best divisions of its last search, from which the next search
 * begins, and it draws from a generator. The same seed and the same sequence of calls give the same decisions, in any
 * order of the jobs. One object belongs to one cluster or queue.
 *
 * <p>It searches jobs · nodes elements, and suits up to a few hundred nodes. On larger clusters {@link Evolution} makes fewer
 * tries a round.
 */
public final class PolluxPolicy implements AllocationPolicy {
    private static final Comparator<JobSnapshot> LEAST_SERVICE_FIRST = Comparator.comparingDouble(
                    JobSnapshot::gpuSeconds)
            .thenComparingLong(JobSnapshot::submitMillis)
            .thenComparing(JobSnapshot::id);

    private final RandomGenerator random;
    private @Nullable LastPopulation lastPopulation;

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
        Division division = Division.byAge(cluster, jobs);
        if (!division.participants().isEmpty()) {
            search(withoutKept(cluster, jobs), division);
        }
        return division.decision();
    }

    /** The cluster without the resources of jobs that keep their tasks. */
    private static ClusterSnapshot withoutKept(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Map<String, Resources> taken = new HashMap<>();
        Resources inAll = Resources.NONE;
        for (JobSnapshot job : jobs) {
            if (SearchedJob.keeps(job)) {
                job.current()
                        .byNode()
                        .forEach((node, tasks) -> taken.merge(node, job.resources(tasks), Resources::plus));
                inAll = inAll.plus(job.resources(job.current().allocation()));
            }
        }
        ClusterSnapshot left = cluster.less(taken);
        return new ClusterSnapshot(left.nodes(), left.budget().minus(inAll));
    }

    private void search(ClusterSnapshot cluster, Division division) {
        List<Participant> rows = division.participants().stream()
                .sorted(Comparator.comparing(Participant::job, LEAST_SERVICE_FIRST))
                .toList();
        ResourceAxes axes = ResourceAxes.of(cluster, rows.stream().map(row -> new Replicas(row.job()).shape()));
        NodeRoom nodeRoom = new NodeRoom(cluster);
        List<SearchedJob> searched = rows.stream()
                .map(row -> new SearchedJob(
                        row.job(), axes, nodeRoom.of(new Replicas(row.job()).shape()), rows.size(), cluster.nodes()))
                .toList();
        SearchProblem problem = new SearchProblem(cluster, axes, searched);
        List<String> nodes = cluster.nodes().stream().map(NodeSnapshot::id).toList();
        List<Individual> best = new Evolution(problem, random).best(beginnings(problem, nodes));
        lastPopulation = new LastPopulation(
                rows.stream().map(row -> row.job().id()).toList(),
                nodes,
                best.stream().map(Individual::replicas).toList());
        for (int row = 0; row < rows.size(); row++) {
            give(division, rows.get(row), searched.get(row), nodes, problem.row(best.get(0), row));
        }
    }

    private List<short[]> beginnings(SearchProblem problem, List<String> nodes) {
        List<short[]> beginnings = new ArrayList<>();
        beginnings.add(problem.current().clone());
        if (lastPopulation != null) {
            beginnings.addAll(problem.adapted(lastPopulation, nodes));
        }
        return beginnings;
    }

    private static void give(
            Division division, Participant participant, SearchedJob searched, List<String> nodes, short[] row) {
        JobSnapshot job = participant.job();
        Placement kept = SearchedJob.keeps(job) ? job.current() : Placement.NONE;
        Map<String, Allocation> byNode = new TreeMap<>(kept.byNode());
        int count = 0;
        for (short here : row) {
            count += here;
        }
        Allocation size = searched.replicas().allocation(kept.allocation().workers() + count);
        int servers = Math.max(0, size.parameterServers() - kept.allocation().parameterServers());
        for (int node = 0; node < row.length; node++) {
            int here = Math.min(servers, row[node] * searched.replicas().serversEach());
            byNode.merge(nodes.get(node), new Allocation(here, row[node]), Allocation::plus);
            servers -= here;
        }
        Placement placement = Placement.of(byNode);
        double speedup = searched.speedup(searched.nodes(row, 0), count);
        division.set(participant, placement.allocation());
        participant.place(placement);
        participant.explain(new SearchReason(participant.change(), OptionalDouble.of(speedup)));
    }
}
