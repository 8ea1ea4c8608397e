package io.optimus.yarn.configuration;

import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.Strategies;
import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.protocol.setting.Setting;
import io.optimus.protocol.setting.Setting.Count;
import io.optimus.protocol.setting.Setting.Factors;
import io.optimus.protocol.setting.Setting.Time;
import io.optimus.protocol.setting.Setting.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The settings of the scheduler, {@code yarn.scheduler.optimus.*} in yarn-site.xml; docs/configuration.md explains them.
 *
 * @param mode what is done with plans
 * @param roundIntervalMillis time between two regular rounds
 * @param roundGapMillis least time between two rounds, however much happens
 * @param roundBudgetMillis a round that computes for longer changes nothing
 * @param policy name of the allocation policy of every queue that names none
 * @param policyByQueue name of the allocation policy by path of the leaf queue
 * @param gpuTypes how fast the GPUs of each type are
 * @param distributedJobsPerNode most jobs of several nodes that share one; 0: any number
 * @param graceMillis how long a job may take over a shrink before it is enforced
 * @param preemptionWaitMillis how long YARN's preemption message stands before containers are killed
 * @param reportIntervalMillis how often jobs report
 * @param recoveryMillis how long after a restart the plan waits for jobs to register again
 * @param lossPoints loss points kept of a job
 * @param speedSizes sizes of which speed samples are kept, of a job
 * @param resizes resizes kept of a job
 * @param tasksPerRole most tasks of a role that a job may ask for
 * @param explorationMillis how long a size is explored that gives no sample
 * @param assumedResizeMillis what a resize is taken to cost before one was measured
 * @param rpcHandlers threads that answer jobs
 */
