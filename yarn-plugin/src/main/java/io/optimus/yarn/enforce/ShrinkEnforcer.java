package io.optimus.yarn.enforce;

import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.TrainingContainer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Decides which containers of a training application that holds more than its plan are asked back, and which are taken
 * back. A container in surplus (one larger than its role's tasks; otherwise by role and node, the youngest first) goes
 * through
 *
 * <pre>
 *   SEEN --grace over--> ASKED (AskBack) --contract time over--> TAKEN (TakeBack, again after each contract time)
 * </pre>
 *
 * and is forgotten, wherever it is, as soon as it ends or the surplus does. A container that was picked stays picked
 * while there is a surplus at its role and node, whatever else comes and goes: an application cannot reset the clock by
 * being given a new plan, nor by starting younger containers.
 *
 * <p>Pure but for what it remembers of earlier calls. Not thread-safe: the round owns it.
 */
public final class ShrinkEnforcer {
    private enum Stage {
        UNSEEN,
        SEEN,
        ASKED,
        TAKEN
    }

    private record Watch(Stage stage, long sinceMillis) {}

    private static final Watch NOT_WATCHED = new Watch(Stage.UNSEEN, 0);

    private record Place(int priority, String node) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byPriority = Integer.compare(priority, other.priority);
            return byPriority != 0 ? byPriority : node.compareTo(other.node);
        }
    }

    private static final Comparator<TrainingContainer> YOUNGEST_FIRST = Comparator.comparingLong(
                    TrainingContainer::createdMillis)
            .thenComparing(TrainingContainer::id)
            .reversed();

    private final long graceMillis;
    private final long contractMillis;
    private Map<ContainerId, Watch> watches = Map.of();

    /**
     * With these times.
     *
     * @param graceMillis from the first sight of a surplus to {@link ShrinkAction.AskBack}, 0 or more
     * @param contractMillis from there to {@link ShrinkAction.TakeBack}, 0 or more
     */
    public ShrinkEnforcer(long graceMillis, long contractMillis) {
        if (graceMillis < 0 || contractMillis < 0) {
            throw new IllegalArgumentException("Times must be 0 ms or more: grace " + graceMillis
                    + " ms, preemption contract " + contractMillis + " ms");
        }
        this.graceMillis = graceMillis;
        this.contractMillis = contractMillis;
    }

    /**
     * What to do now.
     *
     * @param nowMillis of a clock that never goes back
     * @param held what each training application holds; one that is not there has ended
     * @param ceilings published ceilings; an application without one is left alone
     */
    public List<ShrinkAction> advance(
            long nowMillis, Collection<ApplicationUsage> held, Map<ApplicationId, Ceiling> ceilings) {
        Map<ContainerId, Watch> next = new LinkedHashMap<>();
        List<ShrinkAction> actions = new ArrayList<>();
        for (ApplicationUsage holding : held) {
            Ceiling ceiling = ceilings.get(holding.application().id());
            if (ceiling != null) {
                for (TrainingContainer container : surplus(holding, ceiling)) {
                    next.put(container.id(), step(nowMillis, container.id(), actions));
                }
            }
        }
        watches = next;
        return actions;
    }

    private List<TrainingContainer> surplus(ApplicationUsage holding, Ceiling ceiling) {
        SortedMap<Place, List<TrainingContainer>> byPlace = new TreeMap<>();
        List<TrainingContainer> surplus = new ArrayList<>();
        for (TrainingContainer container : holding.containers()) {
            if (ceiling.exceeds(container.priority(), container.resources())) {
                surplus.add(container);
            } else {
                byPlace.computeIfAbsent(new Place(container.priority(), container.node()), place -> new ArrayList<>())
                        .add(container);
            }
        }
        byPlace.forEach((place, containers) -> {
            int over = containers.size() - ceiling.on(place.priority(), place.node());
            containers.stream()
                    .sorted(pickedThenYoungest())
                    .limit(Math.max(0, over))
                    .forEach(surplus::add);
        });
        return surplus;
    }

    private Comparator<TrainingContainer> pickedThenYoungest() {
        Comparator<TrainingContainer> leastPicked =
                Comparator.comparing(container -> watch(container.id()).stage());
        return leastPicked.reversed().thenComparing(YOUNGEST_FIRST);
    }

    private Watch watch(ContainerId container) {
        return watches.getOrDefault(container, NOT_WATCHED);
    }

    private Watch step(long nowMillis, ContainerId container, List<ShrinkAction> actions) {
        Watch before = watch(container);
        Watch watch = before.stage() == Stage.UNSEEN ? new Watch(Stage.SEEN, nowMillis) : before;
        long patienceMillis = watch.stage() == Stage.SEEN ? graceMillis : contractMillis;
        if (nowMillis - watch.sinceMillis() < patienceMillis) {
            return watch;
        }
        if (watch.stage() == Stage.SEEN) {
            actions.add(new ShrinkAction.AskBack(container));
            return new Watch(Stage.ASKED, nowMillis);
        }
        actions.add(new ShrinkAction.TakeBack(container));
        return new Watch(Stage.TAKEN, nowMillis);
    }
}
