package io.optimus.yarn.read;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A registered training application, with the containers that YARN grants to it.
 *
 * @param id id of the application
 * @param roles shape of its containers by role; one that trains by all-reduce has workers only
 * @param mayShrink false if it keeps all tasks that it holds
 */
public record TrainingApplication(ApplicationId id, Map<Role, RoleShape> roles, boolean mayShrink) {
    /** An application that may shrink. */
    public TrainingApplication(ApplicationId id, Map<Role, RoleShape> roles) {
        this(id, roles, true);
    }

    /**
     * The containers of one role.
     *
     * @param priority YARN priority of the requests for this role; no two roles share one
     * @param task resources of one task, as YARN normalises them
     * @param min fewest tasks that the job runs with, 0 or more
     * @param max most tasks that the job can use, {@code min} or more
     */
    public record RoleShape(int priority, Resources task, int min, int max) {}

    /** Copies; throws if roles share a priority. */
    public TrainingApplication {
        Map<Role, RoleShape> copy = new EnumMap<>(Role.class);
        copy.putAll(roles);
        Map<Integer, Role> byPriority = new HashMap<>();
        copy.forEach((role, shape) -> {
            Role other = byPriority.put(shape.priority(), role);
            if (other != null) {
                throw new IllegalArgumentException("Roles " + other + " and " + role + " of " + id
                        + " share YARN priority " + shape.priority() + ": give each role its own");
            }
        });
        roles = Collections.unmodifiableMap(copy);
    }

    /** Whether a container of this size can be counted as one task of {@code role}. */
    boolean isTask(Role role, Resources size) {
        RoleShape shape = roles.get(role);
        return shape != null && size.fitsIn(shape.task());
    }

    /** Whether a task of each role fits into {@code free}. */
    public boolean hasRoom(Resources free) {
        return roles.values().stream().allMatch(shape -> shape.task().fitsIn(free));
    }

    /** Resources of {@code tasks}. */
    public Resources resources(Allocation tasks) {
        Resources sum = Resources.NONE;
        for (Map.Entry<Role, RoleShape> role : roles.entrySet()) {
            sum = sum.plus(role.getValue().task().times(tasks.count(role.getKey())));
        }
        return sum;
    }

    /** The fewest tasks that the job runs with. */
    Allocation minimum() {
        Allocation minimum = Allocation.NONE;
        for (Map.Entry<Role, RoleShape> role : roles.entrySet()) {
            minimum = minimum.plus(role.getKey(), role.getValue().min());
        }
        return minimum;
    }

    /** Resources of the job with all roles at their maximum. */
    public Resources maximum() {
        return roles.values().stream()
                .map(shape -> shape.task().times(shape.max()))
                .reduce(Resources.NONE, Resources::plus);
    }
}
