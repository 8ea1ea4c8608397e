package io.optimus.yarn.configuration;

import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.Strategies;
import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.protocol.setting.NearestWord;
import io.optimus.protocol.setting.Setting;
import io.optimus.protocol.setting.SettingsReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The settings of the scheduler, {@code yarn.scheduler.optimus.*} in yarn-site.xml; docs/configuration.md explains them.
 *
 * @param mode what the scheduler does with its plans
 * @param rounds when rounds run and what they assume
 * @param policies which policy divides which queue
 * @param shrinking how long a job may take to give containers back
 * @param service how jobs report
 * @param jobLimits limits on what is kept of one job, and on the tasks that it may ask for
 * @param owners limits on what owners may ask for their jobs
 * @param ordersFile file that keeps the orders of administrators over failovers; empty for none
 * @param recording whether rounds are recorded, and where
 */
public record OptimusConfiguration(
        SchedulerMode mode,
        Rounds rounds,
        Policies policies,
        Shrinking shrinking,
        Service service,
        JobLimits jobLimits,
        OwnerLimits owners,
        Optional<Path> ordersFile,
        RecordingSettings recording) {

    /** Every key begins with this. */
    public static final String PREFIX = "yarn.scheduler.optimus.";
    /** The keys of one queue begin with this; the path of the queue and a word such as {@code .policy} follow. */
    public static final String QUEUE_PREFIX = PREFIX + "queue.";

    /** The last word of the key that names a queue's policy. */
    static final String POLICY_WORD = "policy";

    private static final String QUEUE_POLICY_SUFFIX = "." + POLICY_WORD;
    private static final Setting<SchedulerMode> MODE =
            Setting.constant(PREFIX + "mode", SchedulerMode.ENFORCE, SchedulerMode.class);

    private static final Setting<Optional<Path>> ORDERS_FILE = Setting.of(
            PREFIX + "orders-file",
            "",
            "a file with its file system, such as `hdfs:///yarn/optimus/orders.json`",
            OptimusConfiguration::absolute);

    private static Optional<Path> absolute(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Path path = new Path(text);
        if (path.toUri().getScheme() == null || !path.isAbsolute() || path.isRoot()) {
            throw new IllegalArgumentException(text);
        }
        return Optional.of(path);
    }

    /**
     * Times of rounds, and what rounds assume.
     *
     * @param intervalMillis time between two regular rounds
     * @param gapMillis least time between two rounds
     * @param budgetMillis time limit for the computation of a round; a longer one changes nothing
     * @param recoveryMillis how long after a restart the plan waits for jobs to register again
     * @param explorationMillis time after which a size without a speed sample is not explored again
     * @param assumedResizeMillis assumed cost of a resize before one was measured
     * @param corePercent most of a core that early rounds and refreshes may take, in percent
     * @param growthMillis how long rounds keep the place of a job whose containers are awaited
     */
    public record Rounds(
            long intervalMillis,
            long gapMillis,
            long budgetMillis,
            long recoveryMillis,
            long explorationMillis,
            long assumedResizeMillis,
            int corePercent,
            long growthMillis) {
        private static final Setting<Long> INTERVAL = Setting.time(PREFIX + "round-interval", "60s", "100ms", "24h");
        private static final Setting<Long> GAP = Setting.time(PREFIX + "round-gap", "1s", "10ms", "10m");
        private static final Setting<Long> BUDGET = Setting.time(PREFIX + "round-time-budget", "10s", "10ms", "10m");
        private static final Setting<Long> RECOVERY = Setting.time(PREFIX + "recovery-timeout", "2m", "0s", "24h");
        private static final Setting<Long> EXPLORATION =
                Setting.time(PREFIX + "exploration-time", "2m", "100ms", "24h");
        private static final Setting<Long> ASSUMED_RESIZE =
                Setting.time(PREFIX + "assumed-resize-cost", "1s", "0s", "24h");
        private static final Setting<Integer> CORE_PERCENT = Setting.count(PREFIX + "round-core-percent", 20, 1, 100);
        private static final Setting<Long> GROWTH = Setting.time(PREFIX + "growth-timeout", "30s", "0s", "24h");

        private static Rounds read(SettingsReader reader) {
            return new Rounds(
                    reader.read(INTERVAL),
                    reader.read(GAP),
                    reader.read(BUDGET),
                    reader.read(RECOVERY),
                    reader.read(EXPLORATION),
                    reader.read(ASSUMED_RESIZE),
                    reader.read(CORE_PERCENT),
                    reader.read(GROWTH));
        }
    }

    /**
     * The policy of each queue, and the policies' knowledge of the cluster.
     *
     * @param defaultPolicy name of the allocation policy of queues that set none
     * @param byQueue name of the allocation policy by path of the leaf queue
     * @param gpuTypes how fast the GPUs of each type are
     * @param distributedJobsPerNode most jobs on several nodes that may share one node; 0 for any number
     */
    public record Policies(
            String defaultPolicy, SortedMap<String, String> byQueue, GpuTypes gpuTypes, int distributedJobsPerNode) {
        private static final Setting<String> DEFAULT = policy(PREFIX + POLICY_WORD);
        private static final Setting<SortedMap<String, Double>> GPU_TYPES =
                Setting.factors(PREFIX + "gpu-types", "alike", 0.001, 1000);
        private static final Setting<Integer> DISTRIBUTED_JOBS =
                Setting.count(PREFIX + "distributed-jobs-per-node", 0, 0, 1000);

        public Policies {
            byQueue = Collections.unmodifiableSortedMap(new TreeMap<>(byQueue));
        }

        /** Name of the allocation policy of the leaf queue with this path. */
        public String of(String queuePath) {
            return byQueue.getOrDefault(queuePath, defaultPolicy);
        }

        private static Policies read(SettingsReader reader) {
            SortedMap<String, String> byQueue = new TreeMap<>();
            for (String key : reader.keysFrom(QUEUE_PREFIX)) {
                if (key.endsWith(QUEUE_POLICY_SUFFIX)
                        && key.length() > QUEUE_PREFIX.length() + QUEUE_POLICY_SUFFIX.length()) {
                    byQueue.put(queueOf(key), reader.read(policy(key)));
                }
            }
            return new Policies(
                    reader.read(DEFAULT), byQueue, new GpuTypes(reader.read(GPU_TYPES)), reader.read(DISTRIBUTED_JOBS));
        }

        private static Setting<String> policy(String key) {
            return Setting.word(key, Strategies.DEFAULT, Strategies.practicable());
        }
    }

    /**
     * How long a job may take to give containers back.
     *
     * @param graceMillis time for a shrink before YARN's preemption message
     * @param preemptionWaitMillis time from that message until the containers are killed
     */
    public record Shrinking(long graceMillis, long preemptionWaitMillis) {
        private static final Setting<Long> GRACE = Setting.time(PREFIX + "grace-time", "30s", "100ms", "24h");
        private static final Setting<Long> PREEMPTION_WAIT =
                Setting.time(PREFIX + "preemption-wait", "15s", "100ms", "24h");

        private static Shrinking read(SettingsReader reader) {
            return new Shrinking(reader.read(GRACE), reader.read(PREEMPTION_WAIT));
        }
    }

    /**
     * How jobs report, and how they are shown.
     *
     * @param reportIntervalMillis time between two reports of a job
     * @param rpcHandlers threads that answer jobs
     * @param historyJobs how many jobs that have ended are remembered
     * @param pageLinks whether YARN's own pages link to the pages of training
     * @param whatIfMillis how long the forecast for a what-if question may compute
     * @param foresightPercent the part of a core that forecasts of the ends of jobs may take; 0: there are none
     */
    public record Service(
            long reportIntervalMillis,
            int rpcHandlers,
            int historyJobs,
            boolean pageLinks,
            long whatIfMillis,
            int foresightPercent) {
        private static final Setting<Long> REPORT_INTERVAL =
                Setting.time(PREFIX + "report-interval", "2s", "50ms", "10m");
        private static final Setting<Integer> RPC_HANDLERS = Setting.count(PREFIX + "rpc-handlers", 10, 1, 1000);
        private static final Setting<Integer> HISTORY_JOBS = Setting.count(PREFIX + "history-jobs", 1000, 0, 100_000);
        private static final String ADDED = "added";
        private static final Setting<String> PAGE_LINKS =
                Setting.word(PREFIX + "page-links", ADDED, List.of(ADDED, "none"));

        private static final Setting<Long> WHAT_IF = Setting.time(PREFIX + "what-if-time-budget", "5s", "100ms", "60s");

        private static final Setting<Integer> FORESIGHT = Setting.count(PREFIX + "foresight-core-percent", 5, 0, 100);

        private static Service read(SettingsReader reader) {
            return new Service(
                    reader.read(REPORT_INTERVAL),
                    reader.read(RPC_HANDLERS),
                    reader.read(HISTORY_JOBS),
                    ADDED.equals(reader.read(PAGE_LINKS)),
                    reader.read(WHAT_IF),
                    reader.read(FORESIGHT));
        }
    }

    /**
     * Limits on what is kept of one job, and on the tasks that it may ask for.
     *
     * @param lossPoints points of its loss curve
     * @param speedSizes sizes with their speeds
     * @param resizes resizes, and as many plans whose reasons are remembered
     * @param tasksPerRole most tasks of each role
     * @param memoryPercent part of the ResourceManager's heap that all jobs together may take, in percent
     */
    public record JobLimits(int lossPoints, int speedSizes, int resizes, int tasksPerRole, int memoryPercent) {
        private static final Setting<Integer> LOSS_POINTS =
                Setting.count(PREFIX + "loss-points-per-job", 512, 32, 100_000);
        private static final Setting<Integer> SPEED_SIZES =
                Setting.count(PREFIX + "speed-sizes-per-job", 64, 10, 10_000);
        private static final Setting<Integer> RESIZES = Setting.count(PREFIX + "resizes-per-job", 100, 1, 10_000);
        private static final Setting<Integer> TASKS_PER_ROLE =
                Setting.count(PREFIX + "max-tasks-per-role", 1024, 1, 100_000);

        private static final Setting<Integer> MEMORY = Setting.count(PREFIX + "job-memory-percent", 25, 1, 90);
        private static final long HUNDRED_PERCENT = 100;

        /** The bytes that all jobs together may take. */
        public long memoryBytes() {
            return Runtime.getRuntime().maxMemory() / HUNDRED_PERCENT * memoryPercent;
        }

        private static JobLimits read(SettingsReader reader) {
            return new JobLimits(
                    reader.read(LOSS_POINTS),
                    reader.read(SPEED_SIZES),
                    reader.read(RESIZES),
                    reader.read(TASKS_PER_ROLE),
                    reader.read(MEMORY));
        }
    }

    private static final List<Setting<?>> SETTINGS = List.of(
            MODE,
            Rounds.INTERVAL,
            Rounds.GAP,
            Rounds.BUDGET,
            Policies.DEFAULT,
            Policies.GPU_TYPES,
            Policies.DISTRIBUTED_JOBS,
            Shrinking.GRACE,
            Shrinking.PREEMPTION_WAIT,
            Service.REPORT_INTERVAL,
            Rounds.RECOVERY,
            Rounds.EXPLORATION,
            Rounds.ASSUMED_RESIZE,
            Rounds.CORE_PERCENT,
            Rounds.GROWTH,
            JobLimits.LOSS_POINTS,
            JobLimits.SPEED_SIZES,
            JobLimits.RESIZES,
            JobLimits.TASKS_PER_ROLE,
            JobLimits.MEMORY,
            OwnerLimits.UNPREEMPTIBLE,
            OwnerLimits.MIN_RUN,
            OwnerLimits.JOBS,
            Service.RPC_HANDLERS,
            Service.HISTORY_JOBS,
            Service.PAGE_LINKS,
            Service.WHAT_IF,
            Service.FORESIGHT,
            ORDERS_FILE,
            RecordingSettings.FOLDER,
            RecordingSettings.MEGABYTES);

    /** The last words of the keys of one queue. */
    private static final List<String> QUEUE_WORDS =
            Stream.concat(Stream.of(POLICY_WORD), OwnerLimits.WORDS.stream()).toList();

    /**
     * Reads every key.
     *
     * @throws InvalidSettingsException if settings are invalid; the message names all problems
     */
    public static OptimusConfiguration read(Configuration configuration) {
        return read(configuration, settings -> List.of());
    }

    /**
     * Reads every key, and checks those of single queues.
     *
     * @param queueProblems the problems of the keys of single queues, such as {@link CapacityQueues#problems}
     * @throws InvalidSettingsException if settings are invalid; the message names all problems
     */
    public static OptimusConfiguration read(
            Configuration configuration, Function<OptimusConfiguration, List<String>> queueProblems) {
        SettingsReader reader = new SettingsReader(configuration);
        reader.refuseUnknownKeys(PREFIX, knownKeys(reader.keysFrom(QUEUE_PREFIX)));
        OptimusConfiguration result = new OptimusConfiguration(
                reader.read(MODE),
                Rounds.read(reader),
                Policies.read(reader),
                Shrinking.read(reader),
                Service.read(reader),
                JobLimits.read(reader),
                OwnerLimits.read(reader),
                reader.read(ORDERS_FILE),
                RecordingSettings.read(reader));
        queueProblems.apply(result).forEach(reader::refuse);
        reader.throwIfInvalid();
        return result;
    }

    /** The keys that differ in {@code next} and take effect only when the scheduler becomes active the next time. */
    public static List<String> unchangeable(OptimusConfiguration before, OptimusConfiguration next) {
        List<String> keys = new ArrayList<>();
        if (before.service().rpcHandlers() != next.service().rpcHandlers()) {
            keys.add(Service.RPC_HANDLERS.key());
        }
        if (before.service().pageLinks() != next.service().pageLinks()) {
            keys.add(Service.PAGE_LINKS.key());
        }
        if (!before.ordersFile().equals(next.ordersFile())) {
            keys.add(ORDERS_FILE.key());
        }
        return keys;
    }

    /**
     * Returns the problems of YARN's own configuration that rule out training jobs. They do not affect ordinary
     * applications or the start of the ResourceManager. CapacityScheduler itself checks that GPUs are counted.
     */
    public static List<String> problemsOfYarn(Configuration configuration) {
        List<String> problems = new ArrayList<>();
        if (configuration.getBoolean(YarnConfiguration.FEDERATION_ENABLED, false)) {
            problems.add(YarnConfiguration.FEDERATION_ENABLED + "=true: in a federation the AMRMProxy replaces the"
                    + " tokens that identify training jobs. Remedy: take this cluster out of the federation,"
                    + " or set " + MODE.key() + "=off here.");
        }
        // This covers distributed scheduling, too: YARN does not start that without this key.
        String opportunistic = YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED;
        if (configuration.getBoolean(opportunistic, false)) {
            problems.add(opportunistic + "=true: YARN grants opportunistic containers before it asks the scheduler,"
                    + " beyond any plan. Remedy: set it to false, or set " + MODE.key() + "=off.");
        }
        return problems;
    }

    /** Every key except those of single queues, in the order of the documentation. */
    static List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** All keys of {@link #settings}, and the valid key that each of {@code queueKeys} was probably meant to be. */
    private static SortedSet<String> knownKeys(SortedSet<String> queueKeys) {
        SortedSet<String> known = new TreeSet<>();
        SETTINGS.forEach(setting -> known.add(setting.key()));
        queueKeys.forEach(key -> known.add(QUEUE_PREFIX + meant(key.substring(QUEUE_PREFIX.length()))));
        return known;
    }

    /** The path and the word of a queue's key: the last word, or a misspelling of it, follows the path. */
    private static String meant(String queueKey) {
        int lastDot = queueKey.lastIndexOf('.');
        Optional<String> word = NearestWord.of(queueKey.substring(lastDot + 1), QUEUE_WORDS);
        return lastDot > 0 && word.isPresent()
                ? queueKey.substring(0, lastDot + 1) + word.get()
                : queueKey + QUEUE_POLICY_SUFFIX;
    }

    /** The path between the prefix and {@code .policy}. */
    private static String queueOf(String policyKey) {
        return policyKey.substring(QUEUE_PREFIX.length(), policyKey.length() - QUEUE_POLICY_SUFFIX.length());
    }

    /** The last words of the keys that queues have of their own, by path of the queue. */
    public SortedMap<String, SortedSet<String>> queueKeys() {
        SortedMap<String, SortedSet<String>> words = new TreeMap<>();
        policies.byQueue().keySet().forEach(path -> add(words, path, POLICY_WORD));
        owners.wordsByQueue().forEach((path, own) -> own.forEach(word -> add(words, path, word)));
        return words;
    }

    private static void add(SortedMap<String, SortedSet<String>> words, String path, String word) {
        words.computeIfAbsent(path, queue -> new TreeSet<>()).add(word);
    }
}
