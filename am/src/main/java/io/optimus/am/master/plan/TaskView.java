package io.optimus.am.master.plan;

import io.optimus.am.wire.TaskId;

/**
 * A task as people and the scheduler see it.
 *
 * @param id its name
 * @param node YARN's node id
 * @param container YARN's container id
 * @param state {@code starting}, {@code ready}, {@code member}, {@code leaving}, {@code silent} or {@code released}
 * @param stepsPerSecond its own rate; 0 while it is no member
 * @param logUrl where its log is to be read; may be empty
 */
public record TaskView(TaskId id, String node, String container, String state, double stepsPerSecond, String logUrl) {
    /** Whether it steps and stays. */
    public boolean member() {
        return state.equals("member");
    }
}
