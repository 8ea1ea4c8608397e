package io.optimus.am.job;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.RoleDemand;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tasks of one role that a job asks for.
 *
 * @param min the fewest tasks that the job can run with, 1 or more; 0 for a role that it does not have
 * @param max the most tasks that it can use, {@code min} or more
 * @param task resources of one task, by YARN's names; always with memory and virtual cores
 * @param memory whether tasks get more memory than that where others ran out of it
 * @param environment environment variables of each task
 * @param retries how often a task of this role may fail before the job does, 0 or more; a container that YARN takes back
 *     or that is lost with its node does not count as a failure
 */
public record RoleSpec(
        int min, int max, Resources task, Memory memory, SortedMap<String, String> environment, int retries) {
    /** A role that the job does not have. */
    public static final RoleSpec NONE = new RoleSpec(0, 0, Resources.NONE, Memory.FIXED, new TreeMap<>(), 0);

    /** What happens where a task runs out of memory. */
    public enum Memory {
        /** It has failed, and others start with as much memory as it had. */
        FIXED,
        /** Others start with more, up to what YARN grants in the queue. */
        AUTO
    }

    public RoleSpec {
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    }

    /** The demand of the role as policies read it. */
    public RoleDemand demand() {
        return max == 0 ? RoleDemand.NONE : new RoleDemand(task, min, max);
    }
}
