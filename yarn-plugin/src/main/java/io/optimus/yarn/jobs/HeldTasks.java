package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;

/**
 * The tasks that a job has held since this ResourceManager first saw it.
 *
 * @param firstMillis when it was first seen to hold tasks; {@code Long.MAX_VALUE} before that
 * @param lastMillis when its tasks were last counted
 * @param now tasks that it held at {@code lastMillis}
 * @param workerSeconds workers, summed over time
 * @param largest the most tasks of each role at a time
 * @param seconds how long it held any tasks
 * @param changes how often the tasks that it held have changed
 */
public record HeldTasks(
        long firstMillis,
        long lastMillis,
        Allocation now,
        double workerSeconds,
        Allocation largest,
        double seconds,
        int changes) {
    private static final double MILLIS = 1000;

    static final HeldTasks NEVER = new HeldTasks(Long.MAX_VALUE, 0, Allocation.NONE, 0, Allocation.NONE, 0, 0);

    /** Workers, summed over the time until {@code nowMillis}. */
    public double workerSeconds(long nowMillis) {
        return then(now, nowMillis).workerSeconds();
    }

    /**
     * Continues this record: the job held {@link #now} until {@code nowMillis} and holds {@code tasks} from then on.
     */
    HeldTasks then(Allocation tasks, long nowMillis) {
        double since = Math.max(0, nowMillis - lastMillis) / MILLIS;
        return new HeldTasks(
                tasks.isNone() ? firstMillis : Math.min(firstMillis, nowMillis),
                nowMillis,
                tasks,
                workerSeconds + now.workers() * since,
                largest.max(tasks),
                seconds + (now.isNone() ? 0 : since),
                changes + (tasks.equals(now) ? 0 : 1));
    }
}
