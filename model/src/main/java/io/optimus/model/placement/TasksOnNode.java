package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;

/** The tasks of one job on one node during a placement pass, and the room that is left there. */
final class TasksOnNode {
    private final int node;
    private final TaskSizes sizes;
    private final long[] room;
    private Allocation tasks;

    /** Tasks on a node; the caller must not change {@code room} any more. */
    TasksOnNode(int node, TaskSizes sizes, long[] room, Allocation tasks) {
        this.node = node;
        this.sizes = sizes;
        this.room = room;
        this.tasks = tasks;
    }

    TasksOnNode copy() {
        return new TasksOnNode(node, sizes, room.clone(), tasks);
    }

    int node() {
        return node;
    }

    Allocation tasks() {
        return tasks;
    }

    boolean fits(Role role) {
        return sizes.fits(role, room);
    }

    boolean fits(Allocation more) {
        return sizes.fitting(more, room).equals(more);
    }

    /** The number of further tasks of {@code role} that have room, at most {@code limit}. */
    int times(Role role, int limit) {
        return sizes.times(role, room, limit);
    }

    void add(Allocation more) {
        sizes.take(more, room);
        tasks = tasks.plus(more);
    }
}
