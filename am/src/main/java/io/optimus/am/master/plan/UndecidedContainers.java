package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.TaskContainer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Containers within the guarantee of the queue that YARN granted on nodes of its own choice and that no directive names yet.
 * The scheduler sees them too, and its next directive has them or not.
 */
final class UndecidedContainers {
    private final Map<TaskContainer, Long> grantedAtMillis = new LinkedHashMap<>();
    private final long patienceMillis;
    private final LongSupplier clock;

    /**
     * No containers.
     *
     * @param patience how long a directive for a container is awaited
     * @param clock Unix time in milliseconds
     */
    UndecidedContainers(Duration patience, LongSupplier clock) {
        this.patienceMillis = patience.toMillis();
        this.clock = clock;
    }

    void add(TaskContainer container) {
        grantedAtMillis.put(container, clock.getAsLong());
    }

    boolean contains(String id) {
        return grantedAtMillis.keySet().stream()
                .anyMatch(container -> container.id().equals(id));
    }

    /** Removes and returns those that {@code which} accepts, oldest first. */
    List<TaskContainer> take(Predicate<TaskContainer> which) {
        List<TaskContainer> taken = new ArrayList<>();
        for (TaskContainer container : List.copyOf(grantedAtMillis.keySet())) {
            if (which.test(container)) {
                grantedAtMillis.remove(container);
                taken.add(container);
            }
        }
        return taken;
    }

    /** Removes and returns those that no directive has named in time. */
    List<TaskContainer> takeLate() {
        long now = clock.getAsLong();
        return take(container -> now - grantedAtMillis.getOrDefault(container, now) >= patienceMillis);
    }
}
