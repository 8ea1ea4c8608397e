package io.optimus.am.configuration;

import io.optimus.am.wire.PortRange;
import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.protocol.setting.Setting;
import io.optimus.protocol.setting.SettingsReader;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of an ApplicationMaster, {@code yarn.optimus.am.*} and the ports, from the configuration of its node.
 *
 * <p>The defaults are for real clusters: a process connects within seconds, but its files may be localised over a slow
 * network; a scheduler that plans once a minute has planned around an avoided node before the back-off ends.
 *
 * @param tasks how long tasks may take to start, join and leave
 * @param nodes when a node is avoided
 * @param storeTimeout how long a file system that fails is tried again, where a job waits for it
 * @param schedulerTimeout how long a new job waits for the scheduler's training service before it sizes itself
 * @param ports ports that the ApplicationMaster and all tasks of the job listen on
 */
public record MasterSettings(
        TaskTimeouts tasks, FailureLimits nodes, Duration storeTimeout, Duration schedulerTimeout, PortRange ports) {

    private static final String PREFIX = ClientKeys.PREFIX + "am.";

    /**
     * How long tasks may take.
     *
     * @param ask time after which an unmet request for containers is withdrawn, for as long again
     * @param start time after which a container whose process has not connected counts as failed
     * @param join the longest that ready tasks wait for others of the same plan, so that they join in one resize
     * @param leave time after which a task that has not left is given up
     * @param exit time after which a task that was given up is killed, if its container has not ended by itself
     * @param alone time without a word of the ApplicationMaster after which a task ends itself
     * @param straggle time for which a worker is slow before it is replaced
     */
    public record TaskTimeouts(
            Duration ask,
            Duration start,
            Duration join,
            Duration leave,
            Duration exit,
            Duration alone,
            Duration straggle) {
        private static TaskTimeouts read(SettingsReader reader) {
            return new TaskTimeouts(
                    duration(reader, ASK),
                    duration(reader, START),
                    duration(reader, JOIN),
                    duration(reader, LEAVE),
                    duration(reader, EXIT),
                    duration(reader, ALONE),
                    duration(reader, STRAGGLE));
        }
    }

    /**
     * How often tasks may fail, and when a node is avoided.
     *
     * @param window age beyond which failures do not count
     * @param store how long the files of new tasks may fail to be fetched before that counts against the job
     * @param count number of failures within the window from which on a node is avoided
     * @param coolDown how long a node is avoided
     * @param backOff time below its minimum after which a job uses avoided nodes again
     */
    public record FailureLimits(Duration window, Duration store, int count, Duration coolDown, Duration backOff) {
        private static FailureLimits read(SettingsReader reader, Duration store) {
            return new FailureLimits(
                    duration(reader, WINDOW),
                    store,
                    reader.read(COUNT),
                    duration(reader, COOL_DOWN),
                    duration(reader, BACK_OFF));
        }
    }

    private static final Setting<Long> ASK = timeout("ask-timeout", "30s");
    private static final Setting<Long> START = timeout("start-timeout", "3m");
    private static final Setting<Long> JOIN = timeout("join-timeout", "10s");
    private static final Setting<Long> LEAVE = timeout("leave-timeout", "30s");
    private static final Setting<Long> EXIT = timeout("exit-timeout", "5s");
    private static final Setting<Long> ALONE = timeout("alone-timeout", "10m");
    private static final Setting<Long> STRAGGLE = timeout("straggler-time", "30s");
    private static final Setting<Long> STORE = timeout("store-timeout", "10m");
    private static final Setting<Long> WINDOW = timeout("failure-window", "30m");
    private static final Setting<Integer> COUNT = Setting.count(PREFIX + "node-failures", 3, 1, 1000);
    private static final Setting<Long> COOL_DOWN = timeout("node-cool-down", "5m");
    private static final Setting<Long> BACK_OFF = timeout("node-back-off", "90s");
    private static final Setting<PortRange> PORTS =
            Setting.of(PortRange.KEY, "", "two ports from 1 to 65535, such as 50100-50400", PortRange::parse);
    private static final Setting<Long> SCHEDULER = timeout("scheduler-timeout", "15s");

    /** The keys of the ApplicationMaster, in the order of the documentation. */
    static final List<Setting<?>> SETTINGS = List.of(
            PORTS, ASK, START, JOIN, LEAVE, EXIT, ALONE, STRAGGLE, STORE, WINDOW, COUNT, COOL_DOWN, BACK_OFF,
            SCHEDULER);

    /**
     * Reads every key.
     *
     * @throws InvalidSettingsException if there are problems, with all of them
     */
    public static MasterSettings read(Configuration configuration) {
        SettingsReader reader = new SettingsReader(configuration);
        ClientKeys.refuseUnknownKeys(reader);
        Duration store = duration(reader, STORE);
        MasterSettings settings = new MasterSettings(
                TaskTimeouts.read(reader),
                FailureLimits.read(reader, store),
                store,
                duration(reader, SCHEDULER),
                reader.read(PORTS));
        reader.throwIfInvalid();
        return settings;
    }

    /** The same where tasks have at least {@code leave} to leave. */
    public MasterSettings withLeave(Duration leave) {
        Duration longer = leave.compareTo(tasks.leave()) > 0 ? leave : tasks.leave();
        return new MasterSettings(
                new TaskTimeouts(
                        tasks.ask(),
                        tasks.start(),
                        tasks.join(),
                        longer,
                        tasks.exit(),
                        tasks.alone(),
                        tasks.straggle()),
                nodes,
                storeTimeout,
                schedulerTimeout,
                ports);
    }

    private static Setting<Long> timeout(String name, String defaultText) {
        return Setting.time(PREFIX + name, defaultText, "1ms", "24h");
    }

    private static Duration duration(SettingsReader reader, Setting<Long> setting) {
        return Duration.ofMillis(reader.read(setting));
    }
}