public record OptimusConfiguration(
        SchedulerMode mode,
        long roundIntervalMillis,
        long roundGapMillis,
        long roundBudgetMillis,
        String policy,
        SortedMap<String, String> policyByQueue,
        GpuTypes gpuTypes,
        int distributedJobsPerNode,
        long graceMillis,
        long preemptionWaitMillis,
        long reportIntervalMillis,
        long recoveryMillis,
        int lossPoints,
        int speedSizes,
        int resizes,
        int tasksPerRole,
        long explorationMillis,
        long assumedResizeMillis,
        int rpcHandlers) {

    /** What every key begins with. */
    public static final String PREFIX = "yarn.scheduler.optimus.";
    /** What keys of one leaf queue begin with; the queue's path and {@code .policy} follow. */
    public static final String QUEUE_PREFIX = PREFIX + "queue.";

    private static final String QUEUE_POLICY_SUFFIX = ".policy";
    private static final List<String> POLICIES = Strategies.practicable();

    private static final Word MODE = new Word(PREFIX + "mode", "enforce", Setting.wordsOf(SchedulerMode.class));
    private static final Time ROUND_INTERVAL = new Time(PREFIX + "round-interval", "60s", "100ms", "24h");
    private static final Time ROUND_GAP = new Time(PREFIX + "round-gap", "1s", "10ms", "10m");
    private static final Time ROUND_BUDGET = new Time(PREFIX + "round-time-budget", "10s", "10ms", "10m");
    private static final Word POLICY = new Word(PREFIX + "policy", Strategies.DEFAULT, POLICIES);
    private static final Factors GPU_TYPES = new Factors(PREFIX + "gpu-types", "alike", 0.001, 1000);
    private static final Count DISTRIBUTED_JOBS = new Count(PREFIX + "distributed-jobs-per-node", 0, 0, 1000);
    private static final Time GRACE = new Time(PREFIX + "grace-time", "30s", "100ms", "24h");
    private static final Time PREEMPTION_WAIT = new Time(PREFIX + "preemption-wait", "15s", "100ms", "24h");
    private static final Time REPORT_INTERVAL = new Time(PREFIX + "report-interval", "2s", "50ms", "10m");
    private static final Time RECOVERY = new Time(PREFIX + "recovery-timeout", "2m", "0s", "24h");
    private static final Count LOSS_POINTS = new Count(PREFIX + "loss-points-per-job", 512, 32, 100_000);
    private static final Count SPEED_SIZES = new Count(PREFIX + "speed-sizes-per-job", 64, 10, 10_000);
    private static final Count RESIZES = new Count(PREFIX + "resizes-per-job", 100, 1, 10_000);
    private static final Count TASKS_PER_ROLE = new Count(PREFIX + "max-tasks-per-role", 1024, 1, 100_000);
    private static final Time EXPLORATION = new Time(PREFIX + "exploration-time", "2m", "100ms", "24h");
    private static final Time ASSUMED_RESIZE = new Time(PREFIX + "assumed-resize-cost", "1s", "0s", "24h");
    private static final Count RPC_HANDLERS = new Count(PREFIX + "rpc-handlers", 10, 1, 1000);

    private static final List<Setting<?>> SETTINGS = List.of(
            MODE,
            ROUND_INTERVAL,
            ROUND_GAP,
            ROUND_BUDGET,
            POLICY,
            GPU_TYPES,
            DISTRIBUTED_JOBS,
            GRACE,
            PREEMPTION_WAIT,
            REPORT_INTERVAL,
            RECOVERY,
            LOSS_POINTS,
            SPEED_SIZES,
            RESIZES,
            TASKS_PER_ROLE,
            EXPLORATION,
            ASSUMED_RESIZE,
            RPC_HANDLERS);

    /**
     * Reads everything.
     *
     * @throws InvalidSettingsException with every problem at once
     */
    public static OptimusConfiguration read(Configuration configuration) {
        List<String> all = new ArrayList<>();
        refuseUnknownKeys(configuration, all);
        OptimusConfiguration result = new OptimusConfiguration(
                SchedulerMode.valueOf(MODE.read(configuration, all).toUpperCase(Locale.ROOT)),
                ROUND_INTERVAL.read(configuration, all),
                ROUND_GAP.read(configuration, all),
                ROUND_BUDGET.read(configuration, all),
                POLICY.read(configuration, all),
                policies(configuration, all),
                new GpuTypes(GPU_TYPES.read(configuration, all)),
                DISTRIBUTED_JOBS.read(configuration, all),
                GRACE.read(configuration, all),
                PREEMPTION_WAIT.read(configuration, all),
                REPORT_INTERVAL.read(configuration, all),
                RECOVERY.read(configuration, all),
                LOSS_POINTS.read(configuration, all),
                SPEED_SIZES.read(configuration, all),
                RESIZES.read(configuration, all),
                TASKS_PER_ROLE.read(configuration, all),
                EXPLORATION.read(configuration, all),
                ASSUMED_RESIZE.read(configuration, all),
                RPC_HANDLERS.read(configuration, all));
        if (!all.isEmpty()) {
            throw new InvalidSettingsException(all);
        }
        return result;
    }

    /**
     * What of YARN's own configuration training jobs cannot be scheduled on. Ordinary applications can: so this refuses
     * jobs, never the ResourceManager's start. That GPUs are accounted for is checked by CapacityScheduler.
     */
    public static List<String> problemsOfYarn(Configuration configuration) {
        List<String> problems = new ArrayList<>();
        if (configuration.getBoolean(YarnConfiguration.FEDERATION_ENABLED, false)) {
            problems.add(YarnConfiguration.FEDERATION_ENABLED + "=true: in a federation the AMRMProxy replaces the"
                    + " tokens that training jobs are known by. Remedy: take this cluster out of the federation,"
                    + " or set " + MODE.key() + "=off here.");
        }
        // Distributed scheduling wants this one, too: YARN does not start without.
        String opportunistic = YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED;
        if (configuration.getBoolean(opportunistic, false)) {
            problems.add(opportunistic + "=true: opportunistic containers are granted before the scheduler is asked,"
                    + " beyond any plan. Remedy: set it to false, or set " + MODE.key() + "=off.");
        }
        return problems;
    }

    /** Name of the allocation policy of the leaf queue with this path. */
    public String policyOf(String queuePath) {
        return policyByQueue.getOrDefault(queuePath, policy);
    }

    /** Every key that there is, in the order of the documentation. */
    static List<Setting<?>> settings() {
        return SETTINGS;
    }

    private static void refuseUnknownKeys(Configuration configuration, List<String> problems) {
        List<String> known = SETTINGS.stream().<String>map(Setting::key).toList();
        for (String key : keysFrom(configuration, PREFIX).keySet()) {
            boolean ofQueue = key.startsWith(QUEUE_PREFIX) && key.endsWith(QUEUE_POLICY_SUFFIX);
            if (!known.contains(key) && !ofQueue) {
                problems.add(key + " is not a key of this version. Remedy: remove it, or see docs/configuration.md.");
            }
        }
    }

    private static SortedMap<String, String> policies(Configuration configuration, List<String> problems) {
        TreeMap<String, String> byQueue = new TreeMap<>();
        for (String key : keysFrom(configuration, QUEUE_PREFIX).keySet()) {
            if (key.endsWith(QUEUE_POLICY_SUFFIX)) {
                String queue = key.substring(QUEUE_PREFIX.length(), key.length() - QUEUE_POLICY_SUFFIX.length());
                byQueue.put(queue, new Word(key, POLICY.standard(), POLICIES).read(configuration, problems));
            }
        }
        return byQueue;
    }

    private static SortedMap<String, String> keysFrom(Configuration configuration, String prefix) {
        TreeMap<String, String> found = new TreeMap<>();
        for (Map.Entry<String, String> entry : configuration) {
            if (entry.getKey().startsWith(prefix)) {
                found.put(entry.getKey(), entry.getValue());
            }
        }
        return found;
    }
}
