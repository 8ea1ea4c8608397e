package io.optimus.yarn.enforce;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.yarn.read.TrainingApplication;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The most that YARN may grant to a training application, by YARN priority, which stands for the role, and by node. A
 * priority or a node that is not named has a ceiling of 0, except for containers whose nodes YARN chooses.
 *
 * @param byPriority ceiling of each role
 */
public record Ceiling(SortedMap<Integer, RoleCeiling> byPriority) {
    /** No task: the application keeps only its ApplicationMaster. */
    public static final Ceiling NOTHING = new Ceiling(new TreeMap<>());

    /**
     * The ceiling of one role.
     *
     * @param task largest container of this role, as YARN normalises it
     * @param byNode most containers by node id ({@code host:port})
     * @param total up to this number of containers in sum, YARN may grant further ones on nodes that it chooses; 0 if the
     *     plan chooses all nodes
     */
    public record RoleCeiling(Resources task, SortedMap<String, Integer> byNode, int total) {
        public RoleCeiling {
            byNode = Collections.unmodifiableSortedMap(new TreeMap<>(byNode));
        }

        /** A ceiling for a role whose nodes the plan chooses. */
        public RoleCeiling(Resources task, SortedMap<String, Integer> byNode) {
            this(task, byNode, 0);
        }

        /** Whether YARN may choose nodes. */
        boolean leavesNodesToYarn() {
            return total > 0;
        }
    }

    public Ceiling {
        byPriority = Collections.unmodifiableSortedMap(new TreeMap<>(byPriority));
    }

    /** The ceiling that lets {@code application} hold exactly {@code placement}. */
    public static Ceiling of(TrainingApplication application, Placement placement) {
        return of(application, placement, Allocation.NONE);
    }

    /**
     * The ceiling that lets {@code application} hold {@code placement}, and up to {@code total} tasks in sum if YARN grants
     * the others on nodes that it chooses.
     */
    public static Ceiling of(TrainingApplication application, Placement placement, Allocation total) {
        SortedMap<Integer, RoleCeiling> byPriority = new TreeMap<>();
        application.roles().forEach((role, shape) -> {
            SortedMap<String, Integer> byNode = new TreeMap<>();
            placement.byNode().forEach((node, allocation) -> {
                if (allocation.count(role) > 0) {
                    byNode.put(node, allocation.count(role));
                }
            });
            byPriority.put(shape.priority(), new RoleCeiling(shape.task(), byNode, total.count(role)));
        });
        return new Ceiling(byPriority);
    }

    /** Whether YARN may choose nodes for a role. */
    boolean leavesNodesToYarn() {
        for (RoleCeiling role : byPriority.values()) {
            if (role.leavesNodesToYarn()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a container is larger than a task of the role at {@code priority}: no plan granted it. */
    public boolean exceeds(int priority, Resources size) {
        RoleCeiling role = byPriority.get(priority);
        return role != null && !size.fitsIn(role.task());
    }

    /** The most containers at {@code priority} on {@code node}. */
    public int on(int priority, String node) {
        RoleCeiling role = byPriority.get(priority);
        return role == null ? 0 : role.byNode().getOrDefault(node, 0);
    }
}
