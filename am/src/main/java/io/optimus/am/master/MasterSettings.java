package io.optimus.am.master;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

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
 * @param nodeBackOff a job that has been below its minimum for that long uses avoided nodes again
 * @param schedulerTimeout how long a new job waits for the scheduler's training service before it sizes itself
 */
public record MasterSettings(
        Duration askTimeout,
        Duration startTimeout,
        Duration joinTimeout,
        Duration leaveTimeout,
        Duration exitTimeout,
        Duration failureWindow,
        int nodeFailures,
        Duration nodeCoolDown,
        Duration nodeBackOff,
        Duration schedulerTimeout) {
    /**
     * For real clusters: a process connects within seconds, but its files may be localised over a slow network; a
     * scheduler that plans once a minute has planned around an avoided node before the back-off ends.
     */
    public static final MasterSettings DEFAULT = new MasterSettings(
            Duration.ofSeconds(30),
            Duration.ofMinutes(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofMinutes(30),
            3,
            Duration.ofMinutes(5),
            Duration.ofSeconds(90),
            Duration.ofSeconds(15));

    /** Every key below is a duration such as {@code 30s}, and begins with this. */
    private static final String PREFIX = "yarn.optimus.am.";

    /** The defaults, where the configuration of the ApplicationMaster's node has no {@code yarn.optimus.am.*}. */
    static MasterSettings of(Configuration configuration) {
        return new MasterSettings(
                duration(configuration, "ask-timeout", DEFAULT.askTimeout),
                duration(configuration, "start-timeout", DEFAULT.startTimeout),
                duration(configuration, "join-timeout", DEFAULT.joinTimeout),
                duration(configuration, "leave-timeout", DEFAULT.leaveTimeout),
                duration(configuration, "exit-timeout", DEFAULT.exitTimeout),
                duration(configuration, "failure-window", DEFAULT.failureWindow),
                configuration.getInt(PREFIX + "node-failures", DEFAULT.nodeFailures),
                duration(configuration, "node-cool-down", DEFAULT.nodeCoolDown),
                duration(configuration, "node-back-off", DEFAULT.nodeBackOff),
                duration(configuration, "scheduler-timeout", DEFAULT.schedulerTimeout));
    }

    private static Duration duration(Configuration configuration, String name, Duration otherwise) {
        long millis = configuration.getTimeDuration(PREFIX + name, otherwise.toMillis(), TimeUnit.MILLISECONDS);
        if (millis <= 0) {
            throw new IllegalArgumentException(
                    PREFIX + name + " must be above 0, such as 30s; got " + configuration.get(PREFIX + name));
        }
        return Duration.ofMillis(millis);
    }
}
