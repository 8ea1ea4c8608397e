package io.optimus.model.belief;

import io.optimus.model.Allocation;

/**
 * How long a job has held tasks, as the scheduler itself saw it.
 *
 * @param tasks that it holds since this was last told
 * @param seconds that it has held tasks in all, 0 or more
 * @param gpuSpeed speed of its GPUs, relative to the GPUs of the speed function
 */
public record HeldTime(Allocation tasks, double seconds, double gpuSpeed) {
    /** A job that never held tasks. */
    public static final HeldTime NONE = new HeldTime(Allocation.NONE, 0, 1);
}
