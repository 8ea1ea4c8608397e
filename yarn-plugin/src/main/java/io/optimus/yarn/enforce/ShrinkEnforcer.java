package io.optimus.yarn.enforce;

import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.TrainingContainer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Decides which containers of a training application above its ceiling get a preemption message, and which are killed.
 * Surplus containers are those larger than their role's tasks, and the youngest if a role has too many on a node. Each
 * passes these stages:
 *
 * <pre>
 *   SEEN --grace time over--> WARNED (preemption message) --preemption wait over--> KILLED (again after each wait)
 * </pre>
 *
 * <p>A container is forgotten as soon as it ends or the surplus ends. A container that was chosen stays chosen while
 * there is a surplus at its role and node: a new plan or younger containers do not restart its grace time.
 *
 * <p>Remembers earlier calls and is otherwise pure. Not thread-safe: the round owns it.
 */
public final class ShrinkEnforcer {
    private enum Stage {
        UNSEEN,
        SEEN,
        WARNED,
        KILLED
    }

    private record Watch(Stage stage, long sinceMillis) {}

    private static final Watch NOT_WATCHED = new Watch(Stage.UNSEEN, 0);

    private record RoleOnNode(int priority, String node) implements Comparable<RoleOnNode> {
        @Override
        public int compareTo(RoleOnNode other) {
            int byPriority = Integer.compare(priority, other.priority);
            return byPriority != 0 ? byPriority : node.compareTo(other.node);
        }
    }

    private static final Comparator<TrainingContainer> YOUNGEST_FIRST = Comparator.comparingLong(
                    TrainingContainer::createdMillis)
            .thenComparing(TrainingContainer::id)
            .reversed();

    private final Supplier<Times> inForce;
    private Map<ContainerId, Watch> watches = Map.of();
    /** What was within the ceiling at the last call; the same needs no second look. */
    private Map<ApplicationId, Within> within = Map.of();

    private record Within(ApplicationUsage usage, Ceiling ceiling) {
        @SuppressWarnings("ReferenceEquality") // A change makes another object.
        boolean isSame(ApplicationUsage held, Ceiling published) {
            return held == usage && published == ceiling;
        }
    }

    /**
     * The times after which shrinks are enforced.
     *
     * @param graceMillis from the first sight of a surplus to the preemption message, 0 or more
     * @param preemptionWaitMillis from that message until the container is killed, 0 or more
     */
    public record Times(long graceMillis, long preemptionWaitMillis) {
        public Times {
            if (graceMillis < 0 || preemptionWaitMillis < 0) {
                throw new IllegalArgumentException("Times must be 0 ms or more: grace " + graceMillis
                        + " ms, preemption wait " + preemptionWaitMillis + " ms");
            }
        }
    }

    /** Enforces shrinks after the times that {@code inForce} gives at each call. */
    public ShrinkEnforcer(Supplier<Times> inForce) {
        this.inForce = inForce;
    }

    /**
     * Returns what to do now.
     *
     * @param nowMillis time of a clock that never goes back
     * @param usages what each training application holds; an application that is missing has ended
     * @param ceilings published ceilings; an application without one is left alone
     */
    public List<ShrinkAction> advance(
            long nowMillis, Collection<ApplicationUsage> usages, Map<ApplicationId, Ceiling> ceilings) {
        Map<ContainerId, Watch> next = new LinkedHashMap<>();
        Map<ApplicationId, Within> nextWithin = new HashMap<>();
        List<ShrinkAction> actions = new ArrayList<>();
        for (ApplicationUsage usage : usages) {
            ApplicationId id = usage.application().id();
            Ceiling ceiling = ceilings.get(id);
            if (ceiling != null) {
                Within before = within.get(id);
                boolean same = before != null && before.isSame(usage, ceiling);
                List<TrainingContainer> surplus = same ? List.of() : surplus(usage, ceiling);
                if (surplus.isEmpty()) {
                    nextWithin.put(id, same ? before : new Within(usage, ceiling));
                }
                for (TrainingContainer container : surplus) {
                    next.put(container.id(), step(nowMillis, container.id(), actions));
                }
            }
        }
        watches = next;
        within = nextWithin;
        return actions;
    }

    /** Whether a surplus is being watched; without one, the same usages and ceilings need no second call. */
    public boolean watches() {
        return !watches.isEmpty();
    }

    private List<TrainingContainer> surplus(ApplicationUsage usage, Ceiling ceiling) {
        SortedMap<RoleOnNode, List<TrainingContainer>> byPlace = new TreeMap<>();
        List<TrainingContainer> surplus = new ArrayList<>();
        for (TrainingContainer container : usage.containers()) {
            if (ceiling.exceeds(container.priority(), container.resources())) {
                surplus.add(container);
            } else {
                byPlace.computeIfAbsent(
                                new RoleOnNode(container.priority(), container.node()), place -> new ArrayList<>())
                        .add(container);
            }
        }
        byPlace.forEach((place, containers) -> {
            int over = containers.size() - ceiling.on(place.priority(), place.node());
            containers.stream()
                    .sorted(chosenThenYoungest())
                    .limit(Math.max(0, over))
                    .forEach(surplus::add);
        });
        return surplus;
    }

    private Comparator<TrainingContainer> chosenThenYoungest() {
        Comparator<TrainingContainer> byStage =
                Comparator.comparing(container -> watch(container.id()).stage());
        return byStage.reversed().thenComparing(YOUNGEST_FIRST);
    }

    private Watch watch(ContainerId container) {
        return watches.getOrDefault(container, NOT_WATCHED);
    }

    private Watch step(long nowMillis, ContainerId container, List<ShrinkAction> actions) {
        Watch before = watch(container);
        Watch watch = before.stage() == Stage.UNSEEN ? new Watch(Stage.SEEN, nowMillis) : before;
        Times times = inForce.get();
        long limitMillis = watch.stage() == Stage.SEEN ? times.graceMillis() : times.preemptionWaitMillis();
        if (nowMillis - watch.sinceMillis() < limitMillis) {
            return watch;
        }
        if (watch.stage() == Stage.SEEN) {
            actions.add(ShrinkAction.message(container));
            return new Watch(Stage.WARNED, nowMillis);
        }
        actions.add(ShrinkAction.kill(container));
        return new Watch(Stage.KILLED, nowMillis);
    }
}
