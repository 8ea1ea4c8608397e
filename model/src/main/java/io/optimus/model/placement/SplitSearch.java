package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.InterruptedComputationException;
import io.optimus.model.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds nodes for the tasks of one job among candidates, in the order of preference; the candidates do not change. */
final class SplitSearch {
    /**
     * The search for an even split ends at twice the nodes of an uneven one: more would lose more by communication between
     * nodes than they gain by evenness, and a long search is slow.
     */
    private static final int EVEN_SEARCH = 2;

    /** A role with few suitable nodes may have to choose first, so both orders are tried. */
    private static final List<List<Role>> ORDERS =
            List.of(List.of(Role.WORKER, Role.PARAMETER_SERVER), List.of(Role.PARAMETER_SERVER, Role.WORKER));

    private final CandidateNodes candidates;
    private final CandidateNodes forServersOnly;

    /**
     * @param candidates nodes of the job and nodes with room for a worker
     * @param forServersOnly further nodes for parameter servers that have no room beside the workers
     */
    SplitSearch(CandidateNodes candidates, CandidateNodes forServersOnly) {
        this.candidates = candidates;
        this.forServersOnly = forServersOnly;
    }

    /** An even split over the fewest first candidates that hold one (Optimus, theorem 1); null if there is none. */
    @Nullable
    List<TasksOnNode> even(Allocation tasks) {
        int fewest = fewest(tasks);
        int most = Math.min(EVEN_SEARCH * fewest + 1, Math.max(tasks.parameterServers(), tasks.workers()));
        for (int nodes = fewest; nodes <= most && candidates.has(nodes); nodes++) {
            List<TasksOnNode> split = evenOver(nodes, tasks);
            if (split != null) {
                return split;
            }
        }
        return null;
    }

    /** All {@code added} tasks on the fewest nodes, as evenly as the room allows; null if there is not enough room. */
    @Nullable
    List<TasksOnNode> fill(Allocation added, int atLeastNodes) {
        List<TasksOnNode> best = null;
        long fewest = Long.MAX_VALUE;
        int first = Math.max(fewest(new Allocation(0, added.workers())), atLeastNodes);
        for (int nodes = first; nodes < fewest && candidates.has(nodes); nodes++) {
            InterruptedComputationException.check();
            for (List<Role> order : ORDERS) {
                List<TasksOnNode> filled = fillOver(nodes, added, order);
                if (filled != null && used(filled) < fewest) {
                    best = filled;
                    fewest = used(filled);
                }
            }
        }
        return best;
    }

    private static long used(List<TasksOnNode> spots) {
        return spots.stream().filter(spot -> !spot.tasks().isNone()).count();
    }

    /** The number of first candidates with room for the tasks of each role by itself: fewer cannot suffice. */
    private int fewest(Allocation tasks) {
        int servers = 0;
        int workers = 0;
        int nodes = 0;
        while (servers < tasks.parameterServers() || workers < tasks.workers()) {
            nodes++;
            if (!candidates.has(nodes)) {
                return nodes;
            }
            TasksOnNode spot = candidates.get(nodes - 1);
            servers += spot.times(Role.PARAMETER_SERVER, tasks.parameterServers());
            workers += spot.times(Role.WORKER, tasks.workers());
        }
        return Math.max(1, nodes);
    }

    /** A remainder goes to the first nodes, one task each: first the servers, then the workers on the nodes after them. */
    private @Nullable List<TasksOnNode> evenOver(int nodes, Allocation tasks) {
        int moreServers = tasks.parameterServers() % nodes;
        int moreWorkers = tasks.workers() % nodes;
        List<TasksOnNode> split = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            Allocation share = new Allocation(
                    tasks.parameterServers() / nodes + (i < moreServers ? 1 : 0),
                    tasks.workers() / nodes + ((i - moreServers + nodes) % nodes < moreWorkers ? 1 : 0));
            if (!candidates.get(i).fits(share)) {
                return null;
            }
            TasksOnNode spot = candidates.get(i).copy();
            spot.add(share);
            split.add(spot);
        }
        return split;
    }

    private @Nullable List<TasksOnNode> fillOver(int nodes, Allocation added, List<Role> order) {
        List<TasksOnNode> spots =
                candidates.first(nodes).stream().map(TasksOnNode::copy).toList();
        List<TasksOnNode> further = new ArrayList<>();
        for (Role role : order) {
            Allocation one = Allocation.NONE.plus(role, 1);
            for (int i = 0; i < added.count(role); i++) {
                TasksOnNode spot = leastLoaded(spots, role);
                if (spot == null && role == Role.PARAMETER_SERVER) {
                    spot = serversElsewhere(nodes, further);
                }
                if (spot == null) {
                    return null;
                }
                spot.add(one);
            }
        }
        return Stream.concat(spots.stream(), further.stream()).toList();
    }

    private static @Nullable TasksOnNode leastLoaded(List<TasksOnNode> spots, Role role) {
        TasksOnNode best = null;
        for (TasksOnNode spot : spots) {
            if ((best == null || spot.tasks().count(role) < best.tasks().count(role)) && spot.fits(role)) {
                best = spot;
            }
        }
        return best;
    }

    /** The node after the first {@code nodes} with room for one more server; nodes that got servers come first. */
    private @Nullable TasksOnNode serversElsewhere(int nodes, List<TasksOnNode> further) {
        for (TasksOnNode spot : further) {
            if (spot.fits(Role.PARAMETER_SERVER)) {
                return spot;
            }
        }
        TasksOnNode next = Stream.concat(
                        forServersOnly.all().stream(), candidates.all().stream().skip(nodes))
                .filter(spot -> spot.fits(Role.PARAMETER_SERVER))
                .filter(spot -> further.stream().noneMatch(taken -> taken.node() == spot.node()))
                .findFirst()
                .map(TasksOnNode::copy)
                .orElse(null);
        if (next != null) {
            further.add(next);
        }
        return next;
    }
}
