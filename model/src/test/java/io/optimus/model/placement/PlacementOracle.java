package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.OptionalInt;

/** Finds the fewest nodes that hold a job by trying every placement, so that tests can compare placers on small clusters. */
final class PlacementOracle {
    private final List<Resources> available;
    private final Resources server;
    private final Resources worker;

    /** Creates an oracle for nodes with these available resources and tasks of these sizes. */
    PlacementOracle(List<Resources> available, Resources server, Resources worker) {
        this.available = List.copyOf(available);
        this.server = server;
        this.worker = worker;
    }

    /**
     * Returns the smallest k such that k nodes each hold a k-th of the workers and a k-th of the servers, rounded up or down.
     * The number k is at most the number of tasks of the larger role.
     */
    OptionalInt fewestForEvenSplit(Allocation tasks) {
        int most = Math.min(available.size(), Math.max(tasks.parameterServers(), tasks.workers()));
        for (int nodes = 1; nodes <= most; nodes++) {
            if (holdsEvenSplit(tasks, nodes, 0, nodes, tasks)) {
                return OptionalInt.of(nodes);
            }
        }
        return OptionalInt.empty();
    }

    private boolean holdsEvenSplit(Allocation all, int nodes, int from, int nodesLeft, Allocation left) {
        if (nodesLeft == 0) {
            return left.isNone();
        }
        if (available.size() - from < nodesLeft) {
            return false;
        }
        int servers = all.parameterServers() / nodes;
        int workers = all.workers() / nodes;
        for (int p = servers; p <= Math.min(left.parameterServers(), servers + 1); p++) {
            for (int w = workers; w <= Math.min(left.workers(), workers + 1); w++) {
                Allocation here = new Allocation(p, w);
                if (holds(from, here) && holdsEvenSplit(all, nodes, from + 1, nodesLeft - 1, left.beyond(here))) {
                    return true;
                }
            }
        }
        return holdsEvenSplit(all, nodes, from + 1, nodesLeft, left);
    }

    /** Returns the fewest nodes that hold all tasks in any split. */
    OptionalInt fewest(Allocation tasks) {
        int found = fewest(tasks, 0, available.size() + 1);
        return found > available.size() ? OptionalInt.empty() : OptionalInt.of(found);
    }

    /** Returns the fewest nodes, or any number of at least {@code bound} if the fewest nodes are that many or more. */
    private int fewest(Allocation left, int from, int bound) {
        if (left.isNone()) {
            return 0;
        }
        if (from == available.size() || bound <= 1) {
            return bound;
        }
        int best = fewest(left, from + 1, bound);
        for (int p = 0; p <= left.parameterServers(); p++) {
            for (int w = p == 0 ? 1 : 0; w <= left.workers(); w++) {
                Allocation here = new Allocation(p, w);
                if (holds(from, here)) {
                    best = Math.min(best, 1 + fewest(left.beyond(here), from + 1, best - 1));
                }
            }
        }
        return best;
    }

    private boolean holds(int node, Allocation tasks) {
        return server.times(tasks.parameterServers())
                .plus(worker.times(tasks.workers()))
                .fitsIn(available.get(node));
    }
}
