package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The placement that a job can have now on its way to the planned one: it keeps the tasks that both have in common, gives up
 * the others, and grows only into free room.
 *
 * <p>A job without tasks starts with its whole minimum or waits, because a worker without a parameter server would waste its
 * GPU. Once it was told to start, it need not wait for the whole again: if half of its workers still have room, it keeps their
 * places, and the next round plans the others elsewhere. A job whose tasks move keeps its minimum until there is room on the new nodes.
 *
 * <p>Example: 2 workers run on A; planned are 1 on A and 2 on B, which has room for one. The target is 1 on A and 1 on B, and 2
 * on B once another job has given up its task there.
 */
public final class Target {
    /** Servers come first, because workers cannot start without them. */
    private static final List<Role> ORDER = List.of(Role.PARAMETER_SERVER, Role.WORKER);

    private final Map<Role, RoleDemand> demands;
    private final Placement live;
    private final Placement planned;

    /**
     * The target of one job.
     *
     * @param demands by role, without the roles that the job does not have
     * @param live its present placement
     * @param planned its planned placement
     */
    public Target(Map<Role, RoleDemand> demands, Placement live, Placement planned) {
        this.demands = demands;
        this.live = live;
        this.planned = planned;
    }

    /**
     * Returns the placement that the job can have now.
     *
     * @param free free resources by node; the job's growth is subtracted
     */
    public Placement into(Map<String, Resources> free) {
        Allocation least = live.allocation().isNone() ? minimum() : Allocation.NONE;
        return into(free, least);
    }

    /**
     * The same for a job that was told to start and has not got its tasks yet.
     *
     * @param free free resources by node; the job's growth is subtracted
     */
    public Placement ofStarting(Map<String, Resources> free) {
        boolean holdsNone = live.allocation().isNone();
        int workers = planned.allocation().workers();
        return into(free, holdsNone ? new Allocation(0, (workers + 1) / 2) : Allocation.NONE);
    }

    /** Returns no tasks if fewer than {@code least} have room. */
    private Placement into(Map<String, Resources> free, Allocation least) {
        if (live.equals(planned)) {
            return live;
        }
        // Only the nodes that the job grows on: there may be thousands of others.
        Map<String, Resources> left = new HashMap<>();
        SortedMap<String, Allocation> target = new TreeMap<>();
        SortedSet<String> nodes = new TreeSet<>(planned.byNode().keySet());
        for (String node : nodes) {
            for (Role role : ORDER) {
                add(target, node, role, kept(node, role) + growth(free, left, node, role));
            }
        }
        if (!least.isWithin(Placement.of(target).allocation())) {
            return Placement.NONE;
        }
        if (!planned.byNode().isEmpty()) {
            keepMinimum(target);
        }
        free.putAll(left);
        return Placement.of(target);
    }

    private int kept(String node, Role role) {
        return Math.min(live.on(node).count(role), planned.on(node).count(role));
    }

    private int growth(Map<String, Resources> free, Map<String, Resources> left, String node, Role role) {
        int wanted = planned.on(node).count(role) - kept(node, role);
        RoleDemand demand = demands.get(role);
        if (wanted <= 0 || demand == null) {
            return 0;
        }
        Resources room = left.getOrDefault(node, free.getOrDefault(node, Resources.NONE));
        int granted = (int) demand.task().timesIn(room, wanted);
        left.put(node, room.minus(demand.task().times(granted)));
        return granted;
    }

    private void keepMinimum(SortedMap<String, Allocation> target) {
        for (Role role : ORDER) {
            int atLeast = Math.min(minimum().count(role), live.allocation().count(role));
            int missing = atLeast - Placement.of(target).allocation().count(role);
            for (String node : live.byNode().keySet()) {
                int surplus = live.on(node).count(role)
                        - target.getOrDefault(node, Allocation.NONE).count(role);
                int more = Math.max(0, Math.min(missing, surplus));
                add(target, node, role, more);
                missing -= more;
            }
        }
    }

    private Allocation minimum() {
        RoleDemand servers = demands.get(Role.PARAMETER_SERVER);
        RoleDemand workers = demands.get(Role.WORKER);
        return new Allocation(servers == null ? 0 : servers.min(), workers == null ? 0 : workers.min());
    }

    private static void add(SortedMap<String, Allocation> target, String node, Role role, int count) {
        target.merge(node, Allocation.NONE.plus(role, count), Allocation::plus);
    }
}
