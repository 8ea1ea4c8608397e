package io.optimus.model.placement;

import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/** Resources as arrays: placing thousands of jobs on thousands of nodes is a hot loop. */
final class ResourceIndex {
    private final List<String> names;
    private final long[] largest;

    /**
     * An index.
     *
     * @param names of every resource that a node has
     * @param largest amounts of the largest node
     */
    ResourceIndex(SortedSet<String> names, Resources largest) {
        this.names = new ArrayList<>(names);
        this.largest = of(largest);
    }

    /** Amounts in the order of the names; one more for what no node has: positive where some is asked for. */
    long[] of(Resources resources) {
        long[] amounts = new long[names.size() + 1];
        for (int i = 0; i < names.size(); i++) {
            amounts[i] = resources.amount(names.get(i));
        }
        resources.amounts().forEach((name, amount) -> {
            if (!names.contains(name) && amount > 0) {
                amounts[names.size()] = Long.MAX_VALUE;
            }
        });
        return amounts;
    }

    /** Sum of the parts of the largest node that these amounts are: how empty a node is. */
    double share(long[] amounts) {
        double share = 0;
        for (int i = 0; i < names.size(); i++) {
            if (largest[i] > 0) {
                share += (double) amounts[i] / largest[i];
            }
        }
        return share;
    }
}
