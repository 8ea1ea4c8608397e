package io.optimus.am.job;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.RoleDemand;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a job wants of one role.
 *
 * @param min fewest tasks that the job can run with, 1 or more
 * @param max most tasks that it can use, {@code min} or more
 * @param task resources of one task, by YARN's names; memory and virtual cores are always there
 * @param environment variables of each task
 * @param retries how often a task of this role may fail before the job does, 0 or more; a container that YARN takes back
 *     or that is lost with its node is no failure
 */
public record RoleSpec(int min, int max, Resources task, SortedMap<String, String> environment, int retries) {
    /** Copies. */
    public RoleSpec {
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    }

    /** Of everything but the environment, which stays empty. */
    public static RoleSpec of(int min, int max, Resources task, int retries) {
        return new RoleSpec(min, max, task, new TreeMap<>(Map.of()), retries);
    }

    /** As a policy sees it. */
    public RoleDemand demand() {
        return new RoleDemand(task, min, max);
    }
}
