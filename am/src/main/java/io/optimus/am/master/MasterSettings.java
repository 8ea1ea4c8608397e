package io.optimus.am.master;

import java.time.Duration;

/**
 * Time limits of an ApplicationMaster.
 *
 * @param askTimeout an ask that YARN has not met by then is withdrawn for as long again
 * @param startTimeout a container whose process has not connected by then counts as failed
 * @param joinTimeout tasks that are ready wait that long for others of the same plan, so that they join in one resize
 * @param leaveTimeout a task that has not left by then is given up
 * @param exitTimeout a task that the training gave up is killed when its container has not ended by itself by then
 * @param failureWindow failures longer ago do not count any more
 * @param nodeFailures so many failures on a node within the window and it is avoided
 * @param nodeCoolDown how long a node is avoided
 * @param schedulerTimeout how long a new job waits for the scheduler's training service before it sizes itself
 */
record MasterSettings(
        Duration askTimeout,
        Duration startTimeout,
        Duration joinTimeout,
        Duration leaveTimeout,
        Duration exitTimeout,
        Duration failureWindow,
        int nodeFailures,
        Duration nodeCoolDown,
        Duration schedulerTimeout) {
    /** For real clusters: a process connects within seconds, but its files may be localised over a slow network. */
    static final MasterSettings DEFAULT = new MasterSettings(
            Duration.ofSeconds(30),
            Duration.ofMinutes(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofMinutes(30),
            3,
            Duration.ofMinutes(5),
            Duration.ofSeconds(15));
}
