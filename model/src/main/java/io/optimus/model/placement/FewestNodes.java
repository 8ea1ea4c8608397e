package io.optimus.model.placement;

import io.optimus.model.Allocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the nodes for more tasks of one job: as few nodes as hold them, in as few racks as possible. An even split of a job
 * without tasks is tried first (Optimus, section 4.2), then the whole target as it fits, then as much of it as has room, but
 * no less than the job accepts.
 */
final class FewestNodes {
    /**
     * The result.
     *
     * @param spots nodes with the tasks that the job gets there
     * @param even whether the split is even
     */
    record Found(List<TasksOnNode> spots, boolean even) {}

    private final PlacingJob job;
    private final FreeNodes nodes;
    private final Allocation target;
    private final List<Integer> used;

    /**
     * Looks for nodes for a job.
     *
     * @param target all tasks that the job is to have, at least those that it has
     */
    FewestNodes(PlacingJob job, FreeNodes nodes, Allocation target) {
        this.job = job;
        this.nodes = nodes;
        this.target = target;
        this.used = job.usedNodes();
    }

    /** Returns the nodes; empty if not even the fewest tasks that the job accepts have room. */
    Optional<Found> find() {
        List<SplitSearch> searches = searches();
        Optional<List<TasksOnNode>> split = used.isEmpty()
                ? searches.stream()
                        .flatMap(search -> Stream.ofNullable(search.even(target)))
                        .findFirst()
                : Optional.empty();
        if (split.isPresent()) {
            return Optional.of(new Found(inFewerRacks(split.get()), true));
        }
        return searches.stream()
                .flatMap(search -> Stream.ofNullable(largestThatFits(search)))
                .max(Comparator.comparingInt(FewestNodes::tasks))
                .map(spots -> new Found(inFewerRacks(spots), false));
    }

    private static int tasks(List<TasksOnNode> spots) {
        return spots.stream().mapToInt(spot -> spot.tasks().tasks()).sum();
    }

    /** The candidates: several nodes. Single nodes come before them if the jobs of several nodes on a node are limited. */
    private List<SplitSearch> searches() {
        List<SplitSearch> searches = new ArrayList<>();
        if (nodes.limitsDistributedJobs() && used.size() < 2) {
            candidates(node -> true).all().stream()
                    .limit(used.isEmpty() ? Long.MAX_VALUE : 1)
                    .map(FewestNodes::alone)
                    .forEach(searches::add);
        }
        if (used.stream().allMatch(this::mayBeOneOfSeveral)) {
            CandidateNodes candidates = candidates(this::mayBeOneOfSeveral);
            searches.add(new SplitSearch(candidates, forServers(candidates)));
        }
        return searches;
    }

    private static SplitSearch alone(TasksOnNode spot) {
        return new SplitSearch(
                new CandidateNodes(() -> List.of(spot).iterator()),
                new CandidateNodes(() -> Collections.emptyIterator()));
    }

    /** Whether the job may be on this node and on others. */
    private boolean mayBeOneOfSeveral(int node) {
        return nodes.takesDistributedJob(node) || (used.size() > 1 && isUsed(node));
    }

    private boolean isUsed(int node) {
        return !job.on(node).isNone();
    }

    /** The nodes of the job first, then those where it ran before, then those with room for a worker, most capacity first. */
    private CandidateNodes candidates(IntPredicate which) {
        Set<Integer> own = new LinkedHashSet<>();
        used.stream()
                .sorted(Comparator.comparingInt(node -> -job.on(node).tasks()))
                .forEach(own::add);
        own.addAll(job.runningFullestFirst());
        return new CandidateNodes(() -> Stream.concat(
                        own.stream().filter(which::test),
                        stream(nodes.forWorkers(job.sizes(), target))
                                .filter(which::test)
                                .limit(target.tasks() + own.size())
                                .filter(node -> !own.contains(node)))
                .map(this::spot)
                .iterator());
    }

    /** Nodes for parameter servers that are no candidates for workers. */
    private CandidateNodes forServers(CandidateNodes candidates) {
        return new CandidateNodes(() -> {
            Set<Integer> seen = new HashSet<>();
            candidates.all().forEach(spot -> seen.add(spot.node()));
            return stream(nodes.forServers(job.sizes()))
                    .filter(this::mayBeOneOfSeveral)
                    .limit(target.parameterServers() + seen.size())
                    .filter(node -> !seen.contains(node))
                    .map(this::spot)
                    .iterator();
        });
    }

    private static Stream<Integer> stream(Iterator<Integer> nodes) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(nodes, Spliterator.ORDERED), false);
    }

    private TasksOnNode spot(int node) {
        return new TasksOnNode(node, job.sizes(), nodes.room(node), job.on(node));
    }

    private List<TasksOnNode> inFewerRacks(List<TasksOnNode> spots) {
        return new FewerRacks(nodes, Set.copyOf(used)).of(spots, () -> stream(nodes.forWorkers(job.sizes(), target))
                .filter(node -> !isUsed(node) && mayBeOneOfSeveral(node))
                .limit(FewerRacks.MOST_NODES)
                .map(this::spot)
                .toList());
    }

    /**
     * The largest size with room between the least that the job accepts (its minimum, and what it has) and the target, the
     * roles in proportion; null if the least has no room.
     */
    private @Nullable List<TasksOnNode> largestThatFits(SplitSearch search) {
        Allocation least = job.allocation().max(job.job().minimum().min(target));
        int steps = target.tasks() - least.tasks();
        List<TasksOnNode> whole = fill(search, target);
        if (whole != null || steps == 0) {
            return whole;
        }
        List<TasksOnNode> best = fill(search, least);
        int fits = 0;
        int fails = steps;
        while (best != null && fails - fits > 1) {
            int middle = (fits + fails) >>> 1;
            List<TasksOnNode> tried = fill(search, between(least, middle));
            best = tried != null ? tried : best;
            fits = tried != null ? middle : fits;
            fails = tried != null ? fails : middle;
        }
        return best;
    }

    private @Nullable List<TasksOnNode> fill(SplitSearch search, Allocation size) {
        return search.fill(size.beyond(job.allocation()), used.size());
    }

    /** {@code least} and {@code step} more tasks, with the roles in the proportion of the tasks that the target adds. */
    private Allocation between(Allocation least, int step) {
        Allocation range = target.beyond(least);
        int workers = Math.round((float) range.workers() * step / range.tasks());
        int servers = Math.min(step - workers, range.parameterServers());
        return least.plus(new Allocation(servers, workers));
    }
}
