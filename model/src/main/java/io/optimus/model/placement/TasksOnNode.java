package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;

/** A job's tasks on one node while the job is placed, with the room beside them. */
final class TasksOnNode {
    private final int node;
    private final TaskSizes sizes;
    private final long[] room;
    private Allocation tasks;

    /** The spot owns {@code room}. */
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

    /** How many more tasks of {@code role} have room, at most {@code limit}. */
    int times(Role role, int limit) {
        return sizes.times(role, room, limit);
    }

    void add(Allocation more) {
        sizes.take(more, room);
        tasks = tasks.plus(more);
    }
}
