package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far one job can go towards its plan now: it keeps what the plan leaves it, gives up the rest, and grows only into
 * room that is free.
 *
 * <p>Two limits. A job that has nothing yet starts with its whole minimum or waits: a worker without a parameter server
 * holds a GPU for nothing. And a job whose tasks move keeps its minimum until there is room at the new place.
 *
 * <p>Example: live 2 workers on A, planned 1 on A and 2 on B, where one worker has room: now 1 on A and 1 on B; once
 * another job gave up its task on B, 2 there.
 */
public final class Target {
    /** Without servers, workers cannot start. */
    private static final List<Role> ORDER = List.of(Role.PARAMETER_SERVER, Role.WORKER);

    private final Map<Role, RoleDemand> demands;
    private final Placement live;
    private final Placement planned;

    /**
     * Of one job.
     *
     * @param demands by role; a role that the job does not have is not there
     * @param live where its tasks are
     * @param planned where they shall be
     */
    public Target(Map<Role, RoleDemand> demands, Placement live, Placement planned) {
        this.demands = demands;
        this.live = live;
        this.planned = planned;
    }

    /**
     * Where the tasks shall be now.
     *
     * @param free what nobody holds, by node; what the job grows into is taken off
     */
    public Placement into(Map<String, Resources> free) {
        SortedMap<String, Resources> left = new TreeMap<>(free);
        SortedMap<String, Allocation> target = new TreeMap<>();
        SortedSet<String> nodes = new TreeSet<>(planned.byNode().keySet());
        for (String node : nodes) {
            for (Role role : ORDER) {
                add(target, node, role, kept(node, role) + growth(left, node, role));
            }
        }
        boolean starting = live.allocation().isNone();
        if (starting && !minimum().isWithin(Placement.of(target).allocation())) {
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

    private int growth(Map<String, Resources> left, String node, Role role) {
        int wanted = planned.on(node).count(role) - kept(node, role);
        RoleDemand demand = demands.get(role);
        if (wanted <= 0 || demand == null) {
            return 0;
        }
        Resources room = left.getOrDefault(node, Resources.NONE);
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
