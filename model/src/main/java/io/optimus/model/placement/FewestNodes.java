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
 * Where more tasks of one job go: to as few nodes as hold them, and of these into fewer racks. An even split of a job that
 * has nothing yet comes first (Optimus, section 4.2), then the whole target however it fits, then as much of it as has room,
 * but no less than the job accepts.
 */
final class FewestNodes {
    /**
     * What was found.
     *
     * @param spots nodes with the tasks that the job shall have there
     * @param even whether each has the same
     */
    record Found(List<TasksOnNode> spots, boolean even) {}

    private final PlacingJob job;
    private final FreeNodes nodes;
    private final Allocation target;
    private final List<Integer> used;

    /**
     * For {@code target} in all.
     *
     * @param target at least what the job has
     */
    FewestNodes(PlacingJob job, FreeNodes nodes, Allocation target) {
        this.job = job;
        this.nodes = nodes;
        this.target = target;
        this.used = job.usedNodes();
    }

    /** The places; empty where not even the least that it accepts has room. */
    Optional<Found> find() {
        List<SplitSearch> fillings = fillings();
        Optional<List<TasksOnNode>> split = used.isEmpty()
                ? fillings.stream()
                        .flatMap(filling -> Stream.ofNullable(filling.even(target)))
                        .findFirst()
                : Optional.empty();
        if (split.isPresent()) {
            return Optional.of(new Found(inFewerRacks(split.get()), true));
        }
        return fillings.stream()
                .flatMap(filling -> Stream.ofNullable(largestThatFits(filling)))
                .max(Comparator.comparingInt(FewestNodes::tasks))
                .map(spots -> new Found(inFewerRacks(spots), false));
    }

    private static int tasks(List<TasksOnNode> spots) {
        return spots.stream().mapToInt(spot -> spot.tasks().tasks()).sum();
    }

    /** Where it could go: to several nodes, or, where few such jobs may share one, to one node alone first. */
    private List<SplitSearch> fillings() {
        List<SplitSearch> fillings = new ArrayList<>();
        if (nodes.limitsDistributedJobs() && used.size() < 2) {
            candidates(node -> true).all().stream()
                    .limit(used.isEmpty() ? Long.MAX_VALUE : 1)
                    .map(FewestNodes::alone)
                    .forEach(fillings::add);
        }
        if (used.stream().allMatch(this::mayShare)) {
            CandidateNodes candidates = candidates(this::mayShare);
            fillings.add(new SplitSearch(candidates, forServers(candidates)));
        }
        return fillings;
    }

    private static SplitSearch alone(TasksOnNode spot) {
        return new SplitSearch(
                new CandidateNodes(() -> List.of(spot).iterator()),
                new CandidateNodes(() -> Collections.emptyIterator()));
    }

    /** Whether the job may be on this node and on others. */
    private boolean mayShare(int node) {
        return nodes.takesDistributedJob(node) || (used.size() > 1 && isUsed(node));
    }

    private boolean isUsed(int node) {
        return !job.on(node).isNone();
    }

    /** Of these nodes, where it is first, then where it ran before, then those with most free capacity that take a worker. */
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

    /** Nodes that are no candidates, for parameter servers. */
    private CandidateNodes forServers(CandidateNodes candidates) {
        return new CandidateNodes(() -> {
            Set<Integer> seen = new HashSet<>();
            candidates.all().forEach(spot -> seen.add(spot.node()));
            return stream(nodes.forServers(job.sizes()))
                    .filter(this::mayShare)
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
                .filter(node -> !isUsed(node) && mayShare(node))
                .limit(FewerRacks.MOST_NODES)
                .map(this::spot)
                .toList());
    }

    /**
     * Between the least that it accepts (its minimum, and what it has) and the target, in proportion, the largest that has
     * room; null where the least has none.
     */
    private @Nullable List<TasksOnNode> largestThatFits(SplitSearch filling) {
        Allocation least = job.allocation().max(job.job().minimum().min(target));
        int steps = target.tasks() - least.tasks();
        List<TasksOnNode> whole = fill(filling, target);
        if (whole != null || steps == 0) {
            return whole;
        }
        List<TasksOnNode> best = fill(filling, least);
        int fits = 0;
        int fails = steps;
        while (best != null && fails - fits > 1) {
            int middle = (fits + fails) >>> 1;
            List<TasksOnNode> tried = fill(filling, between(least, middle));
            best = tried != null ? tried : best;
            fits = tried != null ? middle : fits;
            fails = tried != null ? fails : middle;
        }
        return best;
    }

    private @Nullable List<TasksOnNode> fill(SplitSearch filling, Allocation size) {
        return filling.fill(size.beyond(job.allocation()), used.size());
    }

    /** {@code least} and {@code step} tasks more, the roles in the proportion in which the target has more of them. */
    private Allocation between(Allocation least, int step) {
        Allocation range = target.beyond(least);
        int workers = Math.round((float) range.workers() * step / range.tasks());
        int servers = Math.min(step - workers, range.parameterServers());
        return least.plus(new Allocation(servers, workers));
    }
}
